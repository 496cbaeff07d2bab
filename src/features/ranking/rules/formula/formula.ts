import { BENCHMARK_IDS, type BenchmarkId, maximumOf, normalized } from '../base/benchmarks';
import type { Weights } from '../base/roles';
import { resultOf, type Tree } from './tree';

/** Minimum known share of the weights for a rank. Source: the specification. */
export const KNOWN_MIN = 0.5;
/** Tolerance of decimal sums: .3 + .15 + .05 is not quite half. */
const HAIR = 1e-9;

export type Formula = Readonly<{
  text: string;
  tree: Tree;
  benchmarks: readonly BenchmarkId[];
  /** Null if the formula is no weighted sum. */
  weights: Weights | null;
}>;

/** `share = normalized · weight`, with the known weights scaled up to 1. */
export type ScorePart = Readonly<{ benchmark: BenchmarkId; normalized: number; weight: number; share: number }>;

export type Scored = Readonly<{
  /** From 0 to 1; null with too few values, or without a result. */
  score: number | null;
  /** Known share of the weights, from 0 to 1; without weights, of the named benchmarks. */
  known: number;
  missing: readonly BenchmarkId[];
  parts: readonly ScorePart[];
}>;

type Numbers = Readonly<Partial<Record<BenchmarkId, number>>>;

/** @param numbers in each benchmark's own unit; numbers that are not finite count as missing. */
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
  const share = (benchmarks.length - missing.length) / benchmarks.length;
  const value = missing.length === 0 ? resultOf(tree, counted) : Number.NaN;
  return { score: Number.isFinite(value) ? asScore(value) : null, known: share, missing, parts: [] };
}

function numberOf(numbers: Numbers, benchmark: BenchmarkId): number | null {
  const number = numbers[benchmark];
  return number !== undefined && Number.isFinite(number) ? number : null;
}

const asScore = (value: number): number => Math.min(Math.max(value, 0), 1);
