import * as z from 'zod';

export const appQueries = {
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
      /** Plugins in OpenCode's configuration that react to the same failures. */
      neighbours: z.array(z.string()),
    }),
  },
  /** Contains no names, projects or keys. */
  'app.report': { input: z.null(), output: z.object({ name: z.string(), text: z.string() }) },
} as const;
