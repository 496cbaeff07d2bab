import { InvalidArgumentError } from 'commander';
import { readDuration } from '../contract/duration';

/** Reads a duration before now, or a date. @returns Unix ms. @throws InvalidArgumentError for other texts. */
export function parseWhen(text: string, _previous?: unknown, now: number = Date.now()): number {
  const ago = readDuration(text);
  if (ago !== null) return now - ago;
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw new InvalidArgumentError('Expected 30m, 24h, 7d, or a date such as 2026-11-01.');
  return at;
}
