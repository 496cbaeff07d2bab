import { weekdayOf } from '../usage-report/calendar';

/** Offset of the user's clock from UTC in ms, at a Unix time in ms. */
export type OffsetAt = (at: number) => number;

/** Unix ms; `name` is its first day. */
export type Stretch = Readonly<{ name: string; beginsAt: number; endsAt: number }>;

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

export type Period = 'day' | 'week' | 'month';

/**
 * Days have 23 or 25 hours at clock changes. @param begins first day of a week (0 for Monday to 6) or month (1 to 28).
 */
export function stretchAt(period: Period, at: number, offsetAt: OffsetAt, begins?: number): Stretch {
  const today = Math.floor((at + offsetAt(at)) / DAY_MS);
  const [first, next] = daysOf(period, today, begins);
  return {
    name: new Date(first * DAY_MS).toISOString().slice(0, 10),
    beginsAt: midnight(first, offsetAt),
    endsAt: midnight(next, offsetAt),
  };
}

/** In days since 1970. */
function daysOf(period: Period, today: number, begins: number | undefined): readonly [first: number, next: number] {
  if (period === 'day') return [today, today + 1];
  if (period === 'week') {
    const first = today - ((weekdayOf(today) - (begins ?? 0) + WEEK_DAYS) % WEEK_DAYS);
    return [first, first + WEEK_DAYS];
  }
  const date = new Date(today * DAY_MS);
  const day = begins ?? 1;
  const month = date.getUTCMonth() - (date.getUTCDate() < day ? 1 : 0);
  const dayIn = (each: number): number => Date.UTC(date.getUTCFullYear(), each, day) / DAY_MS;
  return [dayIn(month), dayIn(month + 1)];
}

/** Uses the offset at the result, which the first guess approximates. */
function midnight(day: number, offsetAt: OffsetAt): number {
  const guess = day * DAY_MS - offsetAt(day * DAY_MS);
  const begin = day * DAY_MS - offsetAt(guess);
  // If clocks go forward at midnight the day begins later, and `begin` is in the previous day.
  return Math.floor((begin + offsetAt(begin)) / DAY_MS) < day ? Math.max(guess, begin) : begin;
}
