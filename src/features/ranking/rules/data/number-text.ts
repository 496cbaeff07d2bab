import type { Unit } from '../base/benchmarks';
import { shown } from './problem';

export type WrittenNumber = Readonly<{
  value: number;
  unit: Unit | null;
  text: string;
  /** `12/15`, which also states the total; else null. */
  note: string | null;
}>;

const NUMBER = /^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const PERCENT = /^(\d+(?:\.\d+)?)\s*%$/;
const SHARE = /^(\d+(?:\.\d+)?)\s*\/\s*(\d+(?:\.\d+)?)$/;

/**
 * Reads `0.43`, `43 %` or `12/15`.
 * @returns null for none; a message for the user if invalid.
 */
export function readNumber(value: unknown): WrittenNumber | string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return written(value, String(value));
  if (typeof value !== 'string') return 'it is not a number';
  const text = value.trim();
  if (text === '') return null;
  if (NUMBER.test(text)) return written(Number(text), text);
  const percent = PERCENT.exec(text);
  if (percent !== null) return written(Number(percent[1]), text, 'percent');
  const share = SHARE.exec(text);
  if (share !== null) return shareOf(Number(share[1]), Number(share[2]), text);
  return `${shown(text)} is not a number such as 12.3, 43 % or 12/15`;
}

function written(value: number, text: string, unit: Unit | null = null): WrittenNumber | string {
  if (!Number.isFinite(value) || value < 0) return `${shown(text)} is not a possible benchmark value`;
  // JSON has a negative zero.
  return { value: value === 0 ? 0 : value, unit, text, note: null };
}

function shareOf(part: number, whole: number, text: string): WrittenNumber | string {
  if (whole === 0 || part > whole || !Number.isFinite(whole)) return `${shown(text)} is not a valid fraction`;
  return { value: part / whole, unit: 'fraction', text, note: text };
}
