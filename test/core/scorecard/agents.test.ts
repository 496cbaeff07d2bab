import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentFigures } from '../../../src/contract/scorecard';
import type { AttemptExport } from '../../../src/core/base/store-rows';
import { createKeptAttempts } from '../../../src/core/history/kept-attempts';
import { agentRows } from '../../../src/core/scorecard/agents';
import type { CompanionEvent } from '../../../src/protocol';
import { countedIn } from '../../support/recount/counted';
import { recount } from '../../support/recount/recount';
import { runs } from '../../support/runs';
import {
  CHAIN,
  COMPANION,
  configured,
  failed,
  LIMITED,
  openTestCore,
  prompted,
  started,
  succeeded,
  virtualClock,
} from '../virtual-core';

const DAY_MS = 86_400_000;
const ALL = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };

type End = 'ok' | 'limited' | 'broken' | 'stopped' | 'hangs';
type Played = Readonly<{
  agent: string;
  ends: readonly End[];
  loops: number;
  hasTitle: boolean;
  isSoon: boolean;
  tookMs: number;
  waitMs: number;
}>;

const played: fc.Arbitrary<Played> = fc.record({
  agent: fc.constantFrom('oracle', 'build', 'explorer'),
  ends: fc.array(fc.constantFrom<End>('ok', 'limited', 'broken', 'stopped', 'hangs'), { minLength: 3, maxLength: 3 }),
  loops: fc.nat(2),
  hasTitle: fc.boolean(),
  isSoon: fc.boolean(),
  tookMs: fc.nat(900),
  waitMs: fc.nat(20_000),
});

/** A life of turns, one after the other: each goes down the chain until somebody answers, it is stopped, or nobody is left. */
function live(turns: readonly Played[]) {
  const store = createKeptAttempts();
  const test = openTestCore(virtualClock(), store);
  const { core, tell, clock, log } = test;
  core.connected(COMPANION);
  tell(configured());
  let isLeadOut = false;
  turns.forEach(({ agent, ends, loops, hasTitle, isSoon, tookMs, waitMs }, at) => {
    const about = { turn: `t${at}`, session: `s${at}`, agent };
    // Whoever comes at once finds the lead out, and the next model is asked in its place.
    const from = isSoon && isLeadOut ? 1 : 0;
    if (from === 0) clock.advance(2 * DAY_MS);
    isLeadOut = false;
    tell(prompted(about));
    if (hasTitle) {
      tell(started({ ...about, attempt: `${at}:title`, purpose: 'internal' }));
      tell(succeeded(`${at}:title`));
    }
    for (let place = from; place < CHAIN.length; place++) {
      const attempt = `${at}:${place}`;
      const end = ends[place] ?? 'ok';
      tell(started({ ...about, attempt, model: CHAIN[place] ?? '' }));
      if (end === 'hangs') return;
      clock.advance(tookMs);
      tell(endOf(attempt, end, tookMs));
      if (end === 'ok')
        for (let loop = 0; loop < loops; loop++) {
          tell(started({ ...about, attempt: `${attempt}:${loop}`, model: CHAIN[place] ?? '' }));
          tell(succeeded(`${attempt}:${loop}`));
        }
      if (end === 'ok' || end === 'stopped') {
        isLeadOut = from === 0 && place === 1 && ends[0] === 'limited' && end === 'ok';
        break;
      }
      clock.advance(waitMs);
    }
    tell({ type: 'session.idle', session: about.session });
  });
  core.flush();
  return { core, attempts: [...(store.attempts(ALL) ?? [])], lines: log.map((record) => JSON.stringify(record)) };
}

function endOf(attempt: string, end: Exclude<End, 'hangs'>, durationMs: number): CompanionEvent {
  if (end === 'ok') return succeeded(attempt);
  if (end === 'stopped') return { type: 'attempt.aborted', attempt };
  const evidence = end === 'limited' ? LIMITED : ({ phase: 'body', status: 500, message: 'oops', seenAt: 0 } as const);
  return { ...failed(attempt, evidence), durationMs } as CompanionEvent;
}

const turn = (name: string, ...outcomes: readonly (readonly [number | null, AttemptExport['outcome']])[]) =>
  outcomes.map(
    ([position, outcome]): AttemptExport => ({
      ...{
        at: 0,
        session: 's',
        turn: name,
        agent: 'oracle',
        model: `p/m${position}`,
        position,
        purpose: 'turn',
        outcome,
      },
      ...{ kind: null, status: null, durationMs: null, firstTokenMs: null },
    }),
  );

