// Selects benchmark numbers of models.dev, and their units as the sources declare them. A person decides after reading
// the source: similar names and sizes prove nothing.

/** Accepted numbers. Name, metric, dataset, version and harness must match exactly; absent ones must be absent. */
const TAKEN = [
  // Scale's own leaderboard of the public set, in percent, as in the published `model_benchmarks.json`.
  { name: 'SWE-Bench Pro', metric: 'resolve rate', dataset: 'public', benchmark: 'swe_bench_pro', unit: 'percent' },
  // Vendors' tables, in percent.
  { name: 'SWE-Bench Pro', metric: 'resolve rate', benchmark: 'swe_bench_pro', unit: 'percent' },
  { name: 'SWE-Bench Pro', metric: 'percent resolved', benchmark: 'swe_bench_pro', unit: 'percent' },
  // The column of swebench.com is "% Resolved", and model cards use the same.
  { name: 'SWE-Bench Verified', metric: 'resolved', benchmark: 'swe_bench_verified', unit: 'percent' },
  { name: 'SWE-Bench Verified', metric: 'percent resolved', benchmark: 'swe_bench_verified', unit: 'percent' },
  // The next three are Artificial Analysis figures on OpenRouter pages. Its API gives two of them as fractions:
  // SciCode 0.278 and Terminal-Bench Hard 0.152 for Qwen3 Coder 30B A3B, where these have 27.8 and 15.2.
  { name: 'Artificial Analysis Coding Index', metric: 'index', benchmark: 'coding_index', unit: 'index' },
  { name: 'SciCode', metric: 'percent correct', benchmark: 'scicode', unit: 'percent' },
  { name: 'Terminal-Bench Hard', metric: 'success rate', benchmark: 'terminalbench_hard', unit: 'percent' },
];

/**
 * Rejected numbers, with the reason. A row matches any value of an omitted condition. Numbers in neither table are
 * reported and not used.
 */
const LEFT_OUT = [
  { name: 'SWE-Bench Pro', dataset: 'hard-aa', why: 'another set of tasks, in the harness of an agent' },
  { name: 'SWE-Bench Multilingual', why: 'another set of tasks' },
  { name: 'Terminal-Bench', why: 'version 2 and later, not Hard' },
  { name: 'Terminal-Bench 2.1', why: 'version 2 and later, not Hard' },
  { name: 'Terminal Bench 2.0', why: 'version 2 and later, not Hard' },
  { name: 'Artificial Analysis Coding Agent Index', why: 'of an agent with a model, not the Coding Index of a model' },
  { name: 'Aider Polyglot', why: 'none of the benchmarks' },
  { name: 'SWE-Atlas Codebase QnA', why: 'none of the benchmarks' },
  { name: 'SWE-Atlas Refactoring', why: 'none of the benchmarks' },
  { name: 'SWE-Atlas Test Writing', why: 'none of the benchmarks' },
  { name: 'Claw-eval', why: 'none of the benchmarks' },
  { name: 'NL2Repo', why: 'none of the benchmarks' },
  // All numbers without a metric come from one vendor. Its charts label the axis "Score" without a unit, and its
  // number for Humanity's Last Exam differs from its text-only one.
  { metric: null, why: 'the source declares no unit' },
];

const CONDITIONS = ['name', 'metric', 'dataset', 'version', 'harness'];

/**
 * Decides about one `[[benchmarks]]` entry of models.dev.
 * @returns {{ benchmark: string, unit: string }
 * { why: string }
 * null} null: undecided.
 */
export function decisionOn(result) {
  const taken = TAKEN.find((row) => CONDITIONS.every((condition) => row[condition] === result[condition]));
  if (taken !== undefined) return { benchmark: taken.benchmark, unit: taken.unit };
  const left = LEFT_OUT.find((row) =>
    CONDITIONS.every((condition) => row[condition] === undefined || row[condition] === (result[condition] ?? null)),
  );
  return left === undefined ? null : { why: left.why };
}
