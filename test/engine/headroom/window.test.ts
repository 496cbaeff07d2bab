import { describe, expect, it } from 'vitest';
import { counts, isPast, isPlan, levelAt } from '../../../src/engine/headroom/window';
import { DAY, HOUR, MINUTE, SECOND } from '../world';
import { bucketWith, kept, planAt } from './seen';

describe('given a plan of which nothing comes back before its reset in 2 h', () => {
  const plan = kept(planAt(0.4));

  it('when time goes by, then it is as full as it was said to be until the reset', () => {
    const at = [0, HOUR, 2 * HOUR - 1].map((now) => levelAt(plan, now));
    expect(at).toEqual(Array.from({ length: 3 }, () => ({ used: 0.4, remaining: null })));
  });

  it('when its reset has come, then nobody knows: it is never taken for empty', () => {
    expect([2 * HOUR, 2 * HOUR + 1, 9 * DAY].map((now) => levelAt(plan, now))).toEqual([null, null, null]);
  });

  it('when its limit and what is left are known, then they stand as well', () => {
    const credits = kept(planAt(0.25, { unit: 'credits', limit: 400, remaining: 300 }));
    expect(levelAt(credits, HOUR)).toEqual({ used: 0.25, remaining: 300 });
  });
});

describe('given a bucket of 60 with 20 left that is full again in 40 s', () => {
  const bucket = kept(bucketWith(20));

  it.each([
    [0, 40 / 60, 20],
    [10 * SECOND, 30 / 60, 30],
    [20 * SECOND, 20 / 60, 40],
    [39 * SECOND, 1 / 60, 59],
  ])('when %i ms have gone by, then %f of it is spent and %i are left', (now, used, remaining) => {
    const level = levelAt(bucket, now);
    expect(level?.used).toBeCloseTo(used, 9);
    expect(level?.remaining).toBeCloseTo(remaining, 9);
  });

  it('when it is full, then nobody knows any more', () => {
    expect([levelAt(bucket, 40 * SECOND - 1) === null, levelAt(bucket, 40 * SECOND)]).toEqual([false, null]);
  });

  it('when only its share is known, then what is left is nobody’s guess', () => {
    const level = levelAt(kept(bucketWith(20, { limit: null, remaining: null, used: 0.5 })), 20 * SECOND);
    expect([level?.used, level?.remaining]).toEqual([expect.closeTo(0.5 * (1 - 20 / 40), 9), null]);
  });

  it('when a clock is set back, then it is no fuller than it was said to be', () => {
    expect(levelAt(bucket, -MINUTE)).toEqual({ used: bucket.used, remaining: 20 });
  });
});

describe('given a window whose reset nobody says', () => {
  it.each([
    ['a length of 3 h', 3 * HOUR, HOUR],
    ['a length of 1 min', MINUTE, MINUTE],
    ['no length', null, 5 * MINUTE],
  ])('when it has %s, then it is believed for so long and no longer', (_, lengthMs, forMs) => {
    const window = kept(planAt(0.7, { resetInMs: null, lengthMs }));
    expect([isPast(window, forMs - 1), isPast(window, forMs)]).toEqual([false, true]);
    expect([levelAt(window, forMs - 1), levelAt(window, forMs)]).toEqual([{ used: 0.7, remaining: null }, null]);
  });

  it('when it fills up evenly, then it is told as it was: nobody knows how fast', () => {
    expect(levelAt(kept(bucketWith(20, { resetInMs: null })), 30 * SECOND)).toEqual({
      used: 1 - 20 / 60,
      remaining: 20,
    });
  });
});

describe('given windows of several lengths', () => {
  it.each([
    ['share', MINUTE, false],
    ['requests', HOUR - 1, false],
    ['requests', HOUR, true],
    ['tokens', DAY, true],
    ['share', 5 * HOUR, true],
    ['share', null, true],
    ['credits', null, true],
    ['requests', null, false],
    ['input_tokens', null, false],
  ] as const)('when one of %s is %s ms long, then that it is a plan is %s', (unit, lengthMs, expected) => {
    expect(isPlan({ unit, lengthMs })).toBe(expected);
  });
});

describe('given windows of an account, of one model and of a family', () => {
  const [account, model, family] = [
    kept(planAt(0)),
    kept(planAt(0, { of: 'model' })),
    kept(planAt(0, { of: { family: 'Opus' } })),
  ];

  it('when any model is asked, then the account’s counts it', () => {
    expect(['a/1', 'a/opus-4'].map((each) => counts(account, each))).toEqual([true, true]);
  });

  it('when a model is asked, then only its own counts it', () => {
    expect(['a/1', 'a/11', 'b/1'].map((each) => counts(model, each))).toEqual([true, false, false]);
  });

  it('when a model’s name holds that of a family, however it is written, then that counts it; a provider’s name does not', () => {
    const models = ['a/claude-opus-4', 'a/Claude-OPUS', 'a/sonnet', 'opus/sonnet'];
    expect(models.map((each) => counts(family, each))).toEqual([true, true, false, false]);
  });
});