describe('given an Oracle whose ten turns went this way and that', () => {
  const turns = [
    ...turn('1', [0, 'success']),
    ...turn('2', [0, 'slow'], [0, 'success']),
    ...turn('3', [0, 'limited'], [1, 'success']),
    ...turn('4', [0, 'failure'], [0, 'success']),
    ...turn('5', [1, 'success']),
    ...turn('6', [0, 'failure'], [1, 'failure'], [2, 'limited']),
    ...turn('7', [0, 'neutral']),
    ...turn('8', [0, 'inFlight']),
    ...turn('9', [0, 'neutral'], [1, 'success']),
    ...turn('10', [null, 'success']),
  ];

  it('when it is asked how available it is, then 7 of 8 turns were answered, 4 by the lead, and 3 of 4 taken on', () => {
    const [row, ...others] = agentRows(turns);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      agent: 'oracle',
      turns: { total: 10, open: 1, answered: 7, failed: 1, neutral: 1, firstTry: 4, byLead: 4, saved: 2, spared: 1 },
      availability: { withFallback: { value: 0.875, n: 8 }, withoutFallback: { value: 0.5, n: 8 } },
      firstTry: { value: 0.5, n: 8 },
      fallbacks: { value: 0.75, n: 4 },
      ...{ attempts: 16, failures: 5, retries: 1 },
    });
  });

  it('when requests follow failures, then the time between them is what it waited, tools and answers are not', () => {
    const [first, second, third, fourth] = turn('1', [0, 'failure'], [1, 'success'], [1, 'limited'], [2, 'success']);
    const timed = [
      { ...first, at: 0, durationMs: 2_000 },
      { ...second, at: 7_000, durationMs: 1_000 },
      { ...third, at: 60_000, durationMs: 500 },
      { ...fourth, at: 61_000, durationMs: 100 },
    ] as AttemptExport[];
    expect(agentRows(timed)[0]?.waitedMs).toBe(5_500);
    expect(agentRows(timed.map((one) => ({ ...one, durationMs: null })))[0]?.waitedMs).toBe(0);
  });

  it('when messages found everybody out, then they count as failed once each, but for one that somebody was asked for', () => {
    const refused = ['3', '11', '11', '12'].map((name) => ({ turn: name, session: 's', agent: 'oracle', at: -1 }));
    const [row] = agentRows(turns, refused);
    expect(row).toMatchObject({
      turns: { total: 12, answered: 7, failed: 3 },
      availability: { withFallback: { value: 0.7, n: 10 }, withoutFallback: { value: 0.4, n: 10 } },
      fallbacks: { value: 0.75, n: 4 },
      attempts: 16,
    });
    expect(agentRows([], refused.slice(1))).toMatchObject([
      {
        agent: 'oracle',
        turns: { total: 2, failed: 2 },
        availability: { withFallback: { value: 0, n: 2 } },
        attempts: 0,
      },
    ]);
  });

  it.each([
    ['was refused after its last answer', 5, 'turn', 'failed'],
    ['was refused before its last answer', -5, 'turn', 'answered'],
    ['was refused, and then asked by OpenCode itself', -5, 'internal', null],
  ] as const)('when a turn %s, then it is what came last', (_, at, purpose, is) => {
    const attempts = turn('1', [0, 'success']).map((attempt) => ({ ...attempt, purpose }));
    const [row] = agentRows(attempts, [{ turn: '1', session: 's', agent: 'oracle', at }]);
    expect(row && [row.turns.answered, row.turns.failed]).toEqual(
      is === null ? undefined : [Number(is === 'answered'), Number(is === 'failed')],
    );
  });

  it('when nothing of it has ended, then no share is told', () => {
    const [row] = agentRows(turn('1', [0, 'inFlight']));
    expect([row?.availability.withFallback.value, row?.firstTry.value, row?.fallbacks.value]).toEqual([
      null,
      null,
      null,
    ]);
    expect(agentRows(turns.map((attempt) => ({ ...attempt, purpose: 'internal' })))).toEqual([]);
  });
});

