import * as z from 'zod';
import { FAILURE_KINDS } from '../engine';

/** Ten years: nothing of ours lasts longer, and sums of it stay exact. */
const LONGEST_MS = 315_360_000_000;

/** A duration in milliseconds. */
export const Ms = z.number().nonnegative().max(LONGEST_MS);
/** A point in time relative to the moment it was sent, in milliseconds; negative for what is over. */
export const RelativeMs = z.number();
/** How often, or how many. */
export const Count = z.int().nonnegative();
/** What a failure was. */
export const Kind = z.enum(FAILURE_KINDS);

/** A record of at most `max` entries. */
export const boundedRecord = <Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(
  key: Key,
  value: Value,
  max: number,
) => z.record(key, value).refine((record) => Object.keys(record).length <= max, `at most ${max} entries`);
