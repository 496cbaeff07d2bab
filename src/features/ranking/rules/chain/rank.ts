import { BENCHMARK_IDS, type BenchmarkId } from '../base/benchmarks';
import { blended } from '../base/live';
import { ownUnit } from '../base/values';
import { type BudgetEffect, budgetFor, type Headroom } from '../budget/budget';
import { type Formula, type Scored, scoreOf } from '../formula/formula';
import { type Candidate, priceFigure } from './candidate';

export const UNRANKED_CODES = [
  'values.few',
  /** The formula divides by zero. */
  'formula.none',
  'silent',
  /** Too expensive for the low headroom. */
  'price.cap',
  'unscored',
] as const;
export type UnrankedCode = (typeof UNRANKED_CODES)[number];

export type RankedModel = Candidate &
  Readonly<{
    scored: Scored;
    budget: BudgetEffect | null;
    /** From 0 to 1: the score, with local results if they count, times the budget's effect. */
    worth: number | null;
    /** From 1; null without a rank. */
    rank: number | null;
    unranked: UnrankedCode | null;
    estimated: readonly BenchmarkId[];
  }>;

export type RankingRules = Readonly<{
  formula: Formula;
  isLive: boolean;
  headroom: ReadonlyMap<string, Headroom>;
}>;

/** Smaller differences come from the order of additions. */
const WORTH_STEP = 1e-9;

/**
 * Sorts by worth, then by price, then by id; unranked ones follow, those with most values first. The input order does
 * not matter.
 */
export function rankModels(candidates: readonly Candidate[], rules: RankingRules): readonly RankedModel[] {
  const rows = candidates.map((candidate) => worthOf(candidate, rules)).toSorted(compare);
  return rows.map((row, at) => ({ ...row, rank: row.worth === null ? null : at + 1 }));
}

function worthOf(candidate: Candidate, { formula, isLive, headroom }: RankingRules): Omit<RankedModel, 'rank'> {
  const { values, live, price, place, account, isSilent, isPresent } = candidate;
  const scored = scoreOf(formula, numbersOf(candidate));
  const left = headroom.get(account);
  const budget = left === undefined ? null : budgetFor(price, left);
  const estimated = formula.benchmarks.filter((benchmark) => values[benchmark]?.kind === 'estimated');
  const unranked = place !== 'hosted' ? 'unscored' : scored.score === null ? whyUnscored(scored) : null;
  const capped = unranked ?? (isSilent && !isPresent ? 'silent' : budget?.isOverCap ? 'price.cap' : null);
  const score = isLive && scored.score !== null ? blended(scored.score, live) : scored.score;
  const worth = capped !== null || score === null ? null : score * (budget?.multiplier ?? 1);
  return { ...candidate, scored, budget, worth, unranked: capped, estimated };
}

const whyUnscored = ({ missing }: Scored): UnrankedCode => (missing.length > 0 ? 'values.few' : 'formula.none');

function numbersOf({ values }: Candidate): Partial<Record<BenchmarkId, number>> {
  const numbers: Partial<Record<BenchmarkId, number>> = {};
  for (const benchmark of BENCHMARK_IDS) {
    const value = values[benchmark];
    const number = value === undefined ? null : ownUnit(value);
    if (number !== null) numbers[benchmark] = number;
  }
  return numbers;
}

type Comparable = Omit<RankedModel, 'rank'>;

function compare(one: Comparable, other: Comparable): number {
  const [worth, otherWorth] = [stepsOf(one.worth), stepsOf(other.worth)];
  if (worth !== otherWorth) return otherWorth - worth;
  if (one.worth === null && one.scored.known !== other.scored.known) return other.scored.known - one.scored.known;
  const [price, otherPrice] = [priceFigure(one.price), priceFigure(other.price)];
  if (price !== otherPrice) return price < otherPrice ? -1 : 1;
  return one.model < other.model ? -1 : 1;
}

const stepsOf = (worth: number | null): number => (worth === null ? -1 : Math.round(worth / WORTH_STEP));

export function lacking(
  rows: readonly RankedModel[],
): readonly Readonly<{ model: string; benchmarks: readonly BenchmarkId[] }>[] {
  return rows
    .filter(({ place, scored }) => place === 'hosted' && scored.missing.length > 0)
    .map(({ model, scored }) => ({ model, benchmarks: scored.missing }));
}
