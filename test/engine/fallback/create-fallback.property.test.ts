import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/engine';
import { createFallback, FallbackExhaustedError } from '../../../src/engine/fallback/create-fallback';
import { runSeed, runs } from '../../support/runs';
import { HOUR, MINUTE, SECOND } from '../world';
import { FAIL } from './stage';
import { VirtualClock } from './virtual-clock';

const CHAIN = ['a/1', 'a/2', 'b/1', 'c/1'] as const;
const [seed, RUNS] = [runSeed, runs(200, 20)];
console.log(`create-fallback.property: seed ${seed}`);

const OUTCOMES: Readonly<Record<string, () => unknown>> = {
  server: FAIL.server,
  overloaded: FAIL.overloaded,
  limited: () => FAIL.limited(),
  soon: () => FAIL.limited(2),
  later: () => FAIL.limited(90),
  key: FAIL.key,
  malformed: FAIL.malformed,
  network: () => Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }),
  gateway: () => ({ status: 503 }),
  nothing: () => undefined,
};

type Played = Readonly<{ outcome: string; tookMs: number }>;
type Script = Readonly<{
  depth: number;
  policy: 'swift' | 'steady' | 'patient' | 'council';
  calls: readonly Played[];
  rounds: readonly Readonly<{ consults: number; pauseMs: number }>[];
}>;

const script: fc.Arbitrary<Script> = fc.record({
  depth: fc.nat(3),
  policy: fc.constantFrom('swift', 'steady', 'patient', 'council'),
  calls: fc.array(
    fc.record({
      outcome: fc.constantFrom('answer', ...Object.keys(OUTCOMES)),
      tookMs: fc.constantFrom(0, 1, SECOND, 40 * SECOND),
    }),
    { minLength: 1, maxLength: 30 },
  ),
  rounds: fc.array(
    fc.record({
      consults: fc.integer({ min: 1, max: 5 }),
      pauseMs: fc.constantFrom(0, SECOND, 2 * MINUTE, 20 * MINUTE, 2 * HOUR),
    }),
    { minLength: 1, maxLength: 12, size: 'max' },
  ),
});

/** Every entry is `outcome` or `outcome:tookMs`. */
const played = (calls: string): readonly Played[] =>
  calls.split(' ').map((each) => ({ outcome: each.split(':')[0] ?? '', tookMs: Number(each.split(':')[1] ?? 0) }));
const paced = (...rounds: readonly (readonly [consults: number, pauseMs: number])[]): Script['rounds'] =>
  rounds.map(([consults, pauseMs]) => ({ consults, pauseMs }));

/** Runs that once broke the promise: they are played each time. */
const FOUND: readonly Script[] = [
  {
    // A consult let through although all need a person waits, and the model flaps meanwhile.
    depth: 0,
    policy: 'steady',
    calls: played('answer gateway key'),
    rounds: paced([1, 0], [2, 0], [1, 0], [2, 20 * MINUTE], [5, 0]),
  },
  {
    // The same moves to a model that another one blocks at that moment.
    depth: 1,
    policy: 'swift',
    calls: played('limited gateway answer key answer'),
    rounds: paced([2, 0], [3, 2 * HOUR], [2, 20 * MINUTE], [3, 0], [5, 0], [1, 0]),
  },
  {
    // A limit ends by itself, nobody says so, and the model flaps by that very change.
    depth: 1,
    policy: 'swift',
    calls: played('answer:40000 limited:40000 later answer answer'),
    rounds: paced([3, 0], [1, 0], [1, 0], [3, 2 * MINUTE], [1, 0]),
  },
];

type Seen = { calls: number; broken: string[]; words: Set<string> };

/**
 * Calls a consult may make: the first, one for each switch, one for each hold. Switches that a dead network of this machine
 * cost are given back, and 12 failed calls for each model end everything.
 */
