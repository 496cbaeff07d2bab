import { describe, expect, it } from 'vitest';
import { ABILITIES, DEFAULT_HEALTH } from '../../../src/engine/base/config';
import type { Decision } from '../../../src/engine/base/decision';
import { parseSteps } from '../../../src/engine/policy/policy-steps';
import { PRESETS } from '../../../src/engine/policy/presets';
import type { Evidence } from '../../../src/engine/state/events';
import { BAD_GATEWAY, createEngine, MINUTE, NETWORK, RATE_LIMIT, SECOND, SERVER_ERROR, scope } from '../harness';

describe('given what the policies promise in one sentence, and a failure that may pass', () => {
  const PASSING: readonly (readonly [string, Evidence])[] = [
    ['a rate limit', RATE_LIMIT],
    ['an overload', { phase: 'body', status: 529, message: 'Overloaded' }],
    ['a bad gateway', BAD_GATEWAY],
    ['a silence', { phase: 'watchdog', observed: 'timeout' }],
    ['a provider that is down', NETWORK],
    ['a lost connection', { phase: 'stream', observed: 'stream_interrupted' }],
  ];
  /** The models that a turn asks until it ends; `wait` before one that follows a pause, `ask` for a question. */
  const asked = (policy: keyof typeof PRESETS, evidence: Evidence): string => {
    const engine = createEngine(scope({ policy: PRESETS[policy], abilities: [...ABILITIES] }));
    engine.prompt('t');
    const path: string[] = [];
    let model = 'a/1';
    for (let n = 0; n < 20; n++) {
      path.push(model);
      const { action } = engine.after(3 * SECOND).fail('t', model, evidence);
      if (action.kind === 'hold' && (action.task === 'ask' || action.task === 'wait')) path.push(action.task);
      if (!('to' in action) || (action.kind === 'hold' && action.task === 'ask')) break;
      if (action.kind === 'hold') engine.after(action.waitMs);
      model = action.to;
    }
    return path.join(' ');
  };

  it.each(PASSING)('when it is %s, then steady asks the same model again first, then the next one', (_, evidence) => {
    expect(asked('steady', evidence)).toMatch(/^(?:a\/1 ){2,4}(?:b\/1 ){2,4}c\/1 c\/1/);
  });

  it.each(PASSING)('when it is %s, then patient waits, or tells the model to go on, then moves on', (_, evidence) => {
    expect(asked('patient', evidence)).toMatch(/^a\/1 (?:wait|a\/1 a\/1 a\/1) b\/1 .*c\/1/);
  });

  it.each(PASSING)('when it is %s, then council asks before another model takes over', (_, evidence) => {
    expect(asked('council', evidence)).toMatch(/^a\/1 (?:a\/1 )+ask$/);
  });

  it.each(PASSING)('when it is %s, then swift goes to another model at once', (_, evidence) => {
    expect(asked('swift', evidence)).toBe('a/1 b/1 c/1');
  });
});

describe('given a provider that fails twice in a row', () => {
  const marks = (engine: ReturnType<typeof createEngine>, ...evidence: Evidence[]) =>
    evidence.map((each, n) => engine.fail('t', n % 2 === 0 ? 'a/1' : 'a/2', each).failure?.isRepeated ?? false);
  const started = (policy: keyof typeof PRESETS = 'swift') => {
    const engine = createEngine(scope({ policy: PRESETS[policy], chain: ['a/1', 'a/2', 'b/1'] }));
    engine.prompt('t');
    return engine;
  };

  it.each<[string, Evidence[], boolean[]]>([
    ['the same kind twice, at two models', [SERVER_ERROR, BAD_GATEWAY], [false, true]],
    ['one kind, then another', [SERVER_ERROR, RATE_LIMIT], [false, false]],
    ['a third of the same kind', [NETWORK, NETWORK, NETWORK], [false, true, true]],
    ['another kind between two of the same', [SERVER_ERROR, NETWORK, SERVER_ERROR], [false, false, false]],
  ])('when it is %s, then each is marked or not', (_, evidence, expected) => {
    expect(marks(started(), ...evidence)).toEqual(expected);
  });

  it('when an answer came between, or the failure is of another provider, then it is not marked', () => {
    const engine = started();
    engine.fail('t', 'a/1', SERVER_ERROR);
    expect(engine.fail('t', 'b/1', SERVER_ERROR).failure).not.toHaveProperty('isRepeated');
    engine.succeed('t', 'a/2');
    expect(engine.fail('t', 'a/1', SERVER_ERROR).failure).not.toHaveProperty('isRepeated');
    expect(engine.fail('t', 'a/1', SERVER_ERROR).failure).toMatchObject({ isRepeated: true });
  });

  it('when a row has a step for it, then that step applies at the second failure, and not at the first', () => {
    const steps = parseSteps(['switch:repeated', 'retry:3', 'switch']).steps;
    const engine = createEngine(scope({ policy: { ...PRESETS.swift, server_error: steps } }));
    engine.prompt('t');
    const actions = [SERVER_ERROR, SERVER_ERROR].map((each) => engine.fail('t', 'a/1', each).action.kind);
    expect(actions).toEqual(['hold', 'switch']);
  });
});

