/** Results of a model for an agent on this machine, without OpenCode's own requests. */
export type LiveFigures = Readonly<{
  /** Attempts that ended, in an answer or a failure. */
  n: number;
  answered: number;
  /** Share of attempts that ended in an answer, with its 95 % Wilson bounds; null without any. */
  share: Readonly<{ value: number; lower: number; upper: number }> | null;
  /** Median time to the first token of an answer, in ms; null without a measurement. */
  firstTokenP50Ms: number | null;
  /** US dollars per answered turn; null without a known price. */
  costPerAnswer: number | null;
}>;

/** Number of attempts with which local results count as much as benchmarks. Source: the specification. */
const PRIOR_ATTEMPTS = 20;

/** Score with local results: `(1 - a) · benchmark + a · live`, `a = n / (n + 20)`. */
export function blended(score: number, live: LiveFigures | null): number {
  if (live?.share === null || live === null) return score;
  const a = live.n / (live.n + PRIOR_ATTEMPTS);
  return (1 - a) * score + a * live.share.lower;
}
