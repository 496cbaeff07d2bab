import * as z from 'zod';

/** A failure that no rule, provider map or pattern of the user recognizes, and its count. Times are wall-clock ms. */
export const UnknownPhrase = z.object({
  id: z.string(),
  provider: z.string(),
  status: z.int().nullable(),
  code: z.string().nullable(),
  /** Its latest text, without secrets and quoted parts. */
  text: z.string().max(300),
  count: z.int().positive(),
  firstSeen: z.number(),
  lastSeen: z.number(),
  /** The latest model that reported it. */
  model: z.string(),
  /** Words that distinguish it from other texts; null if it has too few. */
  suggestion: z.string().nullable(),
});
export type UnknownPhrase = z.infer<typeof UnknownPhrase>;

/** One page, by default the first 50. */
export const PhrasePage = z.object({
  offset: z.int().nonnegative().default(0),
  limit: z.int().min(1).max(100).default(50),
});
