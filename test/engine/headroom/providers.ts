import type { SeenWindow } from '../../../src/engine/base/window';
import { HOUR, MINUTE } from '../world';

/** What a request comes to at its provider. */
export type Answer = Readonly<{ ok: boolean; windows: readonly SeenWindow[] }>;
export type Size = Readonly<{ input: number; output: number; most: number; share: number }>;

/** A provider that counts honestly: it refuses what its windows do not hold, and says what is left of them. */
export interface Provider {
  admit(now: number, size: Size): Answer;
  end(now: number, size: Size): void;
  /** The part of its window that nobody has taken. */
  left(now: number): number;
  /** The part that a request takes. */
  part(size: Size): number;
  /** True if a request is counted when it ends, not when it is admitted. */
  countsLate: boolean;
}

const base = { charges: 'maximum', of: 'model' } as const;

/** A plan of five hours, of which it tells the spent share as it was when the request came; what a request takes it counts at its end. */
export function planOf(lengthMs = 5 * HOUR): Provider {
  let used = 0;
  let resetAt = lengthMs;
  const renew = (now: number): void => {
    for (; now >= resetAt; resetAt += lengthMs) used = 0;
  };
  return {
    admit(now) {
      renew(now);
      const ok = used < 1;
      return {
        ok,
        windows: [
          {
            ...{ id: 'unified-5h', unit: 'share', lengthMs, of: 'account', used: Math.round(used * 10_000) / 10_000 },
            ...{ limit: null, remaining: null, resetInMs: resetAt - now, refills: 'at_reset', charges: 'used' },
            ...(ok ? {} : { isRefusing: true }),
          },
        ],
      };
    },
    end(now, { share }) {
      renew(now);
      used += share;
    },
    left(now) {
      renew(now);
      return Math.max(0, 1 - used);
    },
    part: ({ share }) => share,
    countsLate: true,
  };
}

/** A bucket that fills up all the time; each request is weighed as it is admitted. */
export function bucketOf(unit: 'requests' | 'tokens', limit: number, lengthMs = MINUTE): Provider {
  let has = limit;
  let at = 0;
  const fill = (now: number): void => {
    has = Math.min(limit, has + ((now - at) / lengthMs) * limit);
    at = now;
  };
  return {
    admit(now, { input, most }) {
      fill(now);
      const takes = unit === 'requests' ? 1 : input + most;
      const ok = has >= takes;
      if (ok) has -= takes;
      const remaining = Math.floor(has);
      return {
        ok,
        windows: [
          {
            ...{ ...base, id: unit, unit, lengthMs, limit, remaining, used: 1 - remaining / limit },
            ...{ resetInMs: ((limit - has) / limit) * lengthMs, refills: 'evenly' },
          },
        ],
      };
    },
    end: () => undefined,
    left(now) {
      fill(now);
      return has / limit;
    },
    part: ({ input, most }) => (unit === 'requests' ? 1 : input + most) / limit,
    countsLate: false,
  };
}