describe('given turns that fail in a row', () => {
  it('when eleven turns of other sessions fail at once, then ten get their three retries, and the eleventh shows why not', () => {
    const breaker = { ...DEFAULT_HEALTH.breaker, failureThreshold: 100 };
    const engine = createEngine(scope({ policy: PRESETS.steady, health: { ...DEFAULT_HEALTH, breaker } }));
    const turns = Array.from({ length: 11 }, (_, n) => {
      const own = { session: `s${n}` };
      engine.prompt(`t${n}`, own);
      const decisions: Decision[] = [];
      do decisions.push(engine.failed(engine.start(`t${n}`, 'a/1', own).attempt, BAD_GATEWAY));
      while (decisions.at(-1)?.action.kind === 'hold');
      return decisions;
    });
    expect(turns.map(({ length }) => length - 1)).toEqual([...Array(10).fill(3), 0]);
    const applied = turns.map((decisions) => decisions.at(-1)?.trace.some(({ code }) => code === 'budget.provider'));
    expect(applied).toEqual([...Array(10).fill(false), true]);
  });

  it('when four turns of a session fail in a row, then each gets the three retries of steady within the same ten minutes', () => {
    const breaker = { ...DEFAULT_HEALTH.breaker, failureThreshold: 100 };
    const engine = createEngine(scope({ policy: PRESETS.steady, health: { ...DEFAULT_HEALTH, breaker } }));
    const retries = [1, 2, 3, 4].map((turn) => {
      engine.after(MINUTE).prompt(`t${turn}`);
      let count = 0;
      while (engine.fail(`t${turn}`, 'a/1', BAD_GATEWAY).action.kind === 'hold') count++;
      return count;
    });
    expect(retries).toEqual([3, 3, 3, 3]);
  });

  it('when 50 turns of a session fail three times and are answered, then no budget applies', () => {
    const engine = createEngine(scope({ policy: PRESETS.steady }));
    const kinds = Array.from({ length: 50 }, (_, turn) => {
      engine.prompt(`t${turn}`);
      const actions = [0, 1, 2].map(() => engine.fail(`t${turn}`, 'a/1', BAD_GATEWAY).action.kind);
      engine.succeed(`t${turn}`, 'a/1');
      return actions;
    });
    expect(new Set(kinds.flat())).toEqual(new Set(['hold']));
    expect(engine.codes().filter((code) => code.startsWith('budget.'))).toEqual([]);
    expect([engine.state().budgets.flat(), engine.state().streaks.flat()]).toEqual([[], []]);
  });

  it('when another provider, or another session, answers, then only its own counters begin anew', () => {
    const engine = createEngine(scope({ policy: PRESETS.steady }));
    const other = { session: 'other' };
    engine.prompt('t');
    engine.fail('t', 'a/1', BAD_GATEWAY);
    engine.prompt('u', other);
    engine.succeeded(engine.start('u', 'b/1', other).attempt);
    expect(engine.state().budgets.flat()).toMatchObject([['s', { retries: 1 }]]);
    expect(engine.state().streaks.flat()).toMatchObject([['a', { kind: 'server_error', used: 1 / 3 }]]);
    engine.succeeded(engine.start('u', 'a/1', other).attempt);
    expect(engine.state().budgets.flat()).toMatchObject([['s', { retries: 1 }]]);
    expect(engine.state().streaks.flat()).toEqual([]);
  });
});
