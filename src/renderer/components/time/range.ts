import type { TimeRange } from '../../app/shared-time';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = /^(\d{1,3})d$/;
const CUSTOM = /^(\d{4}-\d\d-\d\d)_(\d{4}-\d\d-\d\d)$/;
/** Hours since 1970: local hours repeat when clocks go back. */
const SPAN = /^h(\d{1,7})_(\d{1,7})$/;
const OLDEST = '2001-01-01';
const DAYS_MAX = 366;
const SPAN_DAYS_MAX = 3;

/** "30d", "all", "2026-11-08_2026-11-21" or "h495012_495018"; else null. */
export function parseRange(text: string): TimeRange | null {
  if (text === 'all') return { kind: 'all' };
  const days = Number(DAYS.exec(text)?.[1] ?? 0);
  if (days > 0 && days <= DAYS_MAX) return { kind: 'days', days };
  const [since = 0, until = 0] = (SPAN.exec(text)?.slice(1) ?? []).map(Number);
  if (since < until) return { kind: 'span', sinceMs: since * HOUR_MS, untilMs: until * HOUR_MS };
  const [, from = '', to = ''] = CUSTOM.exec(text) ?? [];
  return isDay(from) && isDay(to) && from >= OLDEST && from <= to ? { kind: 'custom', from, to } : null;
}

function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

export function rangeText(range: TimeRange): string {
  switch (range.kind) {
    case 'days':
      return `${range.days}d`;
    case 'all':
      return 'all';
    case 'custom':
      return `${range.from}_${range.to}`;
    case 'span':
      return `h${Math.floor(range.sinceMs / HOUR_MS)}_${Math.ceil(range.untilMs / HOUR_MS)}`;
  }
}

/** Unix ms; null for an open side. */
export type Bounds = Readonly<{ sinceMs: number | null; untilMs: number | null }>;

export function boundsOf(range: TimeRange, now: number): Bounds {
  switch (range.kind) {
    case 'all':
      return { sinceMs: null, untilMs: null };
    case 'days':
      return { sinceMs: beginOf(dayOf(now), 1 - range.days), untilMs: null };
    case 'custom':
      return { sinceMs: beginOf(range.from), untilMs: beginOf(range.to, 1) };
    case 'span':
      return { sinceMs: range.sinceMs, untilMs: range.untilMs };
  }
}

/** "2026-11-21", local. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function beginOf(day: string, after = 0): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + after).getTime();
}

/** Whole days become days, shorter spans hours. */
export function rangeBetween(sinceMs: number, untilMs: number): TimeRange {
  const isWhole = beginOf(dayOf(sinceMs)) === sinceMs && beginOf(dayOf(untilMs)) === untilMs;
  const isLong = untilMs - sinceMs > SPAN_DAYS_MAX * DAY_MS;
  if (isWhole || isLong) return { kind: 'custom', from: dayOf(sinceMs), to: dayOf(untilMs - 1) };
  return { kind: 'span', sinceMs, untilMs };
}

/** Three times as long; null if no wider range exists. */
export function widerThan(range: TimeRange, now: number): TimeRange | null {
  if (range.kind === 'all' || range.kind === 'days') return null;
  const { sinceMs, untilMs } = boundsOf(range, now);
  if (sinceMs === null || untilMs === null) return null;
  const length = untilMs - sinceMs;
  const end = Math.min(untilMs + length, Math.ceil(now / HOUR_MS) * HOUR_MS);
  return rangeBetween(end - 3 * length, end);
}

export function presetOf({ sinceMs, untilMs }: Bounds, now: number): TimeRange | null {
  return (
    PRESETS.find((preset) => {
      const bounds = boundsOf(preset, now);
      return bounds.sinceMs === sinceMs && bounds.untilMs === untilMs;
    }) ?? null
  );
}

export const PRESETS: readonly TimeRange[] = [
  { kind: 'days', days: 1 },
  { kind: 'days', days: 7 },
  { kind: 'days', days: 30 },
  { kind: 'all' },
];

export const isSameRange = (one: TimeRange | null, other: TimeRange | null): boolean =>
  one !== null && other !== null && rangeText(one) === rangeText(other);
