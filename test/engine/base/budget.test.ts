import { describe, expect, it } from 'vitest';
import {
  counted,
  NOTHING_SPENT,
  refund,
  retryRefusal,
  type Spent,
  spend,
  type Traffic,
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
const traffic = (firsts: number, retries: number, now = 0): Traffic =>
  counted(counted([], 'firsts', now, firsts), 'retries', now, retries);

describe('given a session that retries', () => {
  it('when 30 are spent, then it was warned once at 20 and the 31st is refused', () => {
    const { spent, warnings } = spentAfter(30);
    expect(warnings).toEqual([20]);
    expect(retryRefusal(spentAfter(29).spent, [], { now: 0, budget: BUDGET })).toBeNull();
    expect(retryRefusal(spent, [], { now: 0, budget: BUDGET })).toBe('budget.session');
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

  it('when its session is closed during the wait, then the root has the retry back, and the share of all requests too', () => {
    const engine = waiting();
    expect([spentIn(engine), engine.state().traffic.at(-1)?.retries]).toEqual([['s 1'], 1]);
    engine.tell({ type: 'session.closed', session: 'child' });
    expect([spentIn(engine), engine.state().traffic.at(-1)?.retries]).toEqual([['s 0'], 0]);
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
    expect([spentIn(engine), engine.state().traffic.at(-1)?.retries]).toEqual([[], 0]);
  });

  it('when it was told to rest first, then closing it hands nothing back a second time', () => {
    const engine = waiting();
    engine.fail('root', 'a/1', RATE_LIMIT);
    engine.tell({ type: 'session.idle', session: 'child' });
    engine.tell({ type: 'session.closed', session: 'child' });
    expect(spentIn(engine)).toEqual(['s 1']);
  });
});

describe('given retries beside all other requests', () => {
  it.each([
    [0, 2, null],
    [0, 3, 'budget.ratio'],
    [15, 3, 'budget.ratio'],
    [19, 3, 'budget.ratio'],
    [20, 3, null],
    [100, 19, null],
    [100, 20, 'budget.ratio'],
  ])('when %i were asked and %i retried, then the next retry is %s', (firsts, retries, expected) => {
    expect(retryRefusal(NOTHING_SPENT, traffic(firsts, retries), { now: 0, budget: BUDGET })).toBe(expected);
  });

  it('when ten minutes have gone by, then old requests no longer count', () => {
    const old = traffic(0, 3);
    const at = (now: number) => retryRefusal(NOTHING_SPENT, old, { now, budget: BUDGET });
    expect([at(10 * MINUTE - 1), at(10 * MINUTE), at(10 * MINUTE + 1)]).toEqual(['budget.ratio', null, null]);
  });

  it('when an hour of requests is counted, then ten minutes of them are kept', () => {
    let kept: Traffic = [];
    for (let minute = 0; minute < 60; minute++) kept = counted(kept, 'firsts', minute * MINUTE);
    expect([kept.length, kept[0]?.minute]).toEqual([10, 50]);
  });
});
