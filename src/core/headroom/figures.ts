import type { ResetForm } from './dialect-schema';

const AHEAD_MAX_MS = 400 * 86_400_000;
/** Clocks differ, and a reset in whole seconds is often just over when it is read. */
const SKEW_MS = 2_000;
const TIMES_MAX = 8;

// Fifteen digits are exact in a double; no observed limit has as many.
const NUMBER = /^\d{1,15}(?:\.\d{1,20})?(?:e-\d{1,2})?$/i;
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;
const DURATION = /^(?:\d{1,9}(?:\.\d{1,12})?(?:ms|us|µs|ns|h|m|s)){1,6}$/;
const DURATION_PART = /([\d.]+)(ms|us|µs|ns|h|m|s)/g;
const UNIT_MS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
};

/** In ms from the response on. `isRelative`: written as a duration. */
export type Reset = Readonly<{ inMs: number; isRelative: boolean }>;

/** Null unless it is at least 0: an unknown limit is often written as -1. */
export const numberIn = (text: string): number | null => (NUMBER.test(text) ? Number(text) : null);

/** Null if not positive or implausibly long. */
export function lengthIn(text: string, unitMs: number): number | null {
  const number = numberIn(text);
  const ms = number === null ? 0 : Math.round(number * unitMs);
  return ms > 0 && ms <= AHEAD_MAX_MS ? ms : null;
}

/** Repeated headers arrive joined by commas. */
export function saidIn(value: string): readonly string[] {
  if (!value.includes(',')) return [value.trim()];
  const parts = value.split(',', TIMES_MAX + 1).map((part) => part.trim());
  return parts.length > TIMES_MAX ? [] : parts.filter((part) => part !== '');
}

/**
 * Only one form is plausible, because seconds and ms differ by a factor of 1,000. @param seenAt Unix ms. @returns
 * `past` for a time before it; null if implausible, and for 0, which means none.
 */
export function resetIn(text: string, forms: readonly ResetForm[], seenAt: number): Reset | 'past' | null {
  let isPast = false;
  for (const form of forms) {
    const inMs = msUntil(text, form, seenAt);
    if (inMs === null || !(inMs <= AHEAD_MAX_MS)) continue;
    if (inMs >= -SKEW_MS) {
      return { inMs: Math.max(0, Math.round(inMs)), isRelative: form === 'seconds' || form === 'duration' };
    }
    isPast = true;
  }
  return isPast ? 'past' : null;
}

/** If so, the window's length is wrong. */
export const isBeyond = (resetInMs: number, lengthMs: number): boolean => resetInMs > lengthMs * 1.1 + SKEW_MS;

export function monthBeforeMs(at: number): number {
  const end = new Date(at);
  return new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth(), 0)).getUTCDate() * 86_400_000;
}

function msUntil(text: string, form: ResetForm, seenAt: number): number | null {
  switch (form) {
    case 'epoch_s':
    case 'epoch_ms': {
      const number = numberIn(text);
      return number ? number * (form === 'epoch_s' ? 1_000 : 1) - seenAt : null;
    }
    case 'rfc3339':
      return RFC_3339.test(text) ? Date.parse(text) - seenAt : null;
    case 'seconds': {
      const number = numberIn(text);
      return number === null ? null : number * 1_000;
    }
    case 'duration':
      return DURATION.test(text) ? durationMs(text) : null;
  }
}

function durationMs(text: string): number {
  let ms = 0;
  for (const [, figure, unit = ''] of text.matchAll(DURATION_PART)) ms += Number(figure) * (UNIT_MS[unit] ?? 0);
  return ms;
}
