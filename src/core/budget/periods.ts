import { weekdayOf } from '../usage-report/calendar';

/** How far somebody's clocks are ahead of UTC, in ms, at a moment in Unix ms. */
export type OffsetAt = (at: number) => number;

/** A stretch of somebody's calendar, Unix ms; `name` is that of its first day. */
export type Stretch = Readonly<{ name: string; beginsAt: number; endsAt: number }>;

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

export type Period = 'day' | 'week' | 'month';

/**
 * The day, the week or the month that a moment lies in. Days are as long as clocks that are set make them.
 *
 * @param begins with which day a week (0 for Monday to 6) or a month (1 to 28) begins: Monday and the first where nobody says.
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

/** The first day of the stretch that a day lies in, and that of the next one; days since 1970. */
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

/** When a local day begins; the offset is that of the moment itself, which a first guess comes near enough to. */
function midnight(day: number, offsetAt: OffsetAt): number {
  const guess = day * DAY_MS - offsetAt(day * DAY_MS);
  const begin = day * DAY_MS - offsetAt(guess);
  // Where clocks are put forward at midnight the day begins later, and what was reckoned lies in the day before.
  return Math.floor((begin + offsetAt(begin)) / DAY_MS) < day ? Math.max(guess, begin) : begin;
}
