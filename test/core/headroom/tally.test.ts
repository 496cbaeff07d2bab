import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zoneOffset } from '../../../src/core/base/zone-offset';
import type { LedgerLine, SpentLine } from '../../../src/core/budget/spent';
import { begunLines } from '../../../src/core/headroom/counted';
import { enteredIn, type Limit } from '../../../src/core/headroom/entered';
import { createTally } from '../../../src/core/headroom/tally';

const BERLIN = zoneOffset('Europe/Berlin');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Friday, 15:00 in Berlin. */
const NOW = Date.UTC(2026, 10, 27, 14);

type Entry = Readonly<{
  requests?: number;
  tokens?: number;
  hours?: number;
  per?: 'day' | 'week' | 'month';
  resets?: 'monday' | 'wednesday' | number;
}>;
const limitsOf = (...entries: Entry[]): readonly Limit[] => enteredIn({ headroom: { limits: { kimi: entries } } });
const FIVE_HOURS = limitsOf({ requests: 600, hours: 5 });

const used = (at: number, over: Partial<SpentLine> = {}): SpentLine => ({
  ...{ at, for: 'turn', provider: 'kimi', agent: 'build', directory: '/p', session: 's', tokens: 1_000, cost: null },
  ...over,
});
const began = (at: number, over: { at?: number; hours?: number } = {}): LedgerLine => ({
  ...{ at, account: 'kimi', hours: 5, began: at },
  ...over,
});

function counted(limits: readonly Limit[], lines: readonly LedgerLine[], now = NOW) {
  const tally = createTally();
  for (const line of lines) tally.add(line);
  return tally.count(limits, now, BERLIN);
}
/** How much is used, since when and until when, in minutes from now. */
const brief = (...args: Parameters<typeof counted>) =>
  counted(...args).map(({ used: much, beganAt, endsAt }) => [
    much,
    ...[beganAt, endsAt].map((at) => (at === null ? null : (at - (args[2] ?? NOW)) / MINUTE)),
  ]);

describe('given a limit of five hours', () => {
  it('when nothing was used, or all of it is over, then none is running', () => {
    expect(brief(FIVE_HOURS, [])).toEqual([[0, null, null]]);
    expect(brief(FIVE_HOURS, [used(NOW - 6 * HOUR), used(NOW - 5 * HOUR - 1)])).toEqual([[0, null, null]]);
  });

  it('when requests go on all day, then each window begins with the first one after the last one’s end', () => {
    // 08:00, 12:59, 13:10, 14:00: the second window began at 13:10.
    const lines = [-420, -121, -110, -60].map((minute) => used(NOW + minute * MINUTE));
    expect(brief(FIVE_HOURS, lines)).toEqual([[2, -110, 190]]);
  });

  it('when one comes the moment it ends, then that begins the next', () => {
    expect(brief(FIVE_HOURS, [used(NOW - 5 * HOUR), used(NOW)])).toEqual([[1, 0, 300]]);
  });

  it('when the ledger says where one began, then what was before it is of another, whatever that would make of it', () => {
    const lines = [used(NOW - 10 * HOUR), used(NOW - 4.5 * HOUR), used(NOW - 3 * HOUR), used(NOW - HOUR)];
    // By the lines alone the second would have begun at -4.5 h.
    expect(brief(FIVE_HOURS, lines)).toEqual([[3, -270, 30]]);
    expect(brief(FIVE_HOURS, [...lines, began(NOW - 3 * HOUR)])).toEqual([[2, -180, 120]]);
  });

  it('when two processes have found out its beginning apart, then the earlier one holds', () => {
    const lines = [used(NOW - HOUR), used(NOW - HOUR + 3)];
    expect(brief(FIVE_HOURS, [...lines, began(NOW - HOUR + 3), began(NOW - HOUR)])).toEqual([[2, -60, 240]]);
  });

  it('when the clock was put back, then what seems to come is used all the same, and the next request goes on from there', () => {
    const lines = [used(NOW + HOUR), used(NOW + 1.5 * HOUR), began(NOW + HOUR)];
    expect(brief(FIVE_HOURS, lines)).toEqual([[2, 60, 360]]);
    expect(brief(FIVE_HOURS, [...lines, used(NOW)])).toEqual([[3, 0, 300]]);
    // Of a clock that was days ahead nothing is believed.
    expect(brief(FIVE_HOURS, [used(NOW + 40 * DAY)])).toEqual([[0, null, null]]);
  });

  it('when the clock was put back within a window, then what it makes future of the next one counts as well', () => {
    const lines = [used(NOW - HOUR), began(NOW - HOUR), used(NOW + 4.5 * HOUR)];
    expect(brief(FIVE_HOURS, lines)).toEqual([[2, -60, 240]]);
  });

  it('when whoever counts has read less of the past, then it comes to the same by what the ledger says', () => {
    const limits = limitsOf({ requests: 9, hours: 168 });
    // A request every three hours for a month: no pause tells where a week began.
    const lines: LedgerLine[] = [];
    const all = createTally();
    const first = NOW - 30 * DAY;
    for (let at = first; at <= NOW; at += 3 * HOUR) {
      const line = used(at);
      lines.push(line);
      all.add(line);
      for (const begin of begunLines(all.count(limits, at, BERLIN), at)) {
        lines.push(begin);
        all.add(begin);
      }
    }
    expect(lines.filter((line) => 'began' in line)).toHaveLength(5);
    const [known] = all.count(limits, NOW, BERLIN);
    expect(known).toMatchObject({ beganAt: first + 28 * DAY, isNoted: true, used: 17 });
    const since = all.since(limits, NOW, BERLIN);
    expect(since).toBe(NOW - 21 * DAY);
    expect(
      counted(
        limits,
        lines.filter(({ at }) => at >= since),
      ),
    ).toEqual([known]);
  });
});

