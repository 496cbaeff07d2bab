import type { AccountRow, WindowRow } from '../../src/contract';

const HOUR = 3_600_000;

/** A plan's five hours, 72 % spent, as a provider tells of it: full in an hour, and back an hour later. */
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

/** Two plans and a key, as providers tell of them at `now`. */
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
