import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HeadroomRules, SeenWindow, Window } from '../../../src/engine';
import { type Ahead, type Asked, shortageOf, spentUntil } from '../../../src/engine/headroom/short';
import { runSeed, runs } from '../../support/runs';
import { DAY, HOUR, MINUTE, SECOND } from '../world';
import { bucketWith, hearing, kept, planAt, spends, tokensWith } from './seen';

const seed = runSeed;
const RULES: HeadroomRules = { act: 'move', moveAt: 0.97 };

const asked = (changes: Partial<Asked> = {}): Asked => ({ model: 'a/1', spend: undefined, ...changes });

/** A turn that begins at 0 with `a/1`, alone; `most: null` within a turn. */
const ahead = (changes: Partial<Ahead> = {}): Ahead => ({
  ...{ now: 0, next: asked(), others: [], rules: RULES, most: RULES.moveAt, isReserved: false },
  ...changes,
});

const shortOf = (windows: Window | readonly Window[], changes: Partial<Ahead> = {}) =>
  shortageOf('id' in windows ? [windows] : windows, ahead(changes));

const codeOf = (windows: Window | readonly Window[], changes: Partial<Ahead> = {}) =>
  shortOf(windows, changes)?.code ?? null;

/** One request of these has been seen to take so much, each time. */
const taking = (part: number) => ({ step: { sum: part * 10, count: 10, most: part } });

describe('given a plan at the beginning of a turn', () => {
  it.each([
    [0.5, null],
    [0.9699, null],
    [0.97, 'headroom.plan'],
    [1, 'headroom.plan'],
    [1.2, 'headroom.plan'],
  ])('when %f of it are spent, then the reason to move is %s', (used, expected) => {
    expect(codeOf(kept(planAt(used), taking(0.001)))).toBe(expected);
  });

  it('when it is at 97 %, then its numbers and its reset are told', () => {
    expect(shortOf(kept(planAt(0.97)))).toEqual({
      ...{ code: 'headroom.plan', window: 'unified-5h', unit: 'share', lengthMs: 5 * HOUR, used: 0.97, limit: null },
      ...{ remaining: null, needs: null, until: 2 * HOUR },
    });
  });

  it('when it is one of tokens that counts a week, then it is a plan all the same', () => {
    const week = kept(planAt(0.98, { unit: 'tokens', lengthMs: 7 * DAY, limit: 1_000_000, remaining: 20_000 }));
    expect(shortOf(week)).toMatchObject({ code: 'headroom.plan', limit: 1_000_000, remaining: 20_000, needs: null });
  });

  it('when it is only a minute’s, then it is used to its end', () => {
    expect([codeOf(kept(bucketWith(1))), codeOf(kept(bucketWith(0)))]).toEqual([null, 'headroom.requests']);
  });

  it('when nobody knows its length and it counts requests, then it is no plan', () => {
    expect(codeOf(kept(bucketWith(1, { lengthMs: null })))).toBeNull();
  });

  it('when its reset has come, then nothing is known and it is asked', () => {
    const plan = kept(planAt(1, { isRefusing: true }));
    expect([codeOf(plan, { now: 2 * HOUR - 1 }), codeOf(plan, { now: 2 * HOUR })]).toEqual(['headroom.refused', null]);
  });

  it('when it is another model’s, then it is in nobody else’s way', () => {
    const plan = kept(planAt(1, { of: { family: 'opus' } }));
    expect([codeOf(plan), codeOf(plan, { next: asked({ model: 'a/opus-4' }) })]).toEqual([null, 'headroom.plan']);
  });
});