describe('given limits of the calendar', () => {
  it.each([
    [
      'a day',
      { requests: 9, per: 'day' },
      [NOW - 15 * HOUR, NOW],
      [NOW - 15 * HOUR - 1, NOW + 33 * HOUR],
      9 * HOUR,
      DAY,
    ],
    ['a week', { requests: 9, per: 'week' }, [NOW - 111 * HOUR], [NOW - 111 * HOUR - 1], 57 * HOUR, 7 * DAY],
    [
      'a week from Wednesday on',
      { requests: 9, per: 'week', resets: 'wednesday' },
      [NOW - 63 * HOUR],
      [NOW - 63 * HOUR - 1],
      105 * HOUR,
      7 * DAY,
    ],
    [
      'a month',
      { requests: 9, per: 'month' },
      [Date.UTC(2026, 9, 31, 23)],
      [Date.UTC(2026, 9, 31, 23) - 1],
      81 * HOUR,
      30 * DAY,
    ],
    [
      'a month from the 28th on',
      { requests: 9, per: 'month', resets: 28 },
      [Date.UTC(2026, 9, 27, 23)],
      [Date.UTC(2026, 9, 27, 23) - 1],
      9 * HOUR,
      31 * DAY,
    ],
  ] as const)(
    'when it is %s, then what lies in it counts, and nothing before',
    (_case, entry, inside, outside, leftMs, lengthMs) => {
      const lines = [...inside, ...outside].map((at) => used(at));
      expect(counted(limitsOf(entry), lines)).toMatchObject([
        { used: inside.length, endsAt: NOW + leftMs, lengthMs, isNoted: true },
      ]);
    },
  );

  it('when the day has 25 hours, or 23, then it is a day all the same, to its midnight', () => {
    const day = limitsOf({ requests: 9, per: 'day' });
    const [autumn, spring] = [Date.UTC(2026, 9, 25, 12), Date.UTC(2026, 2, 29, 12)];
    const first = (at: number) => [used(at), used(at - 1)];
    expect(counted(day, first(Date.UTC(2026, 9, 24, 22)), autumn)).toMatchObject([
      { used: 1, lengthMs: DAY, endsAt: Date.UTC(2026, 9, 25, 23) },
    ]);
    expect(counted(day, first(Date.UTC(2026, 2, 28, 23)), spring)).toMatchObject([
      { used: 1, lengthMs: DAY, endsAt: Date.UTC(2026, 2, 29, 22) },
    ]);
  });

  it('when it counts tokens, then it has the sum of them; when requests, then each step is one, whoever made it', () => {
    const lines = [
      used(NOW, { tokens: 400 }),
      used(NOW, { for: 'internal', tokens: 30 }),
      used(NOW, { for: 'ranking', tokens: 0 }),
    ];
    expect(counted(limitsOf({ tokens: 9, per: 'day' }, { requests: 9, per: 'day' }), lines)).toMatchObject([
      { unit: 'tokens', used: 430 },
      { unit: 'requests', used: 3 },
    ]);
  });

  it('when another time has come, then it is counted anew: nothing has to be told of midnight', () => {
    const tally = createTally();
    tally.add(used(NOW));
    const day = limitsOf({ requests: 9, per: 'day' });
    const usedAt = (at: number) => tally.count(day, at, BERLIN).map((row) => [row.used, row.endsAt]);
    const midnight = NOW + 9 * HOUR;
    expect([usedAt(NOW), usedAt(midnight - 1), usedAt(midnight)]).toEqual([
      [[1, midnight]],
      [[1, midnight]],
      [[0, midnight + DAY]],
    ]);
  });
});