function limitOf(trace: readonly Decision[], depth: number): Readonly<{ limit: number; holds: number }> {
  const holds = trace.filter(({ action }) => action.kind === 'hold').length;
  const isOffline = trace.some(({ failure }) => failure?.kind === 'local_network');
  const isGivenBack = ({ failure, action }: Decision): boolean =>
    failure?.kind === 'network_transient' && action.kind === 'switch';
  const givenBack = isOffline ? trace.filter(isGivenBack).length : 0;
  return { limit: Math.min(12 * CHAIN.length, 1 + depth + holds + givenBack), holds };
}

/** Plays a script: rounds of consults side by side, every call by the next entry of the list. */
async function play({ depth, policy, calls, rounds }: Script): Promise<Seen> {
  const clock = new VirtualClock();
  const seen: Seen = { calls: 0, broken: [], words: new Set() };
  const probes = new Set<string>();
  const call = async (model: string): Promise<string> => {
    const { outcome, tookMs } = calls[seen.calls++ % calls.length] as Played;
    const release = judge(model);
    if (tookMs > 0) await clock.wait(tookMs);
    release();
    if (outcome === 'answer') return model;
    throw OUTCOMES[outcome]?.();
  };
  /** What the engine says of a model whose call has just left: never that nobody may ask it. */
  const judge = (model: string): (() => void) => {
    const health = fallback.health();
    const { state = 'unseen', code } = health.find((each) => each.model === model) ?? {};
    seen.words.add(state);
    const isLastHope = state === 'blocked' && health.every((each) => each.state === 'blocked');
    if (['cooling', 'open', 'held'].includes(state) || (state === 'blocked' && !isLastHope))
      seen.broken.push(`${model} was asked while ${state}`);
    if (state !== 'probing') return () => {};
    const lane = code === 'network.probing' ? (model.split('/')[0] ?? '') : model;
    if (probes.has(lane)) seen.broken.push(`${lane} was probed twice at once`);
    probes.add(lane);
    return () => probes.delete(lane);
  };
  const [primaryModel, ...fallbackModels] = CHAIN;
  const circuitBreaker = { failureThreshold: 2, cooldownMs: 10 * MINUTE };
  const fallback = createFallback({
    primaryModel,
    fallbackModels,
    policy,
    circuitBreaker,
    maxFallbackDepth: depth,
    clock,
    call,
  });
  for (const { consults, pauseMs } of rounds) {
    const all = Array.from({ length: consults }, () => fallback.consult('question'));
    const result = await clock.until(Promise.allSettled(all));
    for (const end of result.status === 'fulfilled' ? result.value : []) {
      const told = end.status === 'fulfilled' ? end.value : end.reason;
      seen.words.add(
        end.status === 'fulfilled' ? 'answered' : told instanceof FallbackExhaustedError ? 'exhausted' : 'passed',
      );
      if (end.status === 'rejected' && !(told instanceof FallbackExhaustedError)) continue;
      const { limit, holds } = limitOf(told.trace, depth);
      if (holds > 0) seen.words.add('hold');
      if (told.attempts > limit) seen.broken.push(`${told.attempts} calls, depth ${depth}, ${holds} holds`);
    }
    await clock.advance(pauseMs);
  }
  if (fallback.snapshot().sessions.length > 0) seen.broken.push('a session was left behind');
  if (clock.pending > 0) seen.broken.push('a timer was left behind');
  return seen;
}

describe(`given any script of outcomes, four models and up to 12 rounds (seed ${seed})`, { timeout: 180_000 }, () => {
  it(`when ${RUNS} are played, then no model is asked that the engine has refused, and no consult asks too often`, async () => {
    const words = new Set<string>();
    await fc.assert(
      fc.asyncProperty(script, async (each) => {
        const { broken, words: heard } = await play(each);
        for (const word of heard) words.add(word);
        expect(broken).toEqual([]);
      }),
      { seed, numRuns: RUNS, examples: FOUND.map((each) => [each]) },
    );
    // Otherwise the promise above would speak of nothing.
    expect([...words].sort()).toEqual(
      expect.arrayContaining(['answered', 'blocked', 'exhausted', 'hold', 'passed', 'probing', 'ready', 'resting']),
    );
  });
});
