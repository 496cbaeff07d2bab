import { USAGE_POINTS_MAX, type UsageRange, type UsageStep } from '../../contract/usage';
import { hourFrom, hourOf } from '../../engine/scorecard';
import { type Calendar, dayNumber, HOUR_MS, pointKey, stepFor, weekdayOf } from './calendar';

/** Hours since 1970; `until` is not included. */
export type Hours = Readonly<{ since: number; until: number }>;

/** Hours since 1970 that the points of a chart begin with, and of each hour of the range the place of its point. */
export type Points = Readonly<{ step: UsageStep; begins: readonly number[]; placeOf(hour: number): number }>;

/** The hours a range names by itself, up to the present one; null for one that is as long as its figures. */
export function hoursOf(range: UsageRange, calendar: Calendar, now: number): Hours | null {
  const present = hourOf(now) + 1;
  switch (range.kind) {
    case 'session':
    case 'all':
      return null;
    case 'days': {
      const today = calendar.localOf(hourOf(now)).day;
      return { since: calendar.firstOf(today - range.days + 1), until: present };
    }
    case 'custom': {
      const until = Math.min(calendar.firstOf(dayNumber(range.to) + 1), present);
      return { since: Math.min(calendar.firstOf(dayNumber(range.from)), until), until };
    }
    case 'span': {
      const until = Math.min(hourFrom(range.untilMs), present);
      return { since: Math.min(hourOf(range.sinceMs), until), until };
    }
  }
}

/**
 * As many hours as a range has, so many days earlier as it counts, or right before it where it counts none; null for a range
 * that has nothing before it.
 */
export function hoursBefore(range: UsageRange, calendar: Calendar, { since, until }: Hours): Hours | null {
  const days = daysOf(range);
  if (days === null) return null;
  const begin = days === 0 ? since - (until - since) : calendar.firstOf(calendar.localOf(since).day - days);
  return { since: begin, until: Math.min(since, begin + until - since) };
}

function daysOf(range: UsageRange): number | null {
  switch (range.kind) {
    case 'session':
    case 'all':
      return null;
    case 'days':
      return range.days;
    case 'custom':
      return dayNumber(range.to) - dayNumber(range.from) + 1;
    case 'span':
      return 0;
  }
}

/** The points of a range in the reader's own hours, days, weeks and months; of the latest, as many as a chart may have. */
export function pointsOf({ since, until }: Hours, calendar: Calendar): Points {
  const step = stepFor(until - since);
  const begins: number[] = [];
  const places = new Int32Array(Math.max(0, until - since));
  let last: number | null = null;
  for (let hour = since; hour < until; hour++) {
    const key = pointKey(calendar.localOf(hour), hour, step);
    if (key !== last) begins.push(hour);
    last = key;
    places[hour - since] = begins.length - 1;
  }
  const left = Math.max(0, begins.length - USAGE_POINTS_MAX);
  return { step, begins: begins.slice(left), placeOf: (hour) => (places[hour - since] ?? 0) - left };
}

/** Counts by day of the week and hour of the day; null where the range has no such hour. */
export function createWeek(hours: Hours, calendar: Calendar) {
  const counts = Array.from({ length: 7 }, () => Array.from({ length: 24 }, (): number | null => null));
  const add = (hour: number, count: number): void => {
    const local = calendar.localOf(hour);
    const day = counts[weekdayOf(local.day)];
    if (day) day[local.hour] = (day[local.hour] ?? 0) + count;
  };
  // After two weeks every hour has been seen, also one that a change of the clocks skips.
  for (let hour = Math.max(hours.since, hours.until - TWO_WEEKS_HOURS); hour < hours.until; hour++) add(hour, 0);
  return { add, counts };
}

const TWO_WEEKS_HOURS = 2 * 7 * 24;

/** When an hour since 1970 begins, Unix ms. */
export const momentOf = (hour: number): number => hour * HOUR_MS;
