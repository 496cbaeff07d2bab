import * as z from 'zod';

/** A failure that neither a rule, a provider map nor a pattern of the user's names, and how often it was seen. Times are wall-clock ms. */
export const UnknownPhrase = z.object({
  id: z.string(),
  provider: z.string(),
  status: z.int().nullable(),
  code: z.string().nullable(),
  /** As it was last said, without secrets and without what stood in quotes. */
  text: z.string().max(300),
  count: z.int().positive(),
  firstSeen: z.number(),
  lastSeen: z.number(),
  /** The last model that said it. */
  model: z.string(),
  /** Words of it that would tell it from others; null when it has too few. */
  suggestion: z.string().nullable(),
});
export type UnknownPhrase = z.infer<typeof UnknownPhrase>;

/** One page of them; what is left out begins at 0 and has 50. */
export const PhrasePage = z.object({
  offset: z.int().nonnegative().default(0),
  limit: z.int().min(1).max(100).default(50),
});
