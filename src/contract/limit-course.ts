import * as z from 'zod';
import { Count } from './figures';

const WallMs = z.number();
/** A part of a window, from 0; above 1 where it was overdrawn. */
const Part = z.number().min(0);

/** How one plan was used up, from the begin of one of its windows to that one's end, or until now. Times are Unix ms. */
export const LimitCourse = z.object({
  /** How many windows before the latest one that was heard of; fewer than were asked for where no more are kept. */
  back: Count,
  hasEarlier: z.boolean(),
  beginsAt: WallMs,
  endsAt: WallMs,
  /** The spent part, as it was last heard by then; null before anything was. */
  points: z.array(z.object({ at: WallMs, used: Part.nullable() })).max(200),
  /** Shares by agent and session; null for several accounts of that name and for a limit that only we count. */
  shares: z
    .object({
      /** How much it went up in all, and how much of that while nobody used anything here. */
      gained: Part,
      elsewhere: Part,
      /** What agents, and conversations with their sub-agents, took of it, the most first: reckoned from their tokens. */
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

/** A limit as the snapshot names it. */
const limit = {
  account: z.string().min(1).max(300),
  window: z.string().min(1).max(100),
  model: z.string().max(300).nullable(),
} as const;

/** What the panel may ask of limits beside how full they are now. */
export const limitQueries = {
  'headroom.course': {
    /** Of the window that is so many before the latest one. */
    input: z.object({ ...limit, back: Count.max(1_000) }),
    /** The limit that was asked about, and its course; null where nothing of it is kept. */
    output: z.object({ ...limit, course: LimitCourse.nullable() }),
  },
} as const;