describe('given several accounts of a provider', () => {
  const LINES = [
    ...[used(NOW), used(NOW, { account: 'kimi@work' }), used(NOW, { account: 'kimi@work' })],
    ...[used(NOW, { account: 'kimi@0123456789ab' }), used(NOW, { provider: 'other' })],
  ];
  const rows = (limits: readonly Limit[]) =>
    counted(limits, LINES).map(({ account, amount, used: much }) => [account, amount, much]);

  it('when a limit is the provider’s, then each has it for itself; one that has used nothing is not told of', () => {
    expect(rows(limitsOf({ requests: 9, per: 'day' }))).toEqual([
      ['kimi', 9, 1],
      ['kimi@work', 9, 2],
      ['kimi@0123456789ab', 9, 1],
    ]);
  });

  it('when one of them has limits of its own, then those hold for it', () => {
    const limits = {
      kimi: [{ requests: 9, per: 'day' as const }],
      'kimi@work': [{ requests: 5, per: 'day' as const }],
    };
    expect(rows(enteredIn({ headroom: { limits } }))).toEqual([
      ['kimi', 9, 1],
      ['kimi@0123456789ab', 9, 1],
      ['kimi@work', 5, 2],
    ]);
  });
});

describe('given any days of requests, also by clocks that are set', () => {
  /** Minutes that go by, and by how many the clock is set then. */
  const moves = fc.array(
    fc.record({
      byMinutes: fc.oneof(fc.nat(90), fc.nat(900)),
      setMinutes: fc.oneof(
        { weight: 8, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: -240, max: 0 }) },
      ),
      tokens: fc.nat(5_000),
    }),
    { minLength: 1, maxLength: 60 },
  );
  const limits = limitsOf(
    { requests: 9, hours: 5 },
    { tokens: 9, hours: 30 },
    { requests: 9, per: 'day' },
    { tokens: 9, per: 'week', resets: 'wednesday' },
    { tokens: 9, per: 'month', resets: 28 },
  );

  it('when each is counted as it comes, then no window ever has less than before, and it has the sum of what lies in it', () => {
    fc.assert(
      fc.property(moves, (all) => {
        const tally = createTally();
        const lines: SpentLine[] = [];
        const before = new Map<string, number>();
        let now = NOW;
        for (const { byMinutes, setMinutes, tokens } of all) {
          now += (byMinutes + setMinutes) * MINUTE;
          lines.push(used(now, { tokens }));
          tally.add(used(now, { tokens }));
          for (const row of tally.count(limits, now, BERLIN)) {
            for (const line of begunLines([row], now)) tally.add(line);
            const { id, unit, beganAt, endsAt, lengthMs } = row;
            expect(beganAt === null || endsAt === null).toBe(false);
            if (beganAt === null || endsAt === null) continue;
            // What a clock that was put back has made future is used as well.
            const until = endsAt + ('hours' in row.over ? lengthMs : endsAt - beganAt);
            const within = lines.filter(({ at }) => at >= beganAt && at < until);
            const sum = unit === 'requests' ? within.length : within.reduce((total, line) => total + line.tokens, 0);
            expect([id, row.used]).toEqual([id, sum]);
            expect(row.used).toBeGreaterThanOrEqual(before.get(`${id} ${beganAt}`) ?? 0);
            before.set(`${id} ${beganAt}`, row.used);
          }
        }
      }),
    );
  });

  it('when lines come in any order, then it comes to the same', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: -3_000, max: 0 }), fc.nat(99)), { maxLength: 40 }), (all) => {
        const lines = all.map(([minute, tokens]) => used(NOW + minute * MINUTE, { tokens }));
        expect(counted(limits, lines)).toEqual(counted(limits, lines.toReversed()));
      }),
    );
  });
});
