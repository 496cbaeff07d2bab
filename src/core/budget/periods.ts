import { weekdayOf } from '../usage-report/calendar';

/** How far somebody's clocks are ahead of UTC, in ms, at a moment in Unix ms. */
export type OffsetAt = (at: number) => number;

/** A stretch of somebody's calendar, Unix ms; `name` is that of its first day. */
export type Stretch = Readonly<{ name: string; beginsAt: number; endsAt: number }>;

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** The day or the week that a moment lies in; weeks begin on Monday. Days are as long as clocks that are set make them. */
export function stretchAt(period: 'day' | 'week', at: number, offsetAt: OffsetAt): Stretch {
  const today = Math.floor((at + offsetAt(at)) / DAY_MS);
  const first = period === 'day' ? today : today - weekdayOf(today);
  return {
    name: new Date(first * DAY_MS).toISOString().slice(0, 10),
    beginsAt: midnight(first, offsetAt),
    endsAt: midnight(first + (period === 'day' ? 1 : WEEK_DAYS), offsetAt),
  };
}

/** When a local day begins; the offset is that of the moment itself, which a first guess comes near enough to. */
function midnight(day: number, offsetAt: OffsetAt): number {
  const guess = day * DAY_MS - offsetAt(day * DAY_MS);
  const begin = day * DAY_MS - offsetAt(guess);
  // Where clocks are put forward at midnight the day begins later, and what was reckoned lies in the day before.
  return Math.floor((begin + offsetAt(begin)) / DAY_MS) < day ? Math.max(guess, begin) : begin;
}
