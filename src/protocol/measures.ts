import * as z from 'zod';
import { FAILURE_KINDS } from '../engine';

/** Ten years: no duration is longer, and sums of it stay exact. */
const LONGEST_MS = 315_360_000_000;

/** A duration in milliseconds. */
export const Ms = z.number().nonnegative().max(LONGEST_MS);
/** A time relative to sending, in ms; negative for the past. */
export const RelativeMs = z.number();
/** Unix ms on the machine's wall clock. */
export const WallMs = z.number().nonnegative();
/** A longer transit means a clock that was set, or a machine that slept. */
const TRANSIT_MAX_MS = 10_000;

/**
 * Transit time of a message, in ms. Both ends are on one machine and share its wall clock, which may be set meanwhile:
 * at least 0 and at most 10 s.
 */
export const transitMs = (sentAt: number, now: number): number => Math.min(TRANSIT_MAX_MS, Math.max(0, now - sentAt));

export const Count = z.int().nonnegative();
export const Tokens = Count.max(1_000_000_000);
export const Kind = z.enum(FAILURE_KINDS);

/** A record with at most `max` entries. */
export const boundedRecord = <Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(
  key: Key,
  value: Value,
  max: number,
) => z.record(key, value).refine((record) => Object.keys(record).length <= max, `at most ${max} entries`);
