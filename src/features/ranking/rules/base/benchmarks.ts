export const UNITS = ['fraction', 'percent', 'index', 'elo', 'tokens'] as const;
export type Unit = (typeof UNITS)[number];

/** Divisors of units, and the maximum that counts. Source: the constants of the published `bench_calc.json`. */
export const CONSTANTS = {
  MAX_PERCENT_SCORE: 100,
  MAX_INDEX_SCORE: 100,
  MAX_GDPVAL_AA_ELO: 2000,
  MAX_CONTEXT_LENGTH: 2_000_000,
} as const;
export type ConstantName = keyof typeof CONSTANTS;

export const DIVISOR_OF: Readonly<Record<Unit, ConstantName | null>> = {
  fraction: null,
  percent: 'MAX_PERCENT_SCORE',
  index: 'MAX_INDEX_SCORE',
  elo: 'MAX_GDPVAL_AA_ELO',
  tokens: 'MAX_CONTEXT_LENGTH',
};

export const BENCHMARKS = {
  gpqa: { name: 'Graduate-Level Google-Proof Q&A', unit: 'fraction' },
  mmlu_pro: { name: 'Massive Multitask Language Understanding Professional', unit: 'fraction' },
  intelligence_index: { name: 'Overall intelligence score', unit: 'index' },
  ifbench: { name: 'Instruction Following Benchmark', unit: 'fraction' },
  context_length: { name: 'Maximum context window', unit: 'tokens' },
  tau2: { name: 'Tau-squared', unit: 'fraction' },
  gdpval_aa_elo: { name: 'Artificial Analysis GDPval Elo', unit: 'elo' },
  aime: { name: 'AI Mathematical Evaluation', unit: 'fraction' },
  math_index: { name: 'Mathematical capability index', unit: 'index' },
  hle: { name: 'Humanity’s Last Exam', unit: 'fraction' },
  terminalbench_hard: { name: 'Terminal interaction benchmark', unit: 'fraction' },
  coding_index: { name: 'Coding capability index', unit: 'index' },
  swe_bench_pro: { name: 'Software engineering tasks, professional', unit: 'percent' },
  swe_bench_verified: { name: 'Software engineering tasks, verified', unit: 'percent' },
  livecodebench: { name: 'Live coding performance', unit: 'fraction' },
  scicode: { name: 'Scientific code generation', unit: 'fraction' },
} as const satisfies Readonly<Record<string, Readonly<{ name: string; unit: Unit }>>>;

export type BenchmarkId = keyof typeof BENCHMARKS;

export const BENCHMARK_IDS = Object.keys(BENCHMARKS) as [BenchmarkId, ...BenchmarkId[]];

export const isBenchmark = (name: string): name is BenchmarkId => Object.hasOwn(BENCHMARKS, name);

export function maximumOf(benchmark: BenchmarkId): number {
  const divisor = DIVISOR_OF[BENCHMARKS[benchmark].unit];
  return divisor === null ? 1 : CONSTANTS[divisor];
}

/**
 * Never guesses by size.
 * @returns null if the units have no common measure, or the number is invalid.
 */
export function inUnitOf(benchmark: BenchmarkId, value: number, unit: Unit): number | null {
  const wanted = BENCHMARKS[benchmark].unit;
  if (!Number.isFinite(value) || value < 0) return null;
  if (unit === wanted) return value;
  if (unit === 'percent' && wanted === 'fraction') return value / CONSTANTS.MAX_PERCENT_SCORE;
  if (unit === 'fraction' && wanted === 'percent') return value * CONSTANTS.MAX_PERCENT_SCORE;
  return null;
}

/** Share of the maximum that counts, from 0 to 1. */
export function normalized(benchmark: BenchmarkId, value: number): number {
  const most = maximumOf(benchmark);
  return Math.min(Math.max(value, 0), most) / most;
}
