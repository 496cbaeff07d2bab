import * as z from 'zod';
import { ACTIVITIES, PROCESS_IDS } from '../rules/base/types';
import { STAGE_IDS } from '../rules/process/process';

const Count = z.int().nonnegative();
const WallMs = z.number();
const Dollars = z.number().nonnegative();

/** How a run stands: the states of the published design, and `left` for one that nobody plays, `fetching`
 * while what it looks at is still fetched, `not_begun` for one that never was.
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

/** A council's run in one row: as lists, the tray and notices tell it. */
export const RunRef = z.object({
  run: z.string().max(60),
  /** Grows with everything the run hears: what was asked about it before is old then. */
  rev: Count,
  state: z.enum(RUN_STATES),
  /** Some process plays it now. */
  isPlayed: z.boolean(),
  /** It was called inside OpenCode, and is resumed there. */
  isInSession: z.boolean(),
  activity: z.enum(ACTIVITIES).nullable(),
  process: z.enum(PROCESS_IDS).nullable(),
  problem: z.string().nullable(),
  /** The last part of what is looked at. */
  repo: z.string().nullable(),
  begunAt: WallMs.nullable(),
  endedAt: WallMs.nullable(),
  /** The stage under way, and its place among those that are played; null before the first and after the last. */
  stage: z.object({ id: z.enum(STAGE_IDS), at: Count, of: Count }).nullable(),
  /** By severity, of those whose quote was found. */
  findings: z.object({ critical: Count, major: Count, minor: Count, praise: Count, unproved: Count }),
  ideas: Count,
  /** It is over, and no model contributed. */
  isEmpty: z.literal(true).optional(),
  /** Heroes or personas that take part, and those that have left. */
  party: z.object({ live: Count, out: Count }),
  /** US dollars; turns whose price is not known are not in it. */
  spent: Dollars,
  unpricedTurns: Count,
  cap: Dollars.nullable(),
  retries: z.object({ used: Count, of: Count }),
  /** Whether a fallback may speak for a speaker; answered by nobody it is skipped at `skipAt`. */
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
  /** What came of it in one sentence; null while it is under way. */
  headline: z.string().nullable(),
  /** Why nobody plays it any more, in words; only of one that this Understudy has played and that was left. */
  whyLeft: z.string().optional(),
});
export type CouncilRunRow = z.infer<typeof RunRef>;
