import { InvalidArgumentError } from 'commander';

const HOUR_MS = 3_600_000;
const UNITS = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS } as const;

/** A point in time: so long ago, or a date. @returns Unix ms. @throws InvalidArgumentError for anything else. */
export function parseWhen(text: string, _previous?: unknown, now: number = Date.now()): number {
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return now - Number(count) * UNITS[unit as keyof typeof UNITS];
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw new InvalidArgumentError('Expected 24h, 7d, 4w, or a date such as 2026-11-01.');
  return at;
}