describe('given a plan within a turn that goes on with it', () => {
  const goesOn = (used: number, step: number, changes: Partial<Ahead> = {}) =>
    codeOf(kept(planAt(used), taking(step)), { most: null, ...changes });

  it('when it is at 97 %, then the turn goes on; it moves when one more request no longer fits', () => {
    expect([0.97, 0.985, 0.989, 0.992, 1].map((used) => goesOn(used, 0.01))).toEqual([
      null,
      null,
      null,
      'headroom.plan',
      'headroom.plan',
    ]);
  });

  it('when its requests are large, then it moves the earlier', () => {
    expect([goesOn(0.97, 0.029), goesOn(0.97, 0.031)]).toEqual([null, 'headroom.plan']);
  });

  it('when nothing was ever seen of what one takes, then that is 1 %', () => {
    const at = (used: number) => codeOf(kept(planAt(used)), { most: null });
    expect([at(0.989), at(0.991)]).toEqual([null, 'headroom.plan']);
  });

  it('when others are under way, then what each takes is kept for them, seen or not: it is told at its end', () => {
    const others = (count: number, isSeen: boolean) => Array.from({ length: count }, () => asked({ isSeen }));
    for (const isSeen of [true, false]) {
      expect(
        [1, 2, 3].map((count) => goesOn(0.969, 0.01, { others: others(count, isSeen) })),
        `seen: ${isSeen}`,
      ).toEqual([null, null, 'headroom.plan']);
    }
  });

  it('when requests have ended of which no response has told, then what they took is gone', () => {
    const owed = (count: number) => Array.from({ length: count }, (_, at) => ({ at, part: null }));
    const at = (count: number) => codeOf(kept(planAt(0.969), { ...taking(0.01), owed: owed(count) }), { most: null });
    expect([at(2), at(3)]).toEqual([null, 'headroom.plan']);
    // What people are told is what the provider said.
    expect(shortOf(kept(planAt(0.969), { ...taking(0.01), owed: owed(3) }), { most: null })?.used).toBe(0.969);
  });

  it('when others are under way whose model it does not count, then they take nothing of it', () => {
    const plan = kept(planAt(0.985, { of: { family: '1' } }), taking(0.01));
    const others = (model: string) => Array.from({ length: 5 }, () => asked({ model }));
    expect([
      codeOf(plan, { most: null, others: others('a/2') }),
      codeOf(plan, { most: null, others: others('a/1') }),
    ]).toEqual([null, 'headroom.plan']);
  });
});

describe('given a part of a plan that is kept for another agent', () => {
  const kept15 = { most: 0.85, isReserved: true } as const;

  it.each([
    [0.8499, null],
    [0.85, 'headroom.reserve'],
    [0.96, 'headroom.reserve'],
    [0.97, 'headroom.plan'],
  ])('when %f of it are spent, then the reason to move is %s', (used, expected) => {
    expect(codeOf(kept(planAt(used)), kept15)).toBe(expected);
  });

  it('when the plan goes on beyond its limit for money, then the reserve is kept all the same', () => {
    const plan = kept(planAt(0.9, { isOverdrawable: true }));
    expect([codeOf(plan), codeOf(plan, kept15)]).toEqual([null, 'headroom.reserve']);
  });

  it('when it is a minute’s bucket, then nothing of it is kept', () => {
    expect(codeOf(kept(bucketWith(1)), kept15)).toBeNull();
  });
});

describe('given a bucket of requests', () => {
  it('when none is left, then it is told when one is', () => {
    expect(shortOf(kept(bucketWith(0)))).toEqual({
      ...{ code: 'headroom.requests', window: 'requests', unit: 'requests', lengthMs: MINUTE, used: 1, limit: 60 },
      ...{ remaining: 0, needs: 1, until: SECOND },
    });
  });

  it('when it begins anew all at once, then that is when', () => {
    const window = kept(bucketWith(0, { refills: 'at_reset', resetInMs: 42 * SECOND }));
    expect([0, 41 * SECOND].map((now) => shortOf(window, { now })?.until)).toEqual([42 * SECOND, 42 * SECOND]);
  });

  it('when some have come back by now, then it is asked', () => {
    const window = kept(bucketWith(0));
    expect([999, 1_001].map((now) => codeOf(window, { now }))).toEqual(['headroom.requests', null]);
  });

  it('when requests are under way that no response has told of, then they count; those it has told of do not twice', () => {
    const window = kept(bucketWith(3));
    const others = (unseen: number, seen: number) => [
      ...Array.from({ length: unseen }, () => asked()),
      ...Array.from({ length: seen }, () => asked({ isSeen: true })),
    ];
    expect([others(2, 9), others(3, 0), others(3, 9)].map((each) => codeOf(window, { others: each }))).toEqual([
      null,
      'headroom.requests',
      'headroom.requests',
    ]);
  });

  it('when three that are under way have taken what is left, then the fourth waits until one more is there', () => {
    const others = Array.from({ length: 3 }, () => asked());
    expect(shortOf(kept(bucketWith(3)), { others })).toMatchObject({ remaining: 3, needs: 1, until: SECOND });
  });
});

