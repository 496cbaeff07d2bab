import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { projectOf } from '../../../src/core/base/project';
import type { StoreRow } from '../../../src/core/base/store-rows';
import { rowsOfLife } from '../../../src/core/history/life-rows';
import { classify, type EngineEvent, type EngineState, initialState, type Step, unbooked } from '../../../src/engine';
import { get } from '../../../src/engine/base/table';
import { PRESETS } from '../../../src/engine/policy/presets';
import { positionIn } from '../../../src/engine/tools';
import { anyRun, CHAIN, play, type Told } from '../../engine/any-run';
import { runSeed, runs } from '../../support/runs';

const HISTORIES = runs(10_000, 200);
const SLOW_OVER_MS = 4;

/** What is stored, found out from what the engine was told and decided, and by comparing its state before and after. */
function rowsOfEvent(event: EngineEvent, result: Step, before: EngineState, at: number): StoreRow[] {
  const { state, decisions, facts } = result;
  switch (event.type) {
    case 'prompt.submitted':
      return [seen(event, at), ...refused(result, at)];
    case 'attempt.started': {
      const isIgnored = facts.some((fact) => fact.type === 'event.ignored');
      const { attempt, turn, session, agent, model, purpose } = event;
      // With the same step a question may run out: that is decided besides.
      const own = decisions.filter(({ code }) => !code.startsWith('skipped.'));
      if (isIgnored || own.some(({ action }) => action.kind !== 'keep')) return refused(result, at);
      const position = positionIn(state, event);
      return [
        seen(event, at),
        { type: 'attempt.started', attempt, turn, session, agent, model, position, purpose, at },
      ];
    }
    case 'attempt.failed':
    case 'attempt.succeeded':
    case 'attempt.aborted':
      // Nothing becomes of what nobody has begun, or what has ended.
      return get(before.attempts, event.attempt) ? [ended(event, result, before)] : [];
    case 'switch.carried': {
      const { turn, from, ok, durationMs } = event;
      return [{ type: 'switch.carried', turn, from, ok, durationMs }];
    }
    case 'session.idle':
    case 'session.closed':
      return [{ type: 'session.rested', session: event.session }];
    default:
      return [];
  }
}

function ended(
  event: Extract<EngineEvent, { type: 'attempt.failed' | 'attempt.succeeded' | 'attempt.aborted' }>,
  { decisions, state }: Step,
  before: EngineState,
): StoreRow {
  const { attempt } = event;
  const plain = { kind: null, status: null, message: null, durationMs: null, firstTokenMs: null };
  if (event.type === 'attempt.aborted')
    return { type: 'attempt.ended', attempt, ...plain, outcome: 'neutral', kind: 'aborted' };
  const { durationMs } = event;
  if (event.type === 'attempt.succeeded') {
    const outcome = durationMs > SLOW_OVER_MS ? 'slow' : 'success';
    return { type: 'attempt.ended', attempt, ...plain, outcome, durationMs, firstTokenMs: event.firstTokenMs };
  }
  const said = decisions[0]?.failure ?? classify(event.evidence);
  const { status, message } = said;
  // OpenCode's own requests have no decision: what was made of them stands in the health of their model.
  const { model = '', key = model } = get(before.attempts, attempt) ?? {};
  const isOffline = get(state.models, key)?.last?.kind === 'local_network' && said.kind === 'network_transient';
  const { kind, lane } = isOffline ? ({ kind: 'local_network', lane: 'neutral' } as const) : said;
  const isLimit = kind === 'rate_limit' || kind === 'quota';
  const outcome = isLimit ? 'limited' : lane === 'neutral' ? 'neutral' : 'failure';
  return {
    type: 'attempt.ended',
    attempt,
    outcome,
    kind,
    status,
    message: message || null,
    durationMs,
    firstTokenMs: null,
  };
}

const seen = (
  { session, parentSession, directory }: Readonly<{ session: string; parentSession?: string; directory: string }>,
  at: number,
): StoreRow => ({ type: 'session.seen', session, parent: parentSession ?? null, project: projectOf(directory), at });

