import type { AccountRow, WindowRow } from '../../src/contract/headroom';
import type { LimitCourse } from '../../src/contract/limit-course';

const HOUR = 3_600_000;

export const windowRow = (now: number, change: Partial<WindowRow> = {}): WindowRow => ({
  ...{ id: 'unified-5h', unit: 'share', lengthMs: 5 * HOUR, model: null, family: null, used: 0.72 },
  ...{ limit: null, remaining: null, resetAt: now + 2 * HOUR, seenAt: now - 4_000, source: 'provider' },
  ...{ isRuling: true, isRefusing: false, isOverdrawable: false, isPlan: true },
  forecast: {
    ...{ perHour: 0.28, spread: 0.05, usedAtReset: 1 },
    ...{ fullAt: now + HOUR, soonestAt: now + 0.85 * HOUR, latestAt: now + 1.2 * HOUR },
  },
  ...change,
});

export const sampleHeadroom = (now: number): AccountRow[] => [
  {
    ...{ account: 'anthropic', provider: 'anthropic', label: null, isApart: false },
    windows: [
      windowRow(now),
      windowRow(now, {
        ...{
          id: 'unified-7d',
          lengthMs: 168 * HOUR,
          used: 0.41,
          resetAt: now + 60 * HOUR,
          isRuling: false,
          forecast: null,
        },
      }),
    ],
  },
  {
    ...{ account: 'openai@work', provider: 'openai', label: 'work', isApart: false },
    windows: [
      windowRow(now, {
        ...{ id: 'tokens', unit: 'tokens', lengthMs: 60_000, model: 'openai/gpt-5', used: 0.18, limit: 2_000_000 },
        ...{ remaining: 1_640_000, resetAt: now + 11_000, isRuling: false, isPlan: false, forecast: null },
      }),
      windowRow(now, {
        ...{ id: 'codex-secondary', lengthMs: 168 * HOUR, used: null, resetAt: null, isRuling: false, forecast: null },
        seenAt: now - 90 * HOUR,
      }),
    ],
  },
];

const COURSE_POINTS = 96;

/** Usage of a five-hour plan by agent, which ends `leftMs` after `now`; `back` selects an earlier window. */
export function sampleCourse(now: number, back = 0, leftMs = 2 * HOUR): LimitCourse {
  const endsAt = now + leftMs - back * 5 * HOUR;
  const beginsAt = endsAt - 5 * HOUR;
  const each = (5 * HOUR) / COURSE_POINTS;
  const times = Array.from({ length: COURSE_POINTS }, (_, nth) => beginsAt + (nth + 1) * each);
  const until = Math.min(now, endsAt);
  const full = back === 0 ? 0.72 : 0.9;
  const past = [...times.filter((at) => at < until), until];
  const levelOf = (nth: number): number => Math.floor(100 * full * ((nth + 1) / past.length) ** 1.4) / 100;
  return {
    ...{ back, hasEarlier: back < 2, beginsAt, endsAt },
    points: past.map((at, nth) => ({ at, used: nth < 4 ? null : levelOf(nth) })),
    shares: {
      ...{ gained: full, elsewhere: 0.04 },
      agents: [
        { agent: 'build', part: full - 0.41 },
        { agent: 'oracle', part: 0.19 },
        { agent: 'plan', part: 0.12 },
        { agent: 'explore', part: 0.06 },
      ],
      sessions: [
        {
          session: 'ses_1',
          part: full - 0.24,
          title: 'Checkout does not add up',
          project: 'shop',
          since: now - 3 * HOUR,
        },
        { session: 'ses_2', part: 0.15, title: null, project: 'storefront-api', since: now - 4 * HOUR },
      ],
    },
  };
}