describe('given tokens that are weighed by the most a request may say', () => {
  const next = asked({ spend: spends(3_000, 500, 2_000) });

  it.each([
    [5_000, null],
    [4_999, 'headroom.tokens'],
  ])('when %i are left for 3,000 and 2,000 at most, then the reason to move is %s', (remaining, expected) => {
    expect(codeOf(kept(tokensWith(remaining)), { next })).toBe(expected);
  });

  it('when they do not fit, then it is told what it needs, what is left and when that has come back', () => {
    // 10,000 a minute: 2,000 are missing, which takes 12 s.
    expect(shortOf(kept(tokensWith(3_000)), { next })).toMatchObject({
      ...{ code: 'headroom.tokens', unit: 'tokens', limit: 10_000, remaining: 3_000, needs: 5_000 },
      until: expect.closeTo(12 * SECOND, 3),
    });
  });

  it('when it is the same an instant later, then the time of return is the same', () => {
    const [now, then] = [0, 4 * SECOND].map((at) => shortOf(kept(tokensWith(3_000)), { next, now: at })?.until);
    expect(then).toBeCloseTo(now ?? 0, 3);
  });

  it('when only what is sent or what is said counts, then only that has to fit', () => {
    const at = (unit: 'input_tokens' | 'output_tokens', remaining: number) =>
      codeOf(kept(tokensWith(remaining, { unit })), { next });
    expect([at('input_tokens', 3_000), at('input_tokens', 2_999)]).toEqual([null, 'headroom.tokens']);
    expect([at('output_tokens', 2_000), at('output_tokens', 1_999)]).toEqual([null, 'headroom.tokens']);
  });

  it('when one is under way, then its most is kept; not once its response has told of it', () => {
    const other = (isSeen: boolean) => [asked({ spend: spends(1_000, 10, 1_500), isSeen })];
    const at = (remaining: number, isSeen: boolean) =>
      codeOf(kept(tokensWith(remaining)), { next, others: other(isSeen) });
    expect([at(7_499, false), at(7_500, false), at(5_000, true)]).toEqual(['headroom.tokens', null, null]);
  });
});

describe('given tokens that are weighed by what was used', () => {
  const next = asked({ spend: spends(3_000, 500, 2_000, 400) });
  const at = (unit: 'tokens' | 'input_tokens' | 'output_tokens', remaining: number, changes: Partial<Ahead> = {}) =>
    codeOf(kept(tokensWith(remaining, { unit, charges: 'used' })), { next, ...changes });

  it.each([
    ['tokens', 900],
    ['input_tokens', 400],
    ['output_tokens', 500],
  ] as const)('when %s count, then what no cache holds and what is likely said has to fit: %i', (unit, needs) => {
    expect([at(unit, needs), at(unit, needs - 1)]).toEqual([null, 'headroom.tokens']);
  });

  it('when one is under way that has been answered, then what it says is still to come', () => {
    const others = [asked({ spend: spends(1_000, 300, 2_000, 100), isSeen: true })];
    expect([at('output_tokens', 800, { others }), at('output_tokens', 799, { others })]).toEqual([
      null,
      'headroom.tokens',
    ]);
    expect(at('input_tokens', 400, { others })).toBeNull();
  });
});

describe('given a request whose size is not as it seems', () => {
  it('when it is larger than the whole window, then it is asked: nobody could ever ask it, or it was reckoned wrong', () => {
    const next = (input: number) => asked({ spend: spends(input, 0) });
    expect([
      codeOf(kept(tokensWith(0)), { next: next(10_000) }),
      codeOf(kept(tokensWith(0)), { next: next(10_001) }),
    ]).toEqual(['headroom.tokens', null]);
  });

  it('when nobody knows what it takes, then only an empty window is in its way', () => {
    expect([codeOf(kept(tokensWith(1))), codeOf(kept(tokensWith(0)))]).toEqual([null, 'headroom.tokens']);
    expect(shortOf(kept(tokensWith(0)))?.needs).toBe(0);
  });

  it('when it is free, then only an empty window is in its way', () => {
    const next = asked({ spend: spends(0, 0) });
    expect([codeOf(kept(tokensWith(1)), { next }), codeOf(kept(tokensWith(0)), { next })]).toEqual([
      null,
      'headroom.tokens',
    ]);
  });

  it('when money is counted, then only an empty purse is in its way within a turn', () => {
    const purse = (remaining: number) =>
      kept(planAt(1 - remaining / 20, { unit: 'credits', limit: 20, remaining, lengthMs: null }));
    const next = asked({ spend: spends(9_000, 900) });
    expect([purse(0.1), purse(0)].map((each) => codeOf(each, { next, most: null }))).toEqual([null, 'headroom.tokens']);
  });
});

