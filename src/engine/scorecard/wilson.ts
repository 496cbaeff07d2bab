/** With 95 % bounds; all null without data. */
export type Rate = Readonly<{ value: number | null; lower: number | null; upper: number | null; n: number }>;

/** 95 % quantile of the normal distribution, two-sided. */
const Z = 1.959963984540054;

/**
 * Wilson score bounds without continuity correction, for `0 <= hits <= n`.
 * @see Newcombe, Statistics in Medicine 17 (1998) 857-872, method 3.
 */
export function rateOf(hits: number, n: number): Rate {
  if (n <= 0) return { value: null, lower: null, upper: null, n: 0 };
  const share = hits / n;
  const shift = (Z * Z) / n;
  const center = share + shift / 2;
  const spread = Z * Math.sqrt((share * (1 - share)) / n + shift / (4 * n));
  // Despite rounding, the share must lie within its bounds.
  const lower = hits === 0 ? 0 : Math.max(0, (center - spread) / (1 + shift));
  const upper = hits === n ? 1 : Math.min(1, (center + spread) / (1 + shift));
  return { value: share, lower, upper, n };
}
