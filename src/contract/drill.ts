import * as z from 'zod';

/** Result of a drill: a running OpenCode carried a simulated rate limit to the next model, or the reason why not. */
export const DrillResult = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    agent: z.string(),
    from: z.string(),
    to: z.string(),
    /** Time from the failure to the request to the next model, in ms. */
    tookMs: z.number().nonnegative(),
  }),
  z.object({ ok: z.literal(false), reason: z.string() }),
]);
export type DrillResult = z.infer<typeof DrillResult>;

/** The drill as a query; it takes as long as the agent's policy waits, at most one minute. */
export const drillQueries = {
  /** Sends no request to a provider and changes no health. A null agent is OpenCode's default. */
  'drill.run': {
    input: z.object({ directory: z.string().min(1).max(4096), agent: z.string().min(1).max(100).nullable() }),
    output: DrillResult,
  },
} as const;
