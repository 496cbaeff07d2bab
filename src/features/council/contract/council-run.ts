import * as z from 'zod';
import { ACTIVITIES, PROCESS_IDS } from '../rules/base/types';
import { STAGE_IDS } from '../rules/process/process';

const Count = z.int().nonnegative();
const WallMs = z.number();
const Dollars = z.number().nonnegative();

/** States of the published design, plus `left` (no process plays it), `fetching` (its repository) and `not_begun`. */
export const RUN_STATES = [
  'idle',
  'ai_generating',
  'awaiting_fallback_decision',
  'paused_for_user',
  'paused',
  'finished',
  'stopped',
  'left',
  'fetching',
  'not_begun',
] as const;

export const RunRef = z.object({
  run: z.string().max(60),
  /** Grows with every event. */
  rev: Count,
  state: z.enum(RUN_STATES),
  isPlayed: z.boolean(),
  /** Can only be resumed inside OpenCode. */
  isInSession: z.boolean(),
  activity: z.enum(ACTIVITIES).nullable(),
  process: z.enum(PROCESS_IDS).nullable(),
  problem: z.string().nullable(),
  repo: z.string().nullable(),
  begunAt: WallMs.nullable(),
  endedAt: WallMs.nullable(),
  /** Null before the first stage and after the last. */
  stage: z.object({ id: z.enum(STAGE_IDS), at: Count, of: Count }).nullable(),
  /** `unproved`: without a verified quote. */
  findings: z.object({ critical: Count, major: Count, minor: Count, praise: Count, unproved: Count }),
  ideas: Count,
  /** No model contributed. */
  isEmpty: z.literal(true).optional(),
  party: z.object({ live: Count, out: Count }),
  /** US dollars, without turns of unknown price. */
  spent: Dollars,
  unpricedTurns: Count,
  cap: Dollars.nullable(),
  retries: z.object({ used: Count, of: Count }),
  /** Skips the speaker at `skipAt`. */
  question: z
    .object({
      id: z.string(),
      speaker: z.string(),
      model: z.string(),
      fallback: z.string(),
      failure: z.string(),
      skipAt: WallMs,
    })
    .nullable(),
  headline: z.string().nullable(),
  /** Set if this process abandoned the run. */
  whyLeft: z.string().optional(),
});
export type CouncilRunRow = z.infer<typeof RunRef>;
