import * as z from 'zod';

/** What the panel may ask of the program behind it, for when something is wrong. */
export const appQueries = {
  /** Where its files lie, by what they are for, whether or not they are there. */
  'app.info': {
    input: z.null(),
    output: z.object({
      paths: z.object({
        folder: z.string(),
        preferences: z.string(),
        config: z.string(),
        log: z.string(),
        history: z.string(),
        writes: z.string(),
        fallbackLog: z.string(),
      }),
      metricsToken: z.string(),
      system: z.string(),
      /** Plugins in OpenCode's configuration that would act on the same failures, and what to do about each. */
      neighbours: z.array(z.string()),
    }),
  },
  /** What helps whoever looks for a fault, and nothing that names the user, their projects or their keys. */
  'app.report': { input: z.null(), output: z.object({ name: z.string(), text: z.string() }) },
} as const;
