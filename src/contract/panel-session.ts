import * as z from 'zod';

/** Where a tab of a browser exchanges the address's token for a secret of its own, by POST. */
export const SESSION_PATH = 'session';

/** What a tab shows: the token of the address it was opened by. */
export const SessionQuestion = z.object({ token: z.string().min(1).max(200) });
export type SessionQuestion = z.infer<typeof SessionQuestion>;

/** What it is given: the secret it sends as `Authorization: Bearer` with every question. */
export const SessionAnswer = z.object({ secret: z.string().regex(/^[\w-]{43}$/) });
export type SessionAnswer = z.infer<typeof SessionAnswer>;
