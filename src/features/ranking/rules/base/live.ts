/** Excludes OpenCode's own requests. */
export type LiveFigures = Readonly<{
  /** Attempts that ended, in an answer or a failure. */
  n: number;
  answered: number;
  /** 95 % Wilson bounds; null without attempts. */
  share: Readonly<{ value: number; lower: number; upper: number }> | null;
  firstTokenP50Ms: number | null;
  /** US dollars per answered turn; null without a price. */
  costPerAnswer: number | null;
}>;

/** Attempts at which local results weigh as much as benchmarks. Source: the specification. */
const PRIOR_ATTEMPTS = 20;

/** Returns `(1 - a) · benchmark + a · live`, `a = n / (n + 20)`. */
export function blended(score: number, live: LiveFigures | null): number {
  if (live?.share === null || live === null) return score;
  const a = live.n / (live.n + PRIOR_ATTEMPTS);
  return (1 - a) * score + a * live.share.lower;
}
