import * as z from 'zod';

/** How a drill came out: a made-up rate limit that a running OpenCode carried to the next model, or why not. */
export const DrillResult = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    agent: z.string(),
    from: z.string(),
    to: z.string(),
    /** From the failure until the next model was asked, in ms. */
    tookMs: z.number().nonnegative(),
  }),
  z.object({ ok: z.literal(false), reason: z.string() }),
]);
export type DrillResult = z.infer<typeof DrillResult>;

/** The drill as a question; it takes as long as the agent's policy waits, a minute at most. */
export const drillQueries = {
  /** No provider is asked, and nobody's health changes. A null agent is OpenCode's default. */
  'drill.run': {
    input: z.object({ directory: z.string().min(1).max(4096), agent: z.string().min(1).max(100).nullable() }),
    output: DrillResult,
  },
} as const;
