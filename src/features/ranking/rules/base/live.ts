/** How a model did for an agent on this machine. Nothing is said of requests that OpenCode makes for itself. */
export type LiveFigures = Readonly<{
  /** Attempts that ended, in an answer or a failure. */
  n: number;
  answered: number;
  /** Share of attempts that ended in an answer, with its 95 % Wilson bounds; null without any. */
  share: Readonly<{ value: number; lower: number; upper: number }> | null;
  /** Median time to the first token of an answer, in ms; null where none was measured. */
  firstTokenP50Ms: number | null;
  /** US dollars for each turn it answered; null where no price is known. */
  costPerAnswer: number | null;
}>;

/** Attempts after which a model's own record here counts as much as its benchmarks. Source: the specification. */
const PRIOR_ATTEMPTS = 20;

/** What counts of a model where its record here is to be heard: `(1 - a) · benchmark + a · live`, `a = n / (n + 20)`. */
export function blended(score: number, live: LiveFigures | null): number {
  if (live?.share === null || live === null) return score;
  const a = live.n / (live.n + PRIOR_ATTEMPTS);
  return (1 - a) * score + a * live.share.lower;
}
