import * as z from 'zod';

export const DrillResult = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    agent: z.string(),
    from: z.string(),
    to: z.string(),
    /** From the failure to the next model's request, in ms. */
    tookMs: z.number().nonnegative(),
  }),
  z.object({ ok: z.literal(false), reason: z.string() }),
]);
export type DrillResult = z.infer<typeof DrillResult>;

export const drillQueries = {
  /**
   * Takes as long as the policy waits, at most one minute. Sends no request to a provider and changes no health. A
   * null agent is OpenCode's default.
   */
  'drill.run': {
    input: z.object({ directory: z.string().min(1).max(4096), agent: z.string().min(1).max(100).nullable() }),
    output: DrillResult,
  },
} as const;
