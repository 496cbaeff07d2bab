import * as z from 'zod';

export const Count = z.int().nonnegative();
/** Milliseconds. */
export const Ms = z.number().nonnegative();
/** A share from 0 to 1; null without data, which differs from zero. */
export const Share = z.number().min(0).max(1).nullable();
export const Money = z.lazy(() =>
  z
    .string()
    .regex(/^\d+(\.\d{1,9})?$/)
    .describe('US dollars as a decimal number in a text, so that nothing is rounded.'),
);
/** 50th and 95th percentile; null without values. */
export const Percentiles = { p50Ms: Ms.nullable(), p95Ms: Ms.nullable() };
/** A share with its 95 % Wilson bounds and its sample size; null without data. */
export const Rate = z.object({ value: Share, lower: Share, upper: Share, n: Count });
/** Tokens by kind: `input` excludes cached tokens, `output` excludes reasoning. */
export const Tokens = z.lazy(() =>
  z.object({
    input: Count,
    output: Count,
    reasoning: Count,
    cacheRead: Count,
    cacheWrite: Count,
  }),
);