describe('given random lives of three agents', () => {
  const lives = fc.array(played, { minLength: 1, maxLength: 12 });

  it('when their figures are counted again from the log by other means, then they are the same, and add up to all turns', async () => {
    await fc.assert(
      fc.asyncProperty(lives, async (turns) => {
        const { core, attempts, lines } = live(turns);
        const rows = agentRows(attempts);
        expect(countedIn(rows)).toEqual(recount(lines));
        const { totals } = await core.host.handlers['scorecard.get']({});
        for (const figure of ['total', 'answered', 'failed', 'firstTry', 'byLead', 'saved', 'spared'] as const)
          expect([figure, rows.reduce((sum, row) => sum + row.turns[figure], 0)]).toEqual([
            figure,
            totals.turns[figure],
          ]);
      }),
      { numRuns: runs(500) },
    );
  });

  /** Ways to count wrongly; each a change of what is counted, or of what came out. */
  const MUTANTS: Readonly<Record<string, (attempts: AttemptExport[]) => AgentFigures[]>> = {
    'titles are turns': (all) => agentRows(all.map((one) => ({ ...one, purpose: 'turn' }))),
    'limits are no failures': given(({ outcome }) => outcome === 'limited', { outcome: 'neutral' }),
    'errors are no failures': given(({ outcome }) => outcome === 'failure', { outcome: 'neutral' }),
    'limits are answers': given(({ outcome }) => outcome === 'limited', { outcome: 'success' }),
    'stops are failures': given(({ outcome }) => outcome === 'neutral', { outcome: 'failure' }),
    'stops are answers': given(({ outcome }) => outcome === 'neutral', { outcome: 'success' }),
    'what is open has failed': given(({ outcome }) => outcome === 'inFlight', { outcome: 'failure' }),
    'what is open is answered': given(({ outcome }) => outcome === 'inFlight', { outcome: 'success' }),
    'every model is the lead': given(() => true, { position: 0 }),
    'no model is the lead': given(() => true, { position: 1 }),
    'the second model is the lead': given(({ position }) => position === 1, { position: 0 }),
    'all agents are one': given(() => true, { agent: 'oracle' }),
    'each request is a turn': (all) => agentRows(all.map((one, at) => ({ ...one, turn: String(at) }))),
    'the newest request comes first': (all) => agentRows(all.toReversed()),
    'the first request decides': (all) =>
      agentRows(all.filter((one, at) => all.findIndex(({ turn }) => turn === one.turn) === at)),
    'the last request is all': (all) =>
      agentRows(all.filter((one, at) => all.findLastIndex(({ turn }) => turn === one.turn) === at)),
    'failed requests are forgotten': (all) =>
      agentRows(all.filter(({ outcome }) => outcome !== 'failure' && outcome !== 'limited')),
    'a model that is asked again was tried again': told((row) => ({ ...row, retries: row.attempts - row.turns.total })),
    'saved and spared change places': told((row) => ({
      ...row,
      turns: { ...row.turns, saved: row.turns.spared, spared: row.turns.saved },
    })),
    'every turn is taken on': told((row) => ({ ...row, fallbacks: { ...row.fallbacks, n: row.turns.total } })),
    'whoever was answered was so at the first try': told((row) => ({
      ...row,
      turns: { ...row.turns, firstTry: row.turns.answered },
    })),
    'nobody waited': told((row) => ({ ...row, waitedMs: 0 })),
    'a request takes no time': (all) => agentRows(all.map((one) => ({ ...one, durationMs: 0 }))),
    'open turns are not counted': told((row) => ({
      ...row,
      turns: { ...row.turns, total: row.turns.total - row.turns.open },
    })),
  };

  it.each(Object.keys(MUTANTS))('when %s, then the other count differs', (name) => {
    const found = fc.check(
      fc.property(lives, (turns) => {
        const { attempts, lines } = live(turns);
        expect(countedIn(MUTANTS[name]?.(attempts) ?? [])).toEqual(recount(lines));
      }),
      // That it differs is all that is asked: not in how short a life it would.
      { numRuns: 50, endOnFailure: true },
    );
    expect(found.failed).toBe(true);
  });
});

function given(isIt: (attempt: AttemptExport) => boolean, change: Partial<AttemptExport>) {
  return (all: AttemptExport[]): AgentFigures[] =>
    agentRows(all.map((attempt) => (isIt(attempt) ? { ...attempt, ...change } : attempt)));
}

function told(change: (row: AgentFigures) => AgentFigures) {
  return (all: AttemptExport[]): AgentFigures[] => agentRows(all).map(change);
}
