import * as z from 'zod';

/** The demo beside this panel: a real OpenCode of its own whose models, all scripted, fail one after the other. */
export const DemoStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('off') }),
  z.object({ state: z.literal('starting') }),
  /** `url` is the panel of the demo, on this machine; it holds the key to it. */
  z.object({ state: z.literal('running'), url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}\/\?t=[\w-]{1,100}$/) }),
  z.object({ state: z.literal('failed'), reason: z.string().max(500) }),
]);
export type DemoStatus = z.infer<typeof DemoStatus>;

/** The demo has a state home and a panel of its own: nothing of it is ever among the user's rows. */
export const demoQueries = {
  'demo.status': { input: z.null(), output: DemoStatus },
  /** Answers when its panel can be opened, or why it cannot, after a minute or two at most. */
  'demo.start': { input: z.null(), output: DemoStatus },
  'demo.stop': { input: z.null(), output: DemoStatus },
} as const;
