import * as z from 'zod';
import { FAILURE_KINDS } from '../engine';

/** Ten years: nothing of ours lasts longer, and sums of it stay exact. */
const LONGEST_MS = 315_360_000_000;

/** A duration in milliseconds. */
export const Ms = z.number().nonnegative().max(LONGEST_MS);
/** A point in time relative to the moment it was sent, in milliseconds; negative for what is over. */
export const RelativeMs = z.number();
/** A point in time on the machine's wall clock, Unix ms. */
export const WallMs = z.number().nonnegative();
/** Longer on the way than this is a clock that was put forward, or a machine that slept. */
const TRANSIT_MAX_MS = 10_000;

/**
 * How long a message was on its way, in ms. Both ends are on one machine and share its wall clock, which may be put back
 * or forward meanwhile: 0 at least and 10 s at most.
 */
export const transitMs = (sentAt: number, now: number): number => Math.min(TRANSIT_MAX_MS, Math.max(0, now - sentAt));

/** How often, or how many. */
export const Count = z.int().nonnegative();
export const Tokens = Count.max(1_000_000_000);
export const Kind = z.enum(FAILURE_KINDS);

/** A record of at most `max` entries. */
export const boundedRecord = <Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(
  key: Key,
  value: Value,
  max: number,
) => z.record(key, value).refine((record) => Object.keys(record).length <= max, `at most ${max} entries`);
