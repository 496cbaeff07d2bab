import * as z from 'zod';
import type { BenchmarkId } from '../base/benchmarks';
import { parseJson } from '../base/parse-json';
import type { BenchmarkValue } from '../base/values';

/** Low and high estimates, because models differ. */
type Range = Readonly<{ low: number; high: number }>;

type Task = Readonly<{
  task: string;
  metric: string;
  filter: string;
  /** Items per subtask: a limit applies to each. */
  sizes: readonly number[];
  /** Assumed, per item. */
  tokens: Readonly<{ input: Range; output: Range }>;
}>;

/** Longest answer: the default of 256 would cut off reasoning models. */
export const ANSWER_MAX_TOKENS = 8_192;

/**
 * Benchmarks with text answers: chat endpoints report no likelihoods.
 * Items: MMLU-Pro's 12,032 of 14 subjects, GPQA's 198 of its diamond set, IFBench's 300 (294 in later revisions).
 * Sources: https://huggingface.co/datasets/TIGER-Lab/MMLU-Pro, https://arxiv.org/abs/2311.12022,
 * https://arxiv.org/abs/2507.02833. Tasks and metrics: https://github.com/EleutherAI/lm-evaluation-harness at 0.4.13;
 * `ifbench` is proposed there (pull request 3642), and its paper counts prompts, loosely.
 * Tokens are assumed, not measured: five examples per question of MMLU-Pro, one question otherwise; from a few lines
 * of explanation to a cut-off answer.
 */
export const LM_EVAL_TASKS = {
  ifbench: {
    task: 'ifbench',
    metric: 'prompt_level_loose_acc',
    filter: 'none',
    sizes: [300],
    tokens: { input: { low: 40, high: 800 }, output: { low: 100, high: ANSWER_MAX_TOKENS } },
  },
  mmlu_pro: {
    task: 'mmlu_pro',
    metric: 'exact_match',
    filter: 'custom-extract',
    sizes: [717, 789, 1_132, 410, 844, 969, 818, 381, 1_101, 1_351, 924, 499, 1_299, 798],
    tokens: { input: { low: 900, high: 2_500 }, output: { low: 150, high: ANSWER_MAX_TOKENS } },
  },
  gpqa: {
    task: 'gpqa_diamond_cot_zeroshot',
    metric: 'exact_match',
    filter: 'flexible-extract',
    sizes: [198],
    tokens: { input: { low: 150, high: 700 }, output: { low: 300, high: ANSWER_MAX_TOKENS } },
  },
} as const satisfies Readonly<Partial<Record<BenchmarkId, Task>>>;

export type LmEvalBenchmark = keyof typeof LM_EVAL_TASKS;

export const LM_EVAL_BENCHMARKS = Object.keys(LM_EVAL_TASKS) as LmEvalBenchmark[];

export type LmEvalEstimate = Readonly<{
  items: number;
  /** In US dollars; null without a price. */
  dollars: Range | null;
}>;

/** A null limit means all items; prices are US dollars per million tokens. */
export type LmEvalPlan = Readonly<{
  benchmark: LmEvalBenchmark;
  limit: number | null;
  price: Readonly<{ input: number; output: number }> | null;
}>;

export function estimateCost({ benchmark, limit, price }: LmEvalPlan): LmEvalEstimate {
  const { sizes, tokens }: Task = LM_EVAL_TASKS[benchmark];
  const items = sizes.reduce((sum, size) => sum + Math.min(size, limit ?? size), 0);
  const dollarsAt = (end: keyof Range): number =>
    price === null ? 0 : (items * (tokens.input[end] * price.input + tokens.output[end] * price.output)) / 1e6;
  const dollars = price === null ? null : { low: dollarsAt('low'), high: dollarsAt('high') };
  return { items, dollars };
}

const VERSION_SHAPE = /^\d[\w.+-]{0,39}$/;

const Metrics = z.record(z.string(), z.unknown());

const ResultFile = z.object({
  results: z.record(z.string(), Metrics),
  /** Groups of tasks; older versions list them only here. */
  groups: z.record(z.string(), Metrics).optional(),
  'n-samples': z.record(z.string(), z.object({ original: z.int(), effective: z.int() })).optional(),
  /** A reason if it cannot determine its version. */
  lm_eval_version: z.string().nullish(),
});

export type LmEvalSubject = Readonly<{ record: string; benchmark: LmEvalBenchmark; day: string }>;

export type LmEvalReading = Readonly<{ ok: true; value: BenchmarkValue } | { ok: false; reason: string }>;

export function readLmEvalResult(text: string, { record, benchmark, day }: LmEvalSubject): LmEvalReading {
  const read = ResultFile.safeParse(parsePython(text));
  if (!read.success) return { ok: false, reason: 'The result of lm_eval has an unknown format.' };
  const { task, metric, filter }: Task = LM_EVAL_TASKS[benchmark];
  const { results, groups, 'n-samples': samples = {}, lm_eval_version: version } = read.data;
  const metrics = groups?.[task] ?? results[task] ?? {};
  const value = metrics[`${metric},${filter}`];
  if (typeof value !== 'number' || value < 0 || value > 1)
    return { ok: false, reason: `The result of lm_eval has no ${metric},${filter} of ${task}.` };
  const error = metrics[`${metric}_stderr,${filter}`];
  const note = [
    `task ${task}`,
    itemsPhrase(Object.values(samples)),
    `${metric},${filter}`,
    `standard error ${typeof error === 'number' ? error.toFixed(4) : 'unknown'}`,
    `answers of at most ${ANSWER_MAX_TOKENS} tokens`,
  ].join(', ');
  const safeVersion = version && VERSION_SHAPE.test(version) ? version : 'of an unknown version';
  const source = `Measured on this machine with lm_eval ${safeVersion}`;
  return {
    ok: true,
    value: { record, benchmark, value, unit: 'fraction', source, date: day, kind: 'measured', origin: 'lm_eval', note },
  };
}

function itemsPhrase(samples: readonly Readonly<{ original: number; effective: number }>[]): string {
  const sum = (which: 'original' | 'effective'): number => samples.reduce((total, sample) => total + sample[which], 0);
  return samples.length === 0 ? 'items unknown' : `${sum('effective')} of ${sum('original')} items`;
}

/** Replaces Python's non-JSON numbers with null. Undefined if still not JSON. */
const parsePython = (text: string): unknown =>
  parseJson(text.replace(/(:\s*)(?:NaN|-?Infinity)(?=\s*[,}])/g, '$1null'));
