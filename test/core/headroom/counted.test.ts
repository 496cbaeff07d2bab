import { describe, expect, it } from 'vitest';
import { countedAccounts, countedEvent, isKnown } from '../../../src/core/headroom/counted';
import { accountRows } from '../../../src/core/headroom/rows';
import type { CountedLimit } from '../../../src/core/headroom/tally';
import type { EngineState } from '../../../src/engine';
import { initialState, step } from '../../../src/engine';
import { CompanionEvent } from '../../../src/protocol';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 27, 14);

const limit = (over: Partial<CountedLimit> = {}): CountedLimit => ({
  ...{ id: 'counted-requests-600-5h', of: 'kimi', account: 'kimi', unit: 'requests', amount: 600, over: { hours: 5 } },
  ...{ used: 150, lengthMs: 5 * HOUR, beganAt: NOW - 2 * HOUR, endsAt: NOW + 3 * HOUR, isNoted: true },
  ...over,
});
const tell = (limits: readonly CountedLimit[], state: EngineState = initialState, at = 0, now = NOW): EngineState =>
  step(state, { type: 'headroom.counted', accounts: countedAccounts(limits, now) }, at, 0.5).state;

describe('given what the engine is told of limits that are counted', () => {
  it('when one is running, then its part, its rest and its end are told; when none is, then it is empty and has no end', () => {
    expect(countedAccounts([limit(), limit({ id: 'x', used: 0, beganAt: null, endsAt: null })], NOW)).toEqual([
      [
        'kimi',
        [
          {
            ...{ id: 'counted-requests-600-5h', unit: 'requests', lengthMs: 5 * HOUR, of: 'account', limit: 600 },
            ...{ used: 0.25, remaining: 450, resetInMs: 3 * HOUR, refills: 'at_reset', charges: 'used' },
          },
          expect.objectContaining({ id: 'x', used: 0, remaining: 600, resetInMs: null }),
        ],
      ],
    ]);
  });

  it('when it is used many times over, or there are many accounts, then what is told still fits on the wire', () => {
    const many = Array.from({ length: 400 }, (_, at) => limit({ account: `kimi@${at}`, used: 1e9 }));
    const event = countedEvent(countedAccounts(many, NOW));
    expect(CompanionEvent.safeParse(event).success).toBe(true);
    expect(event.accounts).toHaveLength(100);
    expect(event.accounts[0]?.[1][0]).toMatchObject({ used: 10, remaining: 0 });
  });

  const known = (next: readonly CountedLimit[], at = 0, now = NOW) =>
    isKnown(tell([limit()]), countedAccounts(next, now), at);
  it.each([
    ['nothing has changed', known([limit()]), true],
    ['an hour has gone by on both clocks', known([limit()], HOUR, NOW + HOUR), true],
    ['the wall clock was set meanwhile', known([limit()], 0, NOW + HOUR), false],
    ['one request more is counted', known([limit({ used: 151 })]), false],
    ['it is a ten-thousandth of the limit more', known([limit({ used: 150.06 })]), true],
    [
      'it was used up by so much',
      isKnown(tell([limit({ used: 599.9 })]), countedAccounts([limit({ used: 600 })], NOW), 0),
      false,
    ],
    ['another limit is entered as well', known([limit(), limit({ id: 'x' })]), false],
    ['it is another amount', known([limit({ id: 'counted-requests-1200-5h', amount: 1_200, used: 300 })]), false],
    ['another account is counted as well', known([limit(), limit({ account: 'kimi@work' })]), false],
    ['it is entered no more', known([]), false],
    [
      'its end has come, and none is running',
      known([limit({ used: 0, beganAt: null, endsAt: null })], 3 * HOUR, NOW + 3 * HOUR),
      true,
    ],
    [
      'its end has come, and the next one runs',
      known([limit({ used: 1, endsAt: NOW + 8 * HOUR })], 3 * HOUR, NOW + 3 * HOUR),
      false,
    ],
    ['nothing is entered, and nothing was', isKnown(initialState, [], 0), true],
  ])('when %s, then it is known or is told', (_case, isOld, expected) => {
    expect(isOld).toBe(expected);
  });
});

describe('given limits that are counted, as people are shown them', () => {
  const rowsAt = (state: EngineState, now: number) => accountRows({ state, now, wallOf: (at) => NOW + at });

  it('when its provider has said nothing, then its account has a row, marked as counted', () => {
    expect(rowsAt(tell([limit()]), 0)).toMatchObject([
      {
        ...{ account: 'kimi', provider: 'kimi', label: null, isApart: false },
        windows: [
          {
            source: 'counted',
            used: 0.25,
            limit: 600,
            remaining: 450,
            resetAt: NOW + 3 * HOUR,
            isPlan: true,
            isRefusing: false,
          },
        ],
      },
    ]);
  });

  it('when its provider says something of other limits, then both stand there, each with who says so', () => {
    const seen = step(
      tell([limit()]),
      {
        ...{ type: 'headroom.seen', attempt: null, directory: '/p', model: 'kimi/k2' },
        windows: [
          {
            ...{
              id: 'week',
              unit: 'share',
              lengthMs: 168 * HOUR,
              of: 'account',
              used: 0.4,
              limit: null,
              remaining: null,
            },
            ...{ resetInMs: 100 * HOUR, refills: 'at_reset', charges: 'used' },
          },
        ],
      },
      0,
      0.5,
    ).state;
    const rows = rowsAt(seen, 0);
    expect(rows.map(({ windows }) => windows.map(({ id, source }) => [id, source]))).toEqual([
      [
        ['counted-requests-600-5h', 'counted'],
        ['week', 'provider'],
      ],
    ]);
  });

  it('when its end has come, then it is empty, and nobody knows when it ends', () => {
    expect(rowsAt(tell([limit()]), 3 * HOUR)[0]?.windows).toMatchObject([
      { used: 0, remaining: 600, resetAt: null, forecast: null },
    ]);
  });
});
