import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { transformWithOxc } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { createKeptAttempts } from '../../../src/core/history/kept-attempts';
import { agentRows } from '../../../src/core/scorecard/agents';
import { rounded } from '../../../src/core/scorecard/document';
import { createTimesSum, rateOf } from '../../../src/engine/scorecard';
import { newPath, open } from '../../node/store/store-support';
import { countedIn } from '../../support/recount/counted';
import { RULES, type Rules, recount } from '../../support/recount/recount';
import { liveSteadily, steadyLives } from '../../support/recount/steady-life';
import { runs } from '../../support/runs';

type Life = Awaited<ReturnType<typeof liveSteadily>>;

const SUMS = ['total', 'open', 'answered', 'failed', 'neutral', 'firstTry', 'byLead', 'saved', 'spared'] as const;

/** The figures of a life counted twice, and against the sums of all. */
function expectSame({ attempts, refusals, lines, totals, refused }: Life): void {
  expect(refusals).toHaveLength(refused);
  const rows = agentRows(attempts, refusals);
  expect(countedIn(rows)).toEqual(recount(lines));
  for (const figure of SUMS) {
    const sum = rows.reduce((all, row) => all + row.turns[figure], 0);
    expect([figure, sum]).toEqual([figure, totals.turns[figure]]);
  }
  expect(rows.reduce((sum, row) => sum + row.retries, 0)).toBe(totals.retries);
}

describe('given random lives of agents with two chains and sub-agents, whose policy asks a failing model again', () => {
  it('when their figures are counted again from the log by other means, then they are the same', async () => {
    await fc.assert(
      fc.asyncProperty(steadyLives, async (played) => expectSame(await liveSteadily(played, createKeptAttempts()))),
      { numRuns: runs(200) },
    );
  });

  it('when a real store has kept them, then they are the same as well', async () => {
    await fc.assert(
      fc.asyncProperty(steadyLives, async (played) => {
        const store = await open(await newPath());
        expectSame(await liveSteadily(played, store));
        await store.close();
      }),
      { numRuns: runs(40) },
    );
  });
});

/** Wrong meanings of a word of the other count. */
const WRONG_RULES: Readonly<Record<string, Partial<Rules>>> = {
  'a retry is a first try': {
    isFirstTry: (turn) => !turn.some(({ end, model }) => end === 'failed' && model !== turn.at(-1)?.model),
  },
  'one failure is a first try': { isFirstTry: (turn) => turn.filter(({ end }) => end === 'failed').length < 2 },
  'a retry is whoever is asked after a failure': { isRetry: (one) => one.end === 'failed' },
  'a retry is each further request to a model': { isRetry: (one, next) => one.model === next.model },
  'waits are until any next request': { waitedMs: (one, next) => next.from - one.to },
  'a wait begins with the request': { waitedMs: (one, next) => (one.end === 'failed' ? next.from - one.from : 0) },
  'all agents have the chain of everybody else': { lead: ({ agents }) => agents['*']?.chain[0] ?? '' },
  'the second of a chain leads': { lead: ({ agents }, agent) => (agents[agent] ?? agents['*'])?.chain[1] ?? '' },
  'saved is who was left by anybody': { isSaved: (turn) => turn.some(({ end }) => end === 'failed') },
  'who was asked last decides who took over': { isTakenOn: (turn, lead) => turn.at(-1)?.model !== lead },
  'one answer answers a turn': { isAnswered: (turn) => turn.some(({ end }) => end === 'answered') },
  'one failure fails a turn': { isFailed: (turn) => turn.some(({ end }) => end === 'failed') },
  'what was asked at rest is open': { endsAtRest: false },
  'a message that found everybody out is no turn': { countsUnasked: false },
};

