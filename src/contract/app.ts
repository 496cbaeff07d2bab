import * as z from 'zod';

/** Queries about the app itself, for troubleshooting. */
export const appQueries = {
  /** Paths of the app's files by purpose, existing or not. */
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
      /** Plugins in OpenCode's configuration that react to the same failures, and the advice for each. */
      neighbours: z.array(z.string()),
    }),
  },
  /** A bug report without names, projects and keys of the user. */
  'app.report': { input: z.null(), output: z.object({ name: z.string(), text: z.string() }) },
} as const;
