import { BENCHMARK_IDS, type BenchmarkId, maximumOf, normalized } from '../base/benchmarks';
import type { Weights } from '../base/roles';
import { resultOf, type Tree } from './tree';

/** The share of its weights that must be known for a model to be ranked; exactly half is enough. Source: the specification. */
export const KNOWN_MIN = 0.5;
/** What sums of decimals may be off: .3 + .15 + .05 is not quite half. */
const HAIR = 1e-9;

/** How a role scores a model, read and checked. */
export type Formula = Readonly<{
  /** As it was written, with our names for the benchmarks. */
  text: string;
  tree: Tree;
  /** Those it names, in the order of `BENCHMARK_IDS`. */
  benchmarks: readonly BenchmarkId[];
  /** What each normalized benchmark counts, together 1; null where the formula is no weighted sum. */
  weights: Weights | null;
}>;

/** What one benchmark adds to a score: `share = normalized · weight`, with the known weights scaled up to 1. */
export type ScorePart = Readonly<{ benchmark: BenchmarkId; normalized: number; weight: number; share: number }>;

export type Scored = Readonly<{
  /** From 0 to 1; null where too little is known, or the formula comes to no number. */
  score: number | null;
  /** The share of the weights that is known, from 0 to 1; of a formula that is no weighted sum, of the benchmarks it names. */
  known: number;
  /** Benchmarks that count and have no number. */
  missing: readonly BenchmarkId[];
  /** What the score is made of, adding up to it; empty without a score, and for a formula that is no weighted sum. */
  parts: readonly ScorePart[];
}>;

type Numbers = Readonly<Partial<Record<BenchmarkId, number>>>;

/**
 * What a formula says of a model.
 *
 * @param numbers of the model's benchmarks, each in its benchmark's own unit; what is not finite counts as missing.
 */
export function scoreOf(formula: Formula, numbers: Numbers): Scored {
  return formula.weights === null ? valueScore(formula, numbers) : weightedScore(formula.weights, numbers);
}

function weightedScore(weights: Weights, numbers: Numbers): Scored {
  const missing: BenchmarkId[] = [];
  const found: Omit<ScorePart, 'share'>[] = [];
  let all = 0;
  let knownWeight = 0;
  for (const benchmark of BENCHMARK_IDS) {
    const weight = weights[benchmark] ?? 0;
    if (weight === 0) continue;
    all += weight;
    const number = numberOf(numbers, benchmark);
    if (number === null) {
      missing.push(benchmark);
      continue;
    }
    knownWeight += weight;
    found.push({ benchmark, normalized: normalized(benchmark, number), weight });
  }
  const known = knownWeight / all;
  if (known < KNOWN_MIN - HAIR) return { score: null, known, missing, parts: [] };
  const parts = found.map((part) => {
    const weight = part.weight / knownWeight;
    return { benchmark: part.benchmark, normalized: part.normalized, weight, share: part.normalized * weight };
  });
  return { score: asScore(parts.reduce((sum, { share }) => sum + share, 0)), known, missing, parts };
}

function valueScore({ tree, benchmarks }: Formula, numbers: Numbers): Scored {
  const counted: Partial<Record<BenchmarkId, number>> = {};
  const missing: BenchmarkId[] = [];
  for (const benchmark of benchmarks) {
    const number = numberOf(numbers, benchmark);
    if (number === null) missing.push(benchmark);
    else counted[benchmark] = Math.min(Math.max(number, 0), maximumOf(benchmark));
  }
  const known = (benchmarks.length - missing.length) / benchmarks.length;
  const value = missing.length === 0 ? resultOf(tree, counted) : Number.NaN;
  return { score: Number.isFinite(value) ? asScore(value) : null, known, missing, parts: [] };
}

function numberOf(numbers: Numbers, benchmark: BenchmarkId): number | null {
  const number = numbers[benchmark];
  return number !== undefined && Number.isFinite(number) ? number : null;
}

const asScore = (value: number): number => Math.min(Math.max(value, 0), 1);
