import * as z from 'zod';
import { FAILURE_KINDS } from '../engine';

/** Ten years: sums stay exact. */
const LONGEST_MS = 315_360_000_000;

export const Ms = z.number().nonnegative().max(LONGEST_MS);
/** A time relative to sending, in ms; negative for the past. */
export const RelativeMs = z.number();
/** Wall clock in Unix ms. */
export const WallMs = z.number().nonnegative();
/** A longer transit means a changed clock or a sleeping machine. */
const TRANSIT_MAX_MS = 10_000;

/** From 0 to 10 s: both ends share a wall clock, which may be set meanwhile. */
export const transitMs = (sentAt: number, now: number): number => Math.min(TRANSIT_MAX_MS, Math.max(0, now - sentAt));

export const Count = z.int().nonnegative();
export const Tokens = Count.max(1_000_000_000);
export const Kind = z.enum(FAILURE_KINDS);

export const boundedRecord = <Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(
  key: Key,
  value: Value,
  max: number,
) => z.record(key, value).refine((record) => Object.keys(record).length <= max, `at most ${max} entries`);
