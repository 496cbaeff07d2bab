import * as z from 'zod';

/** No rule, provider map or user pattern recognizes it. Wall-clock ms. */
export const UnknownPhrase = z.object({
  id: z.string(),
  provider: z.string(),
  status: z.int().nullable(),
  code: z.string().nullable(),
  /** Without secrets and quoted parts. */
  text: z.string().max(300),
  count: z.int().positive(),
  firstSeen: z.number(),
  lastSeen: z.number(),
  model: z.string(),
  /** Distinctive words; null if too few. */
  suggestion: z.string().nullable(),
});
export type UnknownPhrase = z.infer<typeof UnknownPhrase>;

export const PhrasePage = z.object({
  offset: z.int().nonnegative().default(0),
  limit: z.int().min(1).max(100).default(50),
});