const refused = ({ decisions }: Step, at: number): StoreRow[] =>
  decisions.flatMap(({ action, turn, session, agent }): StoreRow[] =>
    action.kind === 'exhausted' ? [{ type: 'turn.refused', turn, session, agent, at }] : [],
  );

const moved = ({ decisions }: Step, at: number): StoreRow[] =>
  decisions.flatMap(({ action, session, turn, agent, code, failure }): StoreRow[] =>
    action.kind === 'switch' || (action.kind === 'redirect' && action.position > 0)
      ? [
          {
            ...{ type: 'switched', session, turn, agent, from: action.from, to: action.to },
            ...{ position: action.position, kind: failure?.kind ?? null, code, at },
          },
        ]
      : [],
  );

const inOrder = (rows: readonly StoreRow[]): string[] =>
  rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();

/** Half of them under a policy that asks. */
const playAny = (run: Parameters<typeof play>[0]): readonly Told[] =>
  run.length % 2
    ? play(run)
    : play(run, { abilities: ['ask', 'hold.start', 'hold.other'], agents: ASKING }, { answers: true });
const COUNCIL = { chain: CHAIN, policy: PRESETS.council };
const ASKING = { build: COUNCIL, plan: COUNCIL };

describe(`given ${HISTORIES} random histories of up to 80 events (seed ${runSeed})`, () => {
  it('when what is stored is made of facts alone, then it is what comparing states and reading events would find', () => {
    const types = new Set<string>();
    fc.assert(
      fc.property(anyRun, (run) => {
        let before = initialState;
        for (const { event, result, now } of playAny(run)) {
          const rows = rowsOfLife(result.facts, { wall: now, slowOverMs: SLOW_OVER_MS });
          for (const { type } of rows) types.add(type);
          expect(inOrder(rows)).toEqual(inOrder([...rowsOfEvent(event, result, before, now), ...moved(result, now)]));
          before = result.state;
        }
      }),
      { numRuns: HISTORIES },
    );
    expect([...types].sort()).toEqual([
      ...['attempt.ended', 'attempt.started', 'session.rested', 'session.seen'],
      ...['switch.carried', 'switched', 'turn.refused'],
    ]);
  });

  it('when facts are read in order, then each request and each turn begins once and ends once, as the same', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        const open = new Map<string, string>();
        let last: Told | undefined;
        for (const told of playAny(run)) {
          for (const fact of told.result.facts) follow(open, fact);
          last = told;
        }
        const state = last?.result.state ?? initialState;
        const left = [...state.attempts.flat(), ...state.turns.flat()].map(([id]) => id);
        expect([...open.keys()].map((id) => id.slice(id.indexOf(' ') + 1)).sort()).toEqual(left.sort());
      }),
      { numRuns: HISTORIES },
    );
  });
});

function follow(open: Map<string, string>, fact: Step['facts'][number]): void {
  switch (fact.type) {
    case 'attempt.began': {
      const { attempt, turn, session, root, directory, agent, model, position, purpose } = fact;
      expect([attempt, open.has(`attempt ${attempt}`)]).toEqual([attempt, false]);
      expect(unbooked(model)).toBe(model);
      open.set(`attempt ${attempt}`, JSON.stringify({ turn, session, directory, agent, model, position, purpose }));
      expect(root).not.toBe('');
      return;
    }
    case 'attempt.ended': {
      const { attempt, turn, session, directory, agent, model, position, purpose } = fact;
      const about = JSON.stringify({ turn, session, directory, agent, model, position, purpose });
      expect([attempt, open.get(`attempt ${attempt}`)]).toEqual([attempt, about]);
      open.delete(`attempt ${attempt}`);
      return;
    }
    case 'turn.began':
      expect([fact.turn, open.has(`turn ${fact.turn}`)]).toEqual([fact.turn, fact.isAgain]);
      open.set(`turn ${fact.turn}`, fact.agent);
      return;
    case 'turn.ended':
      expect([fact.turn, open.get(`turn ${fact.turn}`)]).toEqual([fact.turn, fact.agent]);
      open.delete(`turn ${fact.turn}`);
      return;
    default:
      return;
  }
}
