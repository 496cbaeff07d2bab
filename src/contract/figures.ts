import * as z from 'zod';

/** A number of things. */
export const Count = z.int().nonnegative();
/** Milliseconds. */
export const Ms = z.number().nonnegative();
/** A share from 0 to 1; null without data, which is not zero. */
export const Share = z.number().min(0).max(1).nullable();
export const Money = z.lazy(() =>
  z
    .string()
    .regex(/^\d+(\.\d{1,9})?$/)
    .describe('US dollars as a decimal number in a text, so that nothing is rounded.'),
);
/** Where half of the values end, and where 95 of 100 do; null without any. */
export const Percentiles = { p50Ms: Ms.nullable(), p95Ms: Ms.nullable() };
/** A share with its 95 % Wilson bounds and the number it rests on; null without data. */
export const Rate = z.object({ value: Share, lower: Share, upper: Share, n: Count });
/** Tokens by kind: `input` without cached ones, `output` without reasoning. */
export const Tokens = z.lazy(() =>
  z.object({
    input: Count,
    output: Count,
    reasoning: Count,
    cacheRead: Count,
    cacheWrite: Count,
  }),
);