/** Faults in the source of the figures: what stands there once, and what would stand there by mistake. */
const FAULTS: readonly (readonly [found: string, instead: string])[] = [
  ['position === null || position === 0', 'position === 1'],
  ["limited: 'failed'", "limited: 'answered'"],
  ["limited: 'failed'", "limited: 'neutral'"],
  ["failure: 'failed'", "failure: 'neutral'"],
  ["inFlight: 'open'", "inFlight: 'neutral'"],
  ["neutral: 'neutral'", "neutral: 'failed'"],
  ['if (existing.last.model === model) open.retries++', 'if (existing.last.model !== model) open.retries++'],
  ['if (existing.last.model === model) open.retries++', 'open.retries++'],
  ["if (existing?.last.result === 'failed')", 'if (existing)'],
  ['at - (existing.last.endedAt ?? at)', '0'],
  ['endedAt: durationMs === null ? null : at + durationMs', 'endedAt: at'],
  ['open.attempts++;', ''],
  ['open.failures++;', ''],
  ['open.last = last;', ''],
  ['open.isTakenOver ||= !isLead', 'open.isTakenOver = !isLead'],
  ['open.isTakenOver ||= !isLead', 'open.isTakenOver ||= isLead'],
  ['turn.hasLeadFailed ||= isLead', 'turn.hasLeadFailed ||= !isLead'],
  ['turn.hasLeadFailed ||= isLead', 'turn.hasLeadFailed = isLead'],
  ['turn.troubles++;', ''],
  ['troubles === 0', 'troubles <= 1'],
  ['const decided = answered.length + failed', 'const decided = turns.length'],
  ['!last.isLead && hasLeadFailed', 'hasLeadFailed'],
  ['withFallback: rate(answered.length)', 'withFallback: rate(byLead)'],
  ['withoutFallback: rate(byLead)', 'withoutFallback: rate(firstTry)'],
  ['firstTry: rate(firstTry)', 'firstTry: rate(byLead)'],
  ['spared: answered.length - byLead - saved', 'spared: answered.length - byLead'],
  ["last.result === 'failed') + unasked.size", "last.result === 'failed')"],
  ['total: turns.length + unasked.size', 'total: turns.length'],
  ['of.successes++;', ''],
  ['if (durationMs !== null) of.times.add(durationMs)', 'of.times.add(1)'],
];

describe('given lives in which much went wrong', () => {
  const SOURCE = join(import.meta.dirname, '../../../src/core/scorecard/agents.ts');
  let lives: readonly Life[] = [];
  /** What the other count makes of each life; counted once, as none of the faults is its own. */
  let counted: readonly ReturnType<typeof recount>[] = [];
  let source = '';
  beforeAll(async () => {
    source = await readFile(SOURCE, 'utf8');
    lives = await Promise.all(fc.sample(steadyLives, 60).map((played) => liveSteadily(played, createKeptAttempts())));
    counted = lives.map(({ lines }) => recount(lines));
  }, 180_000);

  /** The figures as a source would make them. */
  async function rowsBy(text: string): Promise<typeof agentRows> {
    const { code } = await transformWithOxc(text, SOURCE);
    const body = code.replace(/^import .*$/gm, '').replace(/^export (?:\{[^}]*\};?)?/gm, '');
    const make = new Function('rateOf', 'rounded', 'createTimesSum', `${body}\nreturn agentRows;`);
    return make(rateOf, rounded, createTimesSum);
  }
  const isTold = (rows: typeof agentRows, rules?: Rules): boolean =>
    lives.some(({ attempts, refusals, lines }, at) => {
      try {
        expect(countedIn(rows(attempts, refusals))).toEqual(rules ? recount(lines, rules) : counted[at]);
        return false;
      } catch {
        return true;
      }
    });

  it('when nothing is wrong, then nothing is told; models were asked again, sub-agents asked, and sessions went on', async () => {
    expect(isTold(await rowsBy(source))).toBe(false);
    const rows = lives.flatMap(({ attempts, refusals }) => agentRows(attempts, refusals));
    expect(rows.reduce((sum, { retries }) => sum + retries, 0)).toBeGreaterThan(20);
    expect(new Set(rows.map(({ agent }) => agent))).toEqual(new Set(['oracle', 'build', 'explorer']));
    expect(lives.some(({ attempts }) => new Set(attempts.map(({ session }) => session)).size < attempts.length)).toBe(
      true,
    );
  });

  it.each(FAULTS)('when %j were %j in the source, then the two counts would differ', async (found, instead) => {
    expect(source.split(found)).toHaveLength(2);
    expect(isTold(await rowsBy(source.replace(found, instead)))).toBe(true);
  });

  it.each(Object.entries(WRONG_RULES))('when for the other count %s, then the two would differ', (_, wrong) => {
    expect(isTold(agentRows, { ...RULES, ...wrong })).toBe(true);
  });
});
