import * as z from 'zod';

export const Count = z.int().nonnegative();
export const Ms = z.number().nonnegative();
/** From 0 to 1; null without data. */
export const Share = z.number().min(0).max(1).nullable();
export const Money = z.lazy(() =>
  z
    .string()
    .regex(/^\d+(\.\d{1,9})?$/)
    .describe('US dollars as a decimal string, to avoid rounding.'),
);
export const Percentiles = { p50Ms: Ms.nullable(), p95Ms: Ms.nullable() };
/** A share with its 95 % Wilson bounds; null without data. */
export const Rate = z.object({ value: Share, lower: Share, upper: Share, n: Count });
/** `input` excludes cached tokens, `output` excludes reasoning. */
export const Tokens = z.lazy(() =>
  z.object({
    input: Count,
    output: Count,
    reasoning: Count,
    cacheRead: Count,
    cacheWrite: Count,
  }),
);
