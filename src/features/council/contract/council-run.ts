import * as z from 'zod';
import { ACTIVITIES, PROCESS_IDS } from '../rules/base/types';
import { STAGE_IDS } from '../rules/process/process';

const Count = z.int().nonnegative();
const WallMs = z.number();
const Dollars = z.number().nonnegative();

/**
 * States of a run: those of the published design, plus `left` (no process plays it), `fetching` (its repository is
 * being fetched) and `not_begun` (it never started).
 */
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

/** A council run as one row, for lists, the tray and notices. */
export const RunRef = z.object({
  run: z.string().max(60),
  /** Grows with every event of the run. Responses to earlier requests are then stale. */
  rev: Count,
  state: z.enum(RUN_STATES),
  /** True while a process plays the run. */
  isPlayed: z.boolean(),
  /** True if the run was started inside OpenCode; it can only be resumed there. */
  isInSession: z.boolean(),
  activity: z.enum(ACTIVITIES).nullable(),
  process: z.enum(PROCESS_IDS).nullable(),
  problem: z.string().nullable(),
  /** Last part of the repository's path or address. */
  repo: z.string().nullable(),
  begunAt: WallMs.nullable(),
  endedAt: WallMs.nullable(),
  /** Current stage and its position among those of the process; null before the first and after the last. */
  stage: z.object({ id: z.enum(STAGE_IDS), at: Count, of: Count }).nullable(),
  /** Counts by severity of findings with a verified quote; `unproved` counts the others. */
  findings: z.object({ critical: Count, major: Count, minor: Count, praise: Count, unproved: Count }),
  ideas: Count,
  /** The run is over and no model contributed. */
  isEmpty: z.literal(true).optional(),
  /** Heroes or personas that take part, and those that left. */
  party: z.object({ live: Count, out: Count }),
  /** US dollars, without turns of unknown price. */
  spent: Dollars,
  unpricedTurns: Count,
  cap: Dollars.nullable(),
  retries: z.object({ used: Count, of: Count }),
  /**
   * Asks the user if a fallback model may speak for a speaker. Without an answer the speaker is skipped at `skipAt`.
   */
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
  /** Result in one sentence; null while the run is in progress. */
  headline: z.string().nullable(),
  /** Reason why the run is no longer played; only for a run that this Understudy played and abandoned. */
  whyLeft: z.string().optional(),
});
export type CouncilRunRow = z.infer<typeof RunRef>;
