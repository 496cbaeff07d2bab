import { describe, expect, it } from 'vitest';
import { initialState, type ScopeConfig, type Step } from '../../src/engine';
import { PRESETS } from '../../src/engine/policy/presets';
import type { EngineEvent } from '../../src/engine/state/events';
import { type LogEntry, replay, whatIf } from '../../src/engine/tools';
import { BAD_GATEWAY, createEngine, DIRECTORY, type Engine, RATE_LIMIT, SERVER_ERROR, scope } from './harness';

/** An engine whose every event is kept. */
function logged(config: ScopeConfig = scope()): { engine: Engine; log: LogEntry[] } {
  const engine = createEngine(config);
  const log: LogEntry[] = [{ at: 0, event: { type: 'scope.configured', directory: DIRECTORY, config } }];
  return { engine, log };
}

const start = (turn: string, attempt: string, model: string): EngineEvent => ({
  type: 'attempt.started',
  attempt,
  turn,
  session: 's',
  directory: DIRECTORY,
  agent: 'build',
  model,
  purpose: 'turn',
});
const fail = (attempt: string, evidence = SERVER_ERROR): EngineEvent => ({
  type: 'attempt.failed',
  attempt,
  evidence,
  durationMs: 1,
});
const succeed = (attempt: string): EngineEvent => ({
  type: 'attempt.succeeded',
  attempt,
  durationMs: 1,
  firstTokenMs: 1,
  outputChars: 1,
});
const prompt = (turn: string): EngineEvent => ({
  type: 'prompt.submitted',
  turn,
  session: 's',
  directory: DIRECTORY,
  agent: 'build',
  model: 'a/1',
  hostLead: 'a/1',
  isExplicit: false,
});

describe('given a log', () => {
  it('when it is replayed, then state, decisions and facts are the same, byte for byte', () => {
    const { engine, log } = logged(scope({ policy: PRESETS.steady }));
    const events = [prompt('t'), start('t', 'x', 'a/1'), fail('x', BAD_GATEWAY), start('t', 'y', 'a/1'), succeed('y')];
    const steps = events.map((event, index) => {
      log.push({ at: index * 1_000, random: index / 10, event });
      return engine
        .at(index * 1_000)
        .chance(index / 10)
        .tell(event);
    });
    const again: Step[] = [];
    const state = replay(log, initialState, (step) => again.push(step));
    expect(JSON.stringify(state)).toBe(JSON.stringify(engine.state()));
    expect(JSON.stringify(again.slice(-steps.length))).toBe(JSON.stringify(steps));
    expect(replay(log)).toEqual(state);
  });

  it('when a decision of another host is in it, then adopting it gives the health that deciding here gives', () => {
    const base = [prompt('t'), start('t', 'x', 'a/1')];
    const of = (event: EngineEvent) =>
      replay([...logged().log, ...[...base, event].map((each) => ({ at: 1_000, event: each }))]);
    const own = of(fail('x', RATE_LIMIT));
    const decided = { kind: 'switch', to: 'b/1', code: 'switch.rate_limit' } as const;
    const adopted = of({ ...fail('x', RATE_LIMIT), decided } as EngineEvent);
    expect([adopted.models, adopted.providers, adopted.turns]).toEqual([own.models, own.providers, own.turns]);
  });
});

describe('given a log in which the lead failed and nobody stood in', () => {
  const alone = scope({ chain: ['a/1'] });
  const events = [prompt('t'), start('t', 'x', 'a/1'), fail('x'), prompt('u'), start('u', 'y', 'b/1'), succeed('y')];
  const log: LogEntry[] = [
    { at: 0, event: { type: 'scope.configured', directory: DIRECTORY, config: alone } },
    ...events.map((event, index) => ({ at: 1_000 + index, event })),
  ];
  const withChain = (chain: readonly string[]) => (old: ScopeConfig) => ({
    ...old,
    agents: { build: { chain, policy: PRESETS.swift } },
  });

  it('when b/1 had been its understudy, then the failed turn is answered after one switch', () => {
    const { before, after } = whatIf(log, { config: withChain(['a/1', 'b/1']) });
    expect(before).toEqual({
      turns: 2,
      answered: 0,
      failed: 2,
      unknown: 0,
      switches: 0,
      refusals: 0,
      heldMs: 0,
      lostMs: 2,
      answeredBy: {},
      ends: [
        { at: 1_000, agent: 'build', end: 'failed', heardAt: 1_002, isTroubled: true },
        { at: 1_003, agent: 'build', end: 'failed', heardAt: 1_002, isTroubled: true },
      ],
    });
    expect(after).toMatchObject({ turns: 2, answered: 2, failed: 0, switches: 1, answeredBy: { 'b/1': 2 } });
  });

  it('when the understudy is a model the log knows nothing of, then that is said', () => {
    expect(whatIf(log, { config: withChain(['a/1', 'z/1']) }).after).toMatchObject({ answered: 0, unknown: 2 });
  });

  it('when it had retried, then the time it held is counted', () => {
    const config = (old: ScopeConfig) => ({
      ...old,
      agents: { build: { chain: ['a/1', 'b/1'], policy: PRESETS.patient } },
    });
    const able = (old: ScopeConfig) => ({ ...config(old), abilities: ['hold.other'] as const });
    expect(whatIf(log, { config: able }).after).toMatchObject({ answered: 2, heldMs: 30_000 });
  });
});