describe('given what a provider says of a window', () => {
  it('when it refuses, then it is not asked, however empty it seems, until the reset', () => {
    expect(shortOf(kept(planAt(0.2, { isRefusing: true })), { most: null })).toMatchObject({
      ...{ code: 'headroom.refused', used: 0.2, needs: null, until: 2 * HOUR },
    });
  });

  it('when it goes on beyond the limit for money, then it is asked, also where it says that it refuses', () => {
    const plans = [planAt(1, { isOverdrawable: true }), planAt(1.4, { isOverdrawable: true, isRefusing: true })];
    for (const plan of plans) for (const most of [0.97, null]) expect(codeOf(kept(plan), { most })).toBeNull();
  });

  it.each(['counted', 'entered'] as const)(
    'when it is only %s, then it moves nobody unless that is wanted',
    (source) => {
      const windows = [kept(planAt(1, { isRefusing: true }), { source }), kept(bucketWith(0), { source })];
      const trusting = { rules: { ...RULES, trustsEstimates: true } };
      for (const window of windows) {
        expect([codeOf(window), codeOf(window, { rules: { ...RULES, trustsEstimates: false } })]).toEqual([null, null]);
        expect(codeOf(window, trusting)).not.toBeNull();
      }
    },
  );
});

describe('given several windows in the way', () => {
  const minute = kept(bucketWith(0));
  const hours = kept(planAt(0.98));
  const week = kept(planAt(0.99, { id: 'unified-7d', lengthMs: 7 * DAY, resetInMs: 3 * DAY }));

  it('when they are in any order, then the one that ends last rules', () => {
    const orders = [
      [minute, hours, week],
      [week, hours, minute],
      [hours, week, minute],
    ];
    expect(orders.map((each) => shortOf(each)?.window)).toEqual(['unified-7d', 'unified-7d', 'unified-7d']);
    expect(shortOf([minute, hours])).toMatchObject({ window: 'unified-5h', until: 2 * HOUR });
  });

  it('when one of them does not say when it ends, then one that does rules', () => {
    const never = kept(planAt(1, { id: 'never', resetInMs: null }));
    expect([[never, minute], [minute, never], [never]].map((each) => shortOf(each)?.window)).toEqual([
      'requests',
      'requests',
      'never',
    ]);
  });

  it('when the fuller one ends first, then the one that ends last rules all the same', () => {
    expect(shortOf([kept(planAt(1)), { ...week, used: 0.97 }])?.window).toBe('unified-7d');
  });
});

describe('given a bucket that fills up evenly', () => {
  it.each([
    [60, 0, 1 * SECOND],
    [60, 0.5, 0.5 * SECOND],
    [120, 0, 0.5 * SECOND],
    [1, 0, 60 * SECOND],
  ])('when it holds %i and %f are left, then one more is there in %i ms', (limit, remaining, until) => {
    expect(shortOf(kept(bucketWith(remaining, { limit })))?.until).toBeCloseTo(until, 6);
  });

  it('when more is under way than it holds, then it is back at its reset at the latest', () => {
    const others = Array.from({ length: 200 }, () => asked());
    expect(shortOf(kept(bucketWith(0)), { others })?.until).toBe(MINUTE);
  });

  it(`when ${runs(2_000)} requests wait as long as they are told, to the next ms, then they fit (seed ${seed})`, () => {
    const any = fc.record({
      limit: fc.integer({ min: 1, max: 1_000_000 }),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      needs: fc.double({ min: 0, max: 1, noNaN: true }),
      lateMs: fc.nat(59_000),
    });
    fc.assert(
      fc.property(any, ({ limit, part, needs, lateMs }) => {
        const window = kept(tokensWith(Math.floor(limit * part), { limit }));
        const next = asked({ spend: spends(Math.ceil(limit * needs), 0) });
        const short = shortOf(window, { next, now: lateMs });
        if (!short) return;
        expect(short.until).toBeGreaterThan(lateMs);
        expect(shortOf(window, { next, now: Math.floor(short.until ?? 0) + 1 })).toBeNull();
        // And no sooner than it has to be.
        const early = (short.until ?? 0) - 1;
        if (early > lateMs) expect(shortOf(window, { next, now: early - 1 })).not.toBeNull();
      }),
      { seed, numRuns: runs(2_000) },
    );
  });
});

