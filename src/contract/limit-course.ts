import * as z from 'zod';
import { Count } from './figures';

const WallMs = z.number();
/** A part of a window, from 0; above 1 if overdrawn. */
const Part = z.number().min(0);

/** Use of one plan, from the start of one of its windows to its end or until now. Times are Unix ms. */
export const LimitCourse = z.object({
  /** Number of windows before the latest; smaller than requested if no more are stored. */
  back: Count,
  hasEarlier: z.boolean(),
  beginsAt: WallMs,
  endsAt: WallMs,
  /** The used part as last reported at that time; null before the first report. */
  points: z.array(z.object({ at: WallMs, used: Part.nullable() })).max(200),
  /** Shares by agent and session; null for several accounts of that name and for a limit that only we count. */
  shares: z
    .object({
      /** Total increase, and its part while nothing was used here. */
      gained: Part,
      elsewhere: Part,
      /**
       * Estimated shares of agents, and of conversations with their sub-agents, from their tokens; the largest first.
       */
      agents: z.array(z.object({ agent: z.string(), part: Part })),
      sessions: z.array(
        z.object({
          session: z.string(),
          part: Part,
          title: z.string().nullable(),
          project: z.string().nullable(),
          since: WallMs.nullable(),
        }),
      ),
    })
    .nullable(),
});
export type LimitCourse = z.infer<typeof LimitCourse>;
export type LimitShares = NonNullable<LimitCourse['shares']>;

const limit = {
  account: z.string().min(1).max(300),
  window: z.string().min(1).max(100),
  model: z.string().max(300).nullable(),
} as const;

/** Queries about the history of limits. */
export const limitQueries = {
  'headroom.course': {
    /** For the window that is `back` windows before the latest. */
    input: z.object({ ...limit, back: Count.max(1_000) }),
    /** The requested limit and its course; null if none is stored. */
    output: z.object({ ...limit, course: LimitCourse.nullable() }),
  },
} as const;
