import { USAGE_POINTS_MAX, type UsageRange, type UsageStep } from '../../contract/usage';
import { hourFrom, hourOf } from '../../engine/scorecard';
import { type Calendar, dayNumber, HOUR_MS, pointKey, stepFor, weekdayOf } from './calendar';

/** Hours since 1970; `until` is excluded. */
export type Hours = Readonly<{ since: number; until: number }>;

/** First hours of chart points; `placeOf` maps an hour to its point. */
export type Points = Readonly<{ step: UsageStep; begins: readonly number[]; placeOf(hour: number): number }>;

/** Null for a range defined by its figures. */
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

/** The same number of days earlier, or the hours just before. Null if there is none. */
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

/** Local time; only the latest points if there are too many. */
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

export function createWeek(hours: Hours, calendar: Calendar) {
  const counts = Array.from({ length: 7 }, () => Array.from({ length: 24 }, (): number | null => null));
  const add = (hour: number, count: number): void => {
    const local = calendar.localOf(hour);
    const day = counts[weekdayOf(local.day)];
    if (day) day[local.hour] = (day[local.hour] ?? 0) + count;
  };
  // Two weeks include every hour, even one that a clock change skips.
  for (let hour = Math.max(hours.since, hours.until - TWO_WEEKS_HOURS); hour < hours.until; hour++) add(hour, 0);
  return { add, counts };
}

const TWO_WEEKS_HOURS = 2 * 7 * 24;

export const momentOf = (hour: number): number => hour * HOUR_MS;
