import { describe, expect, it } from 'vitest';
import { type EngineState, initialState, step } from '../../src/engine';
import { BOUNDS, CASES, caseName, played } from './availability';
import { DIRECTORY, scope } from './harness';

describe('given a lead that fails 30 % and two understudies that fail 10 % each', () => {
  it.each(CASES.map((each) => [caseName(each), each] as const))(
    'when 1,000 turns are played with %s, then as many as promised are answered within the budgets',
    (_, each) => {
      const { withFallback, without, most } = played(each, 1_000, 7);
      expect(withFallback).toBeGreaterThanOrEqual(each.atLeast);
      expect(without).toBeLessThan(0.75);
      expect(most.attempts).toBeLessThanOrEqual(BOUNDS.attempts);
      expect(most.switches).toBeLessThanOrEqual(BOUNDS.switches);
      expect(most.retries).toBeLessThanOrEqual(BOUNDS.retries);
    },
  );
});

describe('given 1,000 models', () => {
  it('when every second one fails until it opens, then the others are as they were', () => {
    const names = Array.from({ length: 1_000 }, (_, n) => `p${n}/m`);
    let state: EngineState = initialState;
    const tell = (event: Parameters<typeof step>[1], now: number): void => {
      state = step(state, event, now, 0.5).state;
    };
    tell({ type: 'scope.configured', directory: DIRECTORY, config: scope({ chain: names.slice(0, 100) }) }, 0);
    const at = { session: 's', directory: DIRECTORY, agent: 'other', purpose: 'internal' } as const;
    names.forEach((model, n) => {
      for (let call = 0; call < 3; call++) {
        const attempt = `${n}.${call}`;
        tell({ type: 'attempt.started', ...at, attempt, turn: 't', model }, n);
        if (n % 2 === 0)
          tell({ type: 'attempt.succeeded', attempt, durationMs: 1, firstTokenMs: 1, outputChars: 1 }, n);
        else tell({ type: 'attempt.failed', attempt, evidence: { phase: 'body', status: 500 }, durationMs: 1 }, n);
      }
    });
    const shown = new Map(state.shown.flat());
    const counts = new Map<string, number>();
    names.forEach((model, n) => {
      const key = `${n % 2} ${shown.get(model)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    });
    expect(Object.fromEntries(counts)).toEqual({ '0 ready': 500, '1 open': 500 });
  });
});
