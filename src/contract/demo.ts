import * as z from 'zod';

/** The demo beside this panel: a separate, real OpenCode with scripted models that fail one after the other. */
export const DemoStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('off') }),
  z.object({ state: z.literal('starting') }),
  /** `url` is the demo's panel on this machine, with its key. */
  z.object({ state: z.literal('running'), url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}\/\?t=[\w-]{1,100}$/) }),
  z.object({ state: z.literal('failed'), reason: z.string().max(500) }),
]);
export type DemoStatus = z.infer<typeof DemoStatus>;

/** The demo has a separate state home and panel: its data never appears among the user's rows. */
export const demoQueries = {
  'demo.status': { input: z.null(), output: DemoStatus },
  /**
   * Answers when the demo's panel can be opened, or with the reason why it cannot; after one or two minutes at most.
   */
  'demo.start': { input: z.null(), output: DemoStatus },
  'demo.stop': { input: z.null(), output: DemoStatus },
} as const;
