// Which numbers of models.dev are of a benchmark that models are ranked by, and in which unit their source declares them.
// Both are decided here by a person, who has looked at the source: neither follows from a name that is alike, nor from the
// size of a number.

/**
 * What is taken. All of name, metric, dataset, version and harness must be as they stand here; what is absent must be absent.
 */
const TAKEN = [
  // Scale's own leaderboard of the public set, in percent; the published `model_benchmarks.json` has the same numbers as such.
  { name: 'SWE-Bench Pro', metric: 'resolve rate', dataset: 'public', benchmark: 'swe_bench_pro', unit: 'percent' },
  // What vendors announce of themselves and of others, in tables of percents.
  { name: 'SWE-Bench Pro', metric: 'resolve rate', benchmark: 'swe_bench_pro', unit: 'percent' },
  { name: 'SWE-Bench Pro', metric: 'percent resolved', benchmark: 'swe_bench_pro', unit: 'percent' },
  // The column of swebench.com is "% Resolved", and model cards speak of the same.
  { name: 'SWE-Bench Verified', metric: 'resolved', benchmark: 'swe_bench_verified', unit: 'percent' },
  { name: 'SWE-Bench Verified', metric: 'percent resolved', benchmark: 'swe_bench_verified', unit: 'percent' },
  // The next three are figures of Artificial Analysis on pages of OpenRouter. Its own API gives the same two as fractions:
  // SciCode 0.278 and Terminal-Bench Hard 0.152 for Qwen3 Coder 30B A3B, where these say 27.8 and 15.2.
  { name: 'Artificial Analysis Coding Index', metric: 'index', benchmark: 'coding_index', unit: 'index' },
  { name: 'SciCode', metric: 'percent correct', benchmark: 'scicode', unit: 'percent' },
  { name: 'Terminal-Bench Hard', metric: 'success rate', benchmark: 'terminalbench_hard', unit: 'percent' },
];

/** What is not taken, and why. A row holds for whatever it does not name. What is in neither table is told, and not taken. */
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
  // All numbers without a metric come from one vendor, of a model that asks several others. Its charts call the axis "Score"
  // and name no unit, and give another number for Humanity's Last Exam, of its text questions alone.
  { metric: null, why: 'the source declares no unit' },
];

const CONDITIONS = ['name', 'metric', 'dataset', 'version', 'harness'];

/**
 * What one `[[benchmarks]]` of models.dev is to us.
 *
 * @returns {{ benchmark: string, unit: string } | { why: string } | null} null: nobody has decided yet.
 */
export function decisionOn(result) {
  const taken = TAKEN.find((row) => CONDITIONS.every((condition) => row[condition] === result[condition]));
  if (taken !== undefined) return { benchmark: taken.benchmark, unit: taken.unit };
  const left = LEFT_OUT.find((row) =>
    CONDITIONS.every((condition) => row[condition] === undefined || row[condition] === (result[condition] ?? null)),
  );
  return left === undefined ? null : { why: left.why };
}
