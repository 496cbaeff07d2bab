import * as z from 'zod';
import type { UsageRecorded } from '../../protocol';

const Dollars = z.number().nonnegative().max(1e9);

/** US dollars per million tokens. */
type Prices = Readonly<{ input: number; output: number; cacheRead: number; cacheWrite: number }>;

/** `beyond` applies to a context of more tokens than that. */
export type ModelCost = Prices & Readonly<{ beyond?: Prices & Readonly<{ tokens: number }> }>;

const Named = { input: Dollars, output: Dollars, cache_read: Dollars.optional(), cache_write: Dollars.optional() };
/** The format of OpenCode 1, which OpenCode 2 reads too. */
const InOne = z.object({ ...Named, context_over_200k: z.object(Named).optional() });
/** The format of OpenCode 2: one price for each size of context. */
const InTiers = z
  .array(
    z.object({
      input: Dollars,
      output: Dollars,
      tier: z.object({ size: z.number().positive() }).optional(),
      cache: z.object({ read: Dollars.optional(), write: Dollars.optional() }).optional(),
    }),
  )
  .min(1)
  .max(20);

/** Context size from which OpenCode 1 uses other prices, in tokens. */
const LONG_CONTEXT = 200_000;
const MILLION = 1_000_000;

export function costIn(value: unknown): ModelCost | null {
  const one = InOne.safeParse(value).data;
  if (one) {
    const { context_over_200k: over } = one;
    return { ...pricesOf(one), ...(over ? { beyond: { tokens: LONG_CONTEXT, ...pricesOf(over) } } : {}) };
  }
  const tiers = InTiers.safeParse(value).data ?? [];
  const base = tiers.find(({ tier }) => tier === undefined) ?? tiers[0];
  const over = tiers.find(({ tier }) => tier !== undefined);
  if (!base) return null;
  return { ...tierOf(base), ...(over?.tier ? { beyond: { tokens: over.tier.size, ...tierOf(over) } } : {}) };
}

const pricesOf = ({ input, output, cache_read = 0, cache_write = 0 }: z.infer<typeof InOne>): Prices => ({
  input,
  output,
  cacheRead: cache_read,
  cacheWrite: cache_write,
});
const tierOf = ({ input, output, cache }: z.infer<typeof InTiers>[number]): Prices => ({
  input,
  output,
  cacheRead: cache?.read ?? 0,
  cacheWrite: cache?.write ?? 0,
});

/** In US dollars, by OpenCode's rule: reasoning costs as much as output. */
export function costOfTokens(cost: ModelCost, tokens: UsageRecorded['tokens']): number {
  const { beyond } = cost;
  const price = beyond && tokens.input + tokens.cacheRead > beyond.tokens ? beyond : cost;
  const answered = tokens.output + tokens.reasoning;
  const read = tokens.cacheRead * price.cacheRead + tokens.cacheWrite * price.cacheWrite;
  return (tokens.input * price.input + answered * price.output + read) / MILLION;
}
