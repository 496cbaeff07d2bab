import * as z from 'zod';

/** The demo: a separate, real OpenCode with scripted models that fail one after the other. */
export const DemoStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('off') }),
  z.object({ state: z.literal('starting') }),
  /** The demo's panel on this machine, with its key. */
  z.object({ state: z.literal('running'), url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}\/\?t=[\w-]{1,100}$/) }),
  z.object({ state: z.literal('failed'), reason: z.string().max(500) }),
]);
export type DemoStatus = z.infer<typeof DemoStatus>;

/** The demo has its own state home and panel, so that its data never mixes with the user's. */
export const demoQueries = {
  'demo.status': { input: z.null(), output: DemoStatus },
  /** Responds when the panel can be opened or has failed, after one or two minutes at most. */
  'demo.start': { input: z.null(), output: DemoStatus },
  'demo.stop': { input: z.null(), output: DemoStatus },
} as const;
