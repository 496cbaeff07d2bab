import * as z from 'zod';

/** A separate, real OpenCode with scripted models that fail one after the other. */
export const DemoStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('off') }),
  z.object({ state: z.literal('starting') }),
  /** Includes the panel's key. */
  z.object({ state: z.literal('running'), url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}\/\?t=[\w-]{1,100}$/) }),
  z.object({ state: z.literal('failed'), reason: z.string().max(500) }),
]);
export type DemoStatus = z.infer<typeof DemoStatus>;

/** The demo has its own state home, so that its data never mixes with the user's. */
export const demoQueries = {
  'demo.status': { input: z.null(), output: DemoStatus },
  /** Takes up to two minutes. */
  'demo.start': { input: z.null(), output: DemoStatus },
  'demo.stop': { input: z.null(), output: DemoStatus },
} as const;
