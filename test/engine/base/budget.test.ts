import { describe, expect, it } from 'vitest';
import {
  NOTHING_SPENT,
  type Retry,
  refund,
  retriesIn,
  retryRefusal,
  type Spent,
  type Streak,
  spend,
  withUse,
} from '../../../src/engine/base/budget';
import { PRESETS } from '../../../src/engine/policy/presets';
import { createEngine, NO_KEY, RATE_LIMIT, scope } from '../harness';

const BUDGET = { perSession: 30, warnAt: 20 };
const MINUTE = 60_000;
const spentAfter = (retries: number): { spent: Spent; warnings: number[] } => {
  let spent = NOTHING_SPENT;
  const warnings: number[] = [];
  for (let n = 1; n <= retries; n++) {
    const next = spend(spent, BUDGET);
    spent = next.spent;
    if (next.warns) warnings.push(n);
  }
  return { spent, warnings };
};
/** Failing turns that retries have taken from the bucket of provider `a`. */
const usedIn = (engine: ReturnType<typeof createEngine>) =>
  engine
    .state()
    .streaks.flat()
    .find(([provider]) => provider === 'a')?.[1].used;

describe('given a session that retries', () => {
  it('when 30 are spent, then it was warned once at 20 and the 31st is refused', () => {
    const { spent, warnings } = spentAfter(30);
    expect(warnings).toEqual([20]);
    expect(retryRefusal(spentAfter(29).spent, undefined, { now: 0, budget: BUDGET, cost: 1 })).toBeNull();
    expect(retryRefusal(spent, undefined, { now: 0, budget: BUDGET, cost: 1 })).toBe('budget.session');
  });

  it('when one is handed back at 20, then the next one does not warn a second time', () => {
    const again = spend(refund(spentAfter(20).spent), BUDGET);
    expect(again).toEqual({ spent: { retries: 20, isWarned: true }, warns: false });
    expect(refund(NOTHING_SPENT).retries).toBe(0);
  });
});

describe('given a turn that waits for a retry it has paid for', () => {
  const waiting = () => {
    const engine = createEngine(scope({ policy: PRESETS.steady }));
    engine.prompt('t');
    expect(engine.fail('t', 'a/1', RATE_LIMIT).action).toMatchObject({ kind: 'hold', to: 'a/1' });
    return engine;
  };
  const spentIn = (engine: ReturnType<typeof waiting>) =>
    engine
      .state()
      .budgets.flat()
      .find(([session]) => session === 's')?.[1].retries;

  it('when the user stops it during the wait, then the retry is handed back', () => {
    const engine = waiting();
    expect(spentIn(engine)).toBe(1);
    engine.tell({ type: 'session.idle', session: 's' });
    expect(spentIn(engine)).toBe(0);
  });

  it('when the retry has failed and the turn ends, then it stays spent', () => {
    const engine = waiting();
    engine.after(10_000).fail('t', 'a/1', NO_KEY);
    engine.tell({ type: 'session.idle', session: 's' });
    expect(spentIn(engine)).toBe(1);
  });
});