describe('given a limit that has been hit and names no time', () => {
  const until = (windows: readonly Window[], now = 0, isQuota = false) =>
    spentUntil(windows, { model: 'a/1', now, isQuota });

  it('when windows are spent, refused or empty, then the last of their resets is when', () => {
    const minute = bucketWith(0, { refills: 'at_reset' });
    const windows = [kept(minute), kept(planAt(1)), kept(planAt(0.3, { id: 'x', resetInMs: 9 * HOUR }))];
    expect(until(windows)).toBe(2 * HOUR);
    expect(until([...windows, kept(planAt(0.3, { id: 'y', resetInMs: 3 * HOUR, isRefusing: true }))])).toBe(3 * HOUR);
    // A minute’s limit says nothing of a spent quota.
    expect([until([kept(minute)]), until([kept(minute)], 0, true)]).toEqual([MINUTE, null]);
  });

  it.each([
    ['nearly spent', kept(planAt(0.999))],
    ['one that refills all the time', kept(bucketWith(0))],
    ['only shown', kept(planAt(1, { isShownOnly: true }))],
    ['overdrawn for money', kept(planAt(1, { isOverdrawable: true, isRefusing: true }))],
    ['another model’s', kept(planAt(1), { model: 'a/2' })],
    ['without a reset', kept(planAt(1, { resetInMs: null }))],
  ])('when the only window is %s, then nobody knows', (_, window) => {
    expect(until([window])).toBeNull();
  });

  it('when its reset has come, then nobody knows', () => {
    expect([until([kept(planAt(1))], 2 * HOUR - 1), until([kept(planAt(1))], 2 * HOUR)]).toEqual([2 * HOUR, null]);
  });
});

describe(`given any windows and any request (seed ${seed})`, () => {
  const anySeen: fc.Arbitrary<SeenWindow> = fc.record({
    id: fc.constantFrom('p', 'q', 'r'),
    unit: fc.constantFrom('requests', 'tokens', 'input_tokens', 'output_tokens', 'share', 'credits'),
    lengthMs: fc.constantFrom(null, MINUTE, 5 * HOUR, 7 * DAY),
    of: fc.constantFrom<SeenWindow['of']>('account', 'model', { family: '1' }, { family: 'x' }),
    used: fc.double({ min: 0, max: 1.3, noNaN: true }),
    limit: fc.constantFrom(null, 1, 60, 100_000),
    remaining: fc.constantFrom(null, 0, 1, 30),
    resetInMs: fc.constantFrom(null, 0, SECOND, MINUTE, DAY),
    refills: fc.constantFrom('at_reset', 'evenly'),
    charges: fc.constantFrom('maximum', 'used'),
  });

  it(`when ${runs(3_000)} are weighed, then a time of return is never past, and what is told is a number or nothing`, () => {
    const any = fc.tuple(fc.array(anySeen, { maxLength: 4 }), fc.nat(DAY), fc.nat(5), fc.nat(200_000));
    fc.assert(
      fc.property(any, ([seen, now, count, input]) => {
        const others = Array.from({ length: count }, () => asked({ spend: spends(input, 10) }));
        const short = shortOf(hearing([], seen), { now, others, next: asked({ spend: spends(input, 100) }) });
        if (!short) return;
        const { until, used, needs } = short;
        if (until !== null) expect(until).toBeGreaterThan(now);
        for (const each of [used, needs ?? 0, until ?? 0]) expect(Number.isFinite(each)).toBe(true);
      }),
      { seed, numRuns: runs(3_000) },
    );
  });

  it(`when ${runs(2_000)} are weighed with one more under way, then what was short still is`, () => {
    const any = fc.tuple(fc.array(anySeen, { maxLength: 4 }), fc.nat(MINUTE), fc.nat(5), fc.nat(200_000));
    fc.assert(
      fc.property(any, ([seen, now, count, input]) => {
        const windows = hearing([], seen);
        const next = asked({ spend: spends(input, 100) });
        const others = Array.from({ length: count }, () => asked({ spend: spends(input, 10) }));
        if (!shortOf(windows, { now, others, next })) return;
        expect(shortOf(windows, { now, others: [...others, asked()], next })).not.toBeNull();
      }),
      { seed, numRuns: runs(2_000) },
    );
  });
});
