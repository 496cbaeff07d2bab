import * as z from 'zod';
import { Count } from './figures';

const WallMs = z.number();
/** From 0; above 1 if overdrawn. */
const Part = z.number().min(0);

/** Use of one plan over one window, or until now. Unix ms. */
export const LimitCourse = z.object({
  /** Windows before the latest; may be fewer than requested. */
  back: Count,
  hasEarlier: z.boolean(),
  beginsAt: WallMs,
  endsAt: WallMs,
  /** Null before the first report. */
  points: z.array(z.object({ at: WallMs, used: Part.nullable() })).max(200),
  /** Null for several accounts of that name and for limits that only we count. */
  shares: z
    .object({
      /** Total increase, and its part while nothing was used here. */
      gained: Part,
      elsewhere: Part,
      /** Estimated from tokens; sessions include sub-agents. */
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

export const limitQueries = {
  'headroom.course': {
    input: z.object({ ...limit, back: Count.max(1_000) }),
    output: z.object({ ...limit, course: LimitCourse.nullable() }),
  },
} as const;
