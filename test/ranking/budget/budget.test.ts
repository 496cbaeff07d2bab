import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { budgetFor, Headroom, headroomAt, STAGES, stageOf } from '../../../src/features/ranking/rules/budget/budget';
import { runs } from '../../support/runs';

const left = (fiveHourPercent: number | null, weekPercent: number | null): Headroom => ({
  ...{ account: 'openai', fiveHourPercent, weekPercent, at: 0 },
});

describe('given what is left of a subscription', () => {
  it.each([
    [10, 100, 'critical'],
    [10.1, 100, 'low'],
    [100, 10, 'critical'],
    [100, 10.1, 'low'],
    [25, 100, 'low'],
    [25.1, 100, 'medium'],
    [100, 20, 'low'],
    [100, 20.1, 'medium'],
    [50, 100, 'medium'],
    [50.1, 100, 'healthy'],
    [100, 30, 'medium'],
    [100, 30.1, 'healthy'],
    [0, 0, 'critical'],
    // The worse of the two decides.
    [40, 9, 'critical'],
    [9, 40, 'critical'],
    // What is not known decides nothing.
    [null, 25, 'medium'],
    [25, null, 'low'],
    [null, 100, 'healthy'],
    [null, null, null],
  ])('when it is %j %% of 5 hours and %j %% of the week, then it is %j', (fiveHourPercent, weekPercent, stage) => {
    expect(stageOf({ fiveHourPercent, weekPercent })).toBe(stage);
  });

  it.each([
    ['healthy', 100, 1, 1],
    ['medium', 50, 0.95, 0.85],
    ['low', 25, 0.7, 0.45],
    ['critical', 10, 0.35, 0.08],
  ])('when it is %s, at %d %%, then scores count %d, those of dear models %d', (stage, percent, usual, dear) => {
    const headroom = left(percent, null);
    expect(budgetFor({ in: 1, out: 8 }, headroom)).toMatchObject({ stage, multiplier: usual });
    expect(budgetFor({ in: 10, out: 8 }, headroom)).toMatchObject({ stage, multiplier: dear });
    expect(budgetFor({ in: 1, out: 30 }, headroom)).toMatchObject({ stage, multiplier: dear });
    expect(budgetFor({ in: 9.99, out: 29.99 }, headroom)).toMatchObject({ multiplier: usual });
  });

  it.each([
    [100, 500, 500, false],
    [50, 10, 40, false],
    [50, 10.01, 1, true],
    [50, 1, 40.01, true],
    [25, 8, 32, false],
    [25, 8.01, 1, true],
    [25, 1, 32.01, true],
    [10, 2, 8, false],
    [10, 2.01, 1, true],
    [10, 1, 8.01, true],
  ])('when %d %% are left and it costs %d in and %d out, then over the cap is %j', (percent, input, output, isOver) => {
    expect(budgetFor({ in: input, out: output }, left(percent, null))?.isOverCap).toBe(isOver);
  });

  it.each([
    [{ in: 500, out: 500 }, 100, 'budget.healthy'],
    [{ in: 1, out: 8 }, 40, 'budget.stage'],
    [{ in: 10, out: 30 }, 40, 'budget.dear'],
    [{ in: 10, out: 50 }, 40, 'budget.cap'],
    [null, 5, 'budget.stage'],
  ] as const)('when it costs %j and %d %% are left, then what decided is %s', (price, percent, reason) => {
    expect(budgetFor(price, left(percent, null))?.reason).toBe(reason);
  });

  it('when nobody says its price, then it is neither dear nor over a cap', () => {
    expect(budgetFor(null, left(5, null))).toEqual({
      ...{ stage: 'critical', multiplier: 0.35, isOverCap: false, reason: 'budget.stage' },
    });
  });

  it('when neither share is known, then nothing changes', () => {
    expect(budgetFor({ in: 100, out: 100 }, left(null, null))).toBeNull();
  });

  it('when less is left, or it costs more, then it never counts for more', () => {
    const percent = fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: null });
    const dollars = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(percent, percent, dollars, dollars, fc.double({ min: 0, max: 1, noNaN: true }), (...drawn) => {
        const [five, week, input, output, share] = drawn;
        const price = { in: input, out: output };
        const effect = budgetFor(price, left(five, week));
        const less = budgetFor(price, left(five && five * share, week && week * share));
        const dearer = budgetFor({ in: input / share, out: output / share }, left(five, week));
        if (effect === null || less === null || dearer === null) return;
        expect(STAGES.indexOf(less.stage)).toBeGreaterThanOrEqual(STAGES.indexOf(effect.stage));
        for (const worse of [less, dearer]) {
          expect(worse.multiplier).toBeLessThanOrEqual(effect.multiplier);
          expect(worse.isOverCap || !effect.isOverCap).toBe(true);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('given shares that were read some time ago', () => {
  const HOUR_MS = 3_600_000;
  const then = { ...left(5, 12), at: 1_000 };

  it.each([
    [4.99, 5, 12],
    [5, null, 12],
    [167.9, null, 12],
    [168, null, null],
  ])(
    'when that is %d hours, then %j %% of 5 hours and %j %% of the week count',
    (hours, fiveHourPercent, weekPercent) => {
      expect(headroomAt(then, 1_000 + hours * HOUR_MS)).toEqual({ ...then, fiveHourPercent, weekPercent });
    },
  );
});

describe('given headroom from outside', () => {
  it.each([
    [left(0, 100), true],
    [left(null, null), true],
    [left(-1, null), false],
    [left(null, 100.5), false],
    [left(Number.NaN, null), false],
    [{ ...left(1, 1), account: '' }, false],
    [{ account: 'openai', fiveHourPercent: 3, at: 0 }, false],
  ])('when it is %j, then taking it is %j', (headroom, isTaken) => {
    expect(Headroom.safeParse(headroom).success).toBe(isTaken);
  });
});
