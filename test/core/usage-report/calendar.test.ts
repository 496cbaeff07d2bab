import { describe, expect, it } from 'vitest';
import type { UsageRange } from '../../../src/contract/usage';
import { createCalendar, HOUR_MS } from '../../../src/core/usage-report/calendar';
import { createWeek, hoursOf, pointsOf } from '../../../src/core/usage-report/range';

const hour = (iso: string): number => Math.floor(Date.parse(iso) / HOUR_MS);
const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

function asked(range: UsageRange, timeZone: string, now: string) {
  const calendar = createCalendar(timeZone);
  const hours = hoursOf(range, calendar, Date.parse(now));
  if (!hours) throw new Error('a range without hours of its own');
  const points = pointsOf(hours, calendar);
  return { calendar, hours, points, begins: points.begins.map((begin) => iso(calendar.beginOf(begin))) };
}

describe('given somebody in Berlin', () => {
  const zone = 'Europe/Berlin';

  it('when today is asked at 09:30 in summer, then it has ten hours, from 22:00 UTC of the day before', () => {
    const { hours, points, begins } = asked({ kind: 'days', days: 1 }, zone, '2026-07-10T07:30:00Z');
    expect([hours.until - hours.since, points.step, begins[0]]).toEqual([10, 'hour', '2026-07-09T22:00']);
  });

  it('when the day the clocks go back is asked, then it has 25 hours, each a point of its own', () => {
    const range = { kind: 'custom', from: '2026-10-25', to: '2026-10-25' } as const;
    const { points, calendar } = asked(range, zone, '2026-11-01T00:00:00Z');
    expect(points.begins).toHaveLength(25);
    expect(points.begins.map((begin) => calendar.localOf(begin).hour).slice(1, 5)).toEqual([1, 2, 2, 3]);
  });

  it('when the day the clocks go forward is asked, then it has 23 hours, and none is called two', () => {
    const range = { kind: 'custom', from: '2026-03-29', to: '2026-03-29' } as const;
    const { hours, points, calendar } = asked(range, zone, '2026-11-01T00:00:00Z');
    expect(points.begins.map((begin) => calendar.localOf(begin).hour).slice(0, 4)).toEqual([0, 1, 3, 4]);
    expect(points.begins).toHaveLength(23);
    const { counts } = createWeek(hours, calendar);
    expect(counts[6]?.slice(0, 4)).toEqual([0, 0, null, 0]);
  });

  it('when a month with a change of the clocks is asked, then its days begin at midnight before it and after', () => {
    const range = { kind: 'custom', from: '2026-10-20', to: '2026-11-05' } as const;
    const { begins, points } = asked(range, zone, '2026-12-01T00:00:00Z');
    expect(points.step).toBe('day');
    expect(begins).toHaveLength(17);
    expect(begins.slice(4, 8)).toEqual([
      '2026-10-23T22:00',
      '2026-10-24T22:00',
      '2026-10-25T23:00',
      '2026-10-26T23:00',
    ]);
  });
});

describe('given somebody whose hours begin at half past', () => {
  it('when one day and the next are asked, then no hour is in both and none in neither, and days begin at their midnight', () => {
    const day = (from: string) => asked({ kind: 'custom', from, to: from }, 'Asia/Kolkata', '2026-07-20T00:00:00Z');
    const [first, second] = [day('2026-07-10'), day('2026-07-11')];
    expect(first.hours.until).toBe(second.hours.since);
    expect(second.begins[0]).toBe('2026-07-10T18:30');
    expect(first.points.begins).toHaveLength(24);
  });
});

describe('given somebody whose clocks go forward at midnight', () => {
  it('when that day is asked, then it begins at one', () => {
    const range = { kind: 'custom', from: '2026-03-29', to: '2026-03-29' } as const;
    const { begins, points, calendar } = asked(range, 'Asia/Beirut', '2026-04-20T00:00:00Z');
    expect(begins).toHaveLength(23);
    expect(begins[0]).toBe('2026-03-28T22:00');
    expect(calendar.localOf(points.begins[0] ?? 0).hour).toBe(1);
  });
});

describe('given ranges of any length', () => {
  it.each([
    [1, 'hour', 24],
    [2, 'hour', 48],
    [7, 'sixHours', 28],
    [30, 'day', 30],
    [45, 'day', 45],
    [180, 'week', 27],
    [366, 'month', 13],
  ])('when %i days are asked, then a point is one %s, and there are %i', (days, step, count) => {
    const { points } = asked({ kind: 'days', days }, 'UTC', '2026-09-21T23:59:00Z');
    expect([points.step, points.begins.length]).toEqual([step, count]);
  });

  it('when 60 years are covered, then there are 500 points, the latest', () => {
    const calendar = createCalendar('America/New_York');
    const until = hour('2066-01-01T05:00:00Z');
    const points = pointsOf({ since: hour('2006-01-01T05:00:00Z'), until }, calendar);
    expect([points.begins.length, points.placeOf(until - 1), points.placeOf(hour('2006-01-01T05:00:00Z'))]).toEqual([
      500, 499, -220,
    ]);
  });

  it('when every hour of two years is placed, then places never go back and begin where their points do', () => {
    for (const zone of ['America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Santiago', 'UTC']) {
      const hours = { since: hour('2025-01-01T00:00:00Z'), until: hour('2027-01-01T00:00:00Z') };
      const { placeOf, begins } = pointsOf(hours, createCalendar(zone));
      let last = 0;
      for (let at = hours.since; at < hours.until; at++) {
        const place = placeOf(at);
        expect(place === last || (place === last + 1 && begins[place] === at)).toBe(true);
        last = place;
      }
      expect(last).toBe(begins.length - 1);
    }
  });
});
