import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_HEALTH, type EngineEvent, initialState, step } from '../../src/engine';
import { exportHealth, PRESETS } from '../../src/engine/tools';
import {
  AGENTS_MAX,
  CATALOGUE_MAX,
  CompanionEvent,
  MAX_LINE_BYTES,
  parseAppMessage,
  parsePeerMessage,
  ScopeConfig,
} from '../../src/protocol';
import { encodeLine } from '../../src/protocol/framing';
import { anyRun, play } from '../engine/any-run';
import { anyEvent } from './any-event';

const lineOf = (message: unknown): string => {
  const encoded = encodeLine(message);
  if (!encoded.ok) throw new Error(encoded.reason);
  return encoded.line;
};

describe('given what a companion has to tell', () => {
  it('when any event crosses the socket, then it arrives unchanged', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const parsed = parsePeerMessage(lineOf({ type: 'event', seq: 1, ageMs: 0, sentAt: 9, event }));
        expect(parsed).toEqual({ ok: true, message: { type: 'event', seq: 1, ageMs: 0, sentAt: 9, event } });
      }),
      { numRuns: 300 },
    );
  });

  it('when every kind of event the schema knows is generated, then none is left out', () => {
    const known = CompanionEvent.unwrap()._zod.propValues.type ?? [];
    const made = new Set(fc.sample(anyEvent, 500).map(({ type }) => type));
    expect([...made].sort()).toEqual([...known].sort());
  });

  it.each<[string, EngineEvent]>([
    ['a tick', { type: 'tick' }],
    ['a lease', { type: 'lease.requested', model: 'a/1', epoch: 'e1' }],
    ['a pause', { type: 'switching.paused', forMs: null, actor: 'x' }],
    ['a pin', { type: 'agent.pinned', directory: '/p', agent: 'build', model: 'a/1', forMs: null, actor: 'x' }],
  ])('when it claims %s, then that is refused: only the app may', (_, event) => {
    expect(CompanionEvent.safeParse(event).success).toBe(false);
  });
});

describe('given the health of any run, and what people have said in it', () => {
  it('when it crosses the socket, then it arrives unchanged', () => {
    const acts: readonly EngineEvent[] = [
      { type: 'health.isolated', model: 'a/1', actor: 'panel' },
      { type: 'health.held', model: 'b/1', state: 'closed', forMs: 60_000, actor: 'panel' },
      { type: 'agent.pinned', directory: '/one', agent: 'build', model: 'a/2', forMs: null, actor: 'panel' },
      { type: 'switching.paused', forMs: 60_000, actor: 'panel' },
    ];
    fc.assert(
      fc.property(anyRun, (run) => {
        const ran = play(run).at(-1)?.result.state ?? initialState;
        const state = acts.reduce((at, act) => step(at, act, 5_000, 0.5).state, ran);
        const health = exportHealth(state, 5_000);
        const parsed = parseAppMessage(lineOf({ type: 'sync', seenSeq: 1, rev: 1, sentAt: 9, health }));
        expect(parsed).toEqual({ ok: true, message: { type: 'sync', seenSeq: 1, rev: 1, sentAt: 9, health } });
      }),
      { numRuns: 60 },
    );
  });

  it('when a breaker has grown and calmed down, then the moment it calmed arrives', () => {
    const breaker = { kind: 'closed', generation: 3, serial: 9, failures: [], trips: 2, calmSince: -500 };
    const health = { models: [['a/1', { ...EMPTY_HEALTH, breaker }]], providers: [] };
    const message = { type: 'sync', seenSeq: null, rev: 1, sentAt: 9, health };
    expect(parseAppMessage(lineOf(message))).toEqual({ ok: true, message });
  });
});

const EMPTY_HEALTH = { limit: null, rest: null, block: null, last: null, calls: 3, failed: 2, directory: null };

describe('given a configuration as large as may be', () => {
  const model = (at: number): string => `provider/${'m'.repeat(80)}${at}`;
  const facts = {
    context: 999_999_999,
    vision: true,
    tools: true,
    vendor: 'v'.repeat(20),
    priceIn: 0.00015,
    priceOut: 1,
  };
  const scope = (models: number, agents: number) => ({
    enabled: true,
    health: DEFAULT_HEALTH,
    maxFallbackDepth: 3,
    onExhausted: 'error',
    backupModel: null,
    models: Object.fromEntries(Array.from({ length: models }, (_, at) => [model(at), facts])),
    agents: Object.fromEntries(
      Array.from({ length: agents }, (_, at) => [
        `agent ${at}`,
        { chain: [1, 2, 3, 4].map((each) => model(at * 2 + each)), policy: PRESETS.patient },
      ]),
    ),
  });

  it('when it tells of 200 agents and 500 models with long names, then its line is under 1 MiB', () => {
    const config = scope(CATALOGUE_MAX, AGENTS_MAX);
    expect([ScopeConfig.safeParse(config).success, lineOf(config).length < MAX_LINE_BYTES]).toEqual([true, true]);
  });

  it.each([
    ['a model', CATALOGUE_MAX + 1, 1],
    ['an agent', 1, AGENTS_MAX + 1],
  ])('when it tells of %s more, then it is refused', (_, models, agents) => {
    expect(ScopeConfig.safeParse(scope(models, agents)).success).toBe(false);
  });
});
