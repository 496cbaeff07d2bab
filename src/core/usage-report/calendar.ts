import type { UsageStep } from '../../contract/usage';
import { zoneOffset } from '../base/zone-offset';

export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOURS_PER_DAY = 24;
/** Largest offset of a zone from UTC, in hours. */
const FURTHEST = 16;

/** `day` counts from 1 January 1970. */
export type LocalHour = Readonly<{ day: number; hour: number }>;

export type Calendar = Readonly<{
  /** With half-hour offsets, the local hour with most of it, or its end. */
  localOf(hour: number): LocalHour;
  firstOf(day: number): number;
  /** Start of the local hour of an hour since 1970, Unix ms. */
  beginOf(hour: number): number;
}>;

/** @throws RangeError for an unknown zone. */
export function createCalendar(timeZone: string): Calendar {
  const offsetMs = offsetsOf(timeZone);
  const middleOf = (hour: number): number => (hour + 0.5) * HOUR_MS;
  const localMs = (hour: number): number => middleOf(hour) + offsetMs(middleOf(hour));
  const localOf = (hour: number): LocalHour => {
    const ms = localMs(hour);
    const day = Math.floor(ms / DAY_MS);
    return { day, hour: Math.floor((ms - day * DAY_MS) / HOUR_MS) };
  };
  return {
    localOf,
    firstOf(day) {
      let hour = day * HOURS_PER_DAY - FURTHEST;
      while (localOf(hour).day < day) hour++;
      return hour;
    },
    beginOf: (hour) => Math.floor(localMs(hour) / HOUR_MS) * HOUR_MS - offsetMs(middleOf(hour)),
  };
}

/** Offset from UTC in ms. A day with equal offsets at both ends counts as constant. */
function offsetsOf(timeZone: string): (at: number) => number {
  const offsetAt = zoneOffset(timeZone);
  const cache = new Map<number, number>();
  const exactly = (at: number): number => {
    const cached = cache.get(at);
    if (cached !== undefined) return cached;
    const offset = offsetAt(at);
    cache.set(at, offset);
    return offset;
  };
  return (at) => {
    const day = Math.floor(at / DAY_MS) * DAY_MS;
    const offset = exactly(day);
    return offset === exactly(day + DAY_MS) ? offset : exactly(at);
  };
}

export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;

/** 0 for Monday to 6 for Sunday. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

export function pointKey({ day, hour }: LocalHour, at: number, step: UsageStep): number {
  switch (step) {
    case 'hour':
      // In autumn two hours have one name, and are two points.
      return at;
    case 'sixHours':
      return day * 4 + Math.floor(hour / 6);
    case 'day':
      return day;
    case 'week':
      return Math.floor((day + 3) / 7);
    case 'month': {
      const date = new Date(day * DAY_MS);
      return date.getUTCFullYear() * 12 + date.getUTCMonth();
    }
  }
}

/** Longest range of each step, in days, for about fifty points in a chart. */
const STEP_DAYS: readonly (readonly [UsageStep, number])[] = [
  ['hour', 2],
  ['sixHours', 10],
  ['day', 45],
  ['week', 320],
];

export function stepFor(hours: number): UsageStep {
  // The longest day has an extra hour.
  return STEP_DAYS.find(([, days]) => hours <= days * HOURS_PER_DAY + 1)?.[0] ?? 'month';
}