describe('given a sub-agent that waits for a retry its root session has paid for', () => {
  const CHILD = { session: 'child', parentSession: 's' };
  const waiting = () => {
    const engine = createEngine(scope({ policy: PRESETS.steady }));
    engine.prompt('root');
    engine.prompt('t', CHILD);
    const { attempt } = engine.start('t', 'a/1', CHILD);
    expect(engine.failed(attempt, RATE_LIMIT).action).toMatchObject({ kind: 'hold', to: 'a/1' });
    return engine;
  };
  const spentIn = (engine: ReturnType<typeof waiting>) =>
    engine
      .state()
      .budgets.flat()
      .flatMap(([session, { retries }]) => `${session} ${retries}`);

  it('when its session is closed during the wait, then the root has the retry back, and its provider’s bucket too', () => {
    const engine = waiting();
    expect([spentIn(engine), usedIn(engine)]).toEqual([['s 1'], 1 / 3]);
    engine.tell({ type: 'session.closed', session: 'child' });
    expect([spentIn(engine), usedIn(engine)]).toEqual([['s 0'], 0]);
  });

  it('when its session makes room for newer ones, then the root has it back as well', () => {
    const engine = waiting();
    engine.tell({ type: 'session.idle', session: 's' });
    for (let n = 0; n < 200; n++) {
      engine.after(1).prompt(`n${n}`, { session: `n${n}` });
      engine.prompt(`r${n}`, { session: 's' });
    }
    expect(
      engine
        .state()
        .sessions.flat()
        .some(([session]) => session === 'child'),
    ).toBe(false);
    expect(spentIn(engine)).toEqual(['s 0']);
  });

  it('when its root is closed before it, then no budget is left of either', () => {
    const engine = waiting();
    engine.tell({ type: 'session.closed', session: 's' });
    engine.tell({ type: 'session.closed', session: 'child' });
    expect([spentIn(engine), usedIn(engine)]).toEqual([[], 0]);
  });

  it('when it was told to rest first, then closing it hands nothing back a second time', () => {
    const engine = waiting();
    engine.fail('root', 'a/1', RATE_LIMIT);
    engine.tell({ type: 'session.idle', session: 'child' });
    engine.tell({ type: 'session.closed', session: 'child' });
    expect(spentIn(engine)).toEqual(['s 1']);
  });
});

describe('given the token bucket of a provider', () => {
  const BUDGET_OF_TEN = { ...BUDGET, failingTurns: 10 };
  const retryAt = (now: number, cost = 1 / 3): Retry => ({ now, budget: BUDGET_OF_TEN, cost });
  const drawn = (times: number, cost?: number): Streak => {
    let streak: Streak = { kind: 'rate_limit', used: 0, at: 0 };
    for (let n = 0; n < times; n++) streak = withUse(streak, retryAt(0, cost));
    return streak;
  };
  const refusal = (streak: Streak | undefined, retry: Retry) => retryRefusal(NOTHING_SPENT, streak, retry);

  it.each([
    [29, 1 / 3, null],
    [30, 1 / 3, 'budget.provider'],
    [69, 1 / 7, null],
    [70, 1 / 7, 'budget.provider'],
    [9, 1, null],
    [10, 1, 'budget.provider'],
  ])('when it gave %i retries at a cost of %d, then the next retry is %s', (times, cost, expected) => {
    expect(refusal(drawn(times, cost), retryAt(0, cost))).toBe(expected);
  });

  it('when it is empty, then a retry is back after a thirtieth of ten minutes, and all 30 after ten minutes', () => {
    const empty = drawn(30);
    const at = [19_999, 20_000, 20_001].map((now) => refusal(empty, retryAt(now)));
    expect(at).toEqual(['budget.provider', null, null]);
    let later = empty;
    let given = 0;
    while (refusal(later, retryAt(10 * MINUTE)) === null) {
      later = withUse(later, retryAt(10 * MINUTE));
      given++;
    }
    expect(given).toBe(30);
  });

  it('when a retry is handed back, then the next one may be made, and a full bucket does not overflow', () => {
    expect(refusal(withUse(drawn(30), retryAt(0, -1 / 3)), retryAt(0))).toBeNull();
    expect(withUse(drawn(0), retryAt(0, -1 / 3)).used).toBe(0);
  });

  it('when its key is 0, then no retry is made; when it is absent, then ten failing turns are', () => {
    const none = { ...retryAt(0), budget: { ...BUDGET, failingTurns: 0 } };
    expect(refusal(undefined, none)).toBe('budget.provider');
    const standard = { ...retryAt(0), budget: BUDGET };
    expect([drawn(29), drawn(30)].map((streak) => refusal(streak, standard))).toEqual([null, 'budget.provider']);
  });
});

describe('given the rows of a policy', () => {
  it.each([
    ['swift', undefined, 1],
    ['steady', undefined, 3],
    ['steady', 2, 2],
    ['patient', undefined, 3],
    ['patient', 1, 3],
    ['council', undefined, 3],
  ] as const)(
    'when it is %s with maxRetries %s, then a failing turn asks its model again %i times',
    (name, most, times) => {
      expect(retriesIn(Object.values(PRESETS[name]), most)).toBe(times);
    },
  );
});
