import type { Pace, Window } from '../base/window';
import { isPast, levelAt } from './window';

const HOUR_MS = 3_600_000;
/** Shorter windows end before a forecast helps. */
const FORECAST_MIN_MS = 1_800_000;
const SAMPLES_MIN = 4;
/** Part of the length that observations must span. */
const SPAN_MIN = 0.02;
/** Part of the length over which an old rate falls to a third. */
const FADES_OVER = 0.1;
const FADES_MIN_MS = 300_000;
const FADES_MAX_MS = 43_200_000;

const fadesMs = (lengthMs: number): number => Math.min(FADES_MAX_MS, Math.max(FADES_MIN_MS, lengthMs * FADES_OVER));

export function pacedBy(
  pace: Pace | null,
  lengthMs: number | null,
  seen: Readonly<{ gain: number; overMs: number; at: number }>,
): Pace | null {
  const { gain, overMs, at } = seen;
  if (lengthMs === null || lengthMs < FORECAST_MIN_MS || overMs <= 0) return pace;
  const rate = (Math.max(0, gain) / overMs) * HOUR_MS;
  // Weights the rate by duration and age.
  const own = 1 - Math.exp(-overMs / fadesMs(lengthMs));
  const remainder = (pace?.weight ?? 0) * (1 - own);
  const weight = remainder + own;
  const off = rate - (pace?.perHour ?? 0);
  const part = own / weight;
  return {
    perHour: (pace?.perHour ?? 0) + part * off,
    variance: pace === null ? 0 : (1 - part) * (pace.variance + part * off * off),
    weight,
    samples: (pace?.samples ?? 0) + 1,
    since: pace?.since ?? at - overMs,
  };
}

/** In parts of the window; times are engine ms. */
export type Forecast = Readonly<{
  perHour: number;
  /** Half the width of the pace's range. */
  spread: number;
  /** Null if not before the reset. */
  fullAt: number | null;
  /** At the fast and slow end of the range. */
  soonestAt: number | null;
  latestAt: number | null;
  usedAtReset: number | null;
}>;

/** Null with too few observations, or if the last is older than `lastsMs`. */
export function paceIn({ pace, lengthMs, at }: Window, now: number, lastsMs = fadesMs(lengthMs ?? 0)): number | null {
  const isTold =
    pace !== null && lengthMs !== null && pace.samples >= SAMPLES_MIN && at - pace.since >= lengthMs * SPAN_MIN;
  return isTold && now - at <= lastsMs ? pace.perHour : null;
}

/** Null with too few or too old observations. */
export function forecastOf(window: Window, now: number): Forecast | null {
  const { pace, resetAt } = window;
  const level = levelAt(window, now);
  if (pace === null || level === null || isPast(window, now) || paceIn(window, now) === null) return null;
  const left = Math.max(0, 1 - level.used);
  const spread = Math.sqrt(pace.variance);
  const fullBy = (perHour: number): number | null => {
    if (left === 0) return now;
    if (!(perHour > 0)) return null;
    const full = now + (left / perHour) * HOUR_MS;
    return resetAt !== null && full >= resetAt ? null : full;
  };
  return {
    perHour: pace.perHour,
    spread,
    fullAt: fullBy(pace.perHour),
    soonestAt: fullBy(pace.perHour + spread),
    latestAt: fullBy(pace.perHour - spread),
    usedAtReset:
      resetAt === null ? null : Math.min(1, Math.max(0, level.used) + (pace.perHour * (resetAt - now)) / HOUR_MS),
  };
}
