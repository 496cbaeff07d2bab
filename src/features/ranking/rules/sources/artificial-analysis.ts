import * as z from 'zod';
import { BENCHMARKS, type BenchmarkId, inUnitOf, maximumOf } from '../base/benchmarks';
import type { BenchmarkValue } from '../base/values';

/**
 * Required wherever their values are displayed. Source: "License and usage" of
 * https://artificialanalysis.ai/api/v2/openapi.
 */
export const ARTIFICIAL_ANALYSIS_CREDIT = {
  text: 'Benchmark values by Artificial Analysis',
  address: 'https://artificialanalysis.ai/',
} as const;

/** They listed some 650 in November 2026, one per reasoning effort of a model. */
export const MODELS_MAX = 5_000;

type Field = Readonly<{ name: string; variant: string | null }>;
const field = (name: string, variant: string | null = null): Field => ({ name, variant });

/**
 * Fields of each benchmark; the first with a number counts. Declared units: 0 to 100 for an index, 0 to 1 for an
 * evaluation. Includes names of the list retired in November 2026 and of its successor.
 * `aime_25` (the exam of 2025) precedes `aime` (2024): it is later, covers more models, and is part of their Math
 * Index since version 3. The exams have the same kind and length, so a note names the exam. Sources:
 * https://artificialanalysis.ai/documentation, https://artificialanalysis.ai/methodology/intelligence-benchmarking.
 */
const FIELDS: Readonly<Partial<Record<BenchmarkId, readonly Field[]>>> = {
  intelligence_index: [field('artificial_analysis_intelligence_index')],
  coding_index: [field('artificial_analysis_coding_index')],
  math_index: [field('artificial_analysis_math_index')],
  gpqa: [field('gpqa_diamond', 'GPQA Diamond'), field('gpqa', 'GPQA Diamond')],
  mmlu_pro: [field('mmlu_pro')],
  hle: [field('hle')],
  livecodebench: [field('livecodebench')],
  scicode: [field('scicode')],
  aime: [field('aime_25', 'AIME 2025'), field('aime', 'AIME 2024')],
  ifbench: [field('ifbench')],
  terminalbench_hard: [field('terminalbench_hard')],
  tau2: [field('tau2_telecom', 'τ²-Bench Telecom'), field('tau2', 'τ²-Bench Telecom')],
  gdpval_aa_elo: [field('gdpval_aa_elo')],
};

const LISTED = Object.entries(FIELDS) as [BenchmarkId, readonly Field[]][];
const NAMES = LISTED.flatMap(([, fields]) => fields.map(({ name }) => name));
/** URL-friendly by their declaration, below 80 characters; a record joins two. */
const Slug = z.string().regex(/^[\w.~-]{1,120}$/);

const Model = z.object({
  name: z.string().max(200),
  slug: Slug,
  /** The free list has makers without a slug. */
  model_creator: z.object({ slug: Slug.nullish() }).nullish(),
  evaluations: z.object(Object.fromEntries(NAMES.map((name) => [name, z.number().nullish()]))).nullish(),
});

export const ArtificialAnalysisList = z.object({
  data: z.array(Model).max(MODELS_MAX),
  pagination: z.object({ has_more: z.boolean() }).nullish(),
});
export type ArtificialAnalysisList = z.infer<typeof ArtificialAnalysisList>;

type ListedModel = ArtificialAnalysisList['data'][number];

/**
 * Values with the model's page as source. Skips numbers outside their declared unit, such as a fraction of 79.
 * @param day of the request: the API states none.
 */
export const valuesFrom = ({ data }: ArtificialAnalysisList, day: string): BenchmarkValue[] =>
  data.flatMap((model) =>
    LISTED.flatMap(([benchmark, fields]) => {
      const found = fields.flatMap(({ name, variant }) => {
        const value = model.evaluations?.[name];
        return isValue(benchmark, value) ? [asValue(model, { benchmark, value, day, variant })] : [];
      });
      return found.slice(0, 1);
    }),
  );

function isValue(benchmark: BenchmarkId, value: number | null | undefined): value is number {
  const { unit } = BENCHMARKS[benchmark];
  if (value == null || inUnitOf(benchmark, value, unit) === null) return false;
  return unit === 'elo' || value <= maximumOf(benchmark);
}

type Found = Readonly<{ benchmark: BenchmarkId; value: number; day: string; variant: string | null }>;

function asValue(model: ListedModel, { benchmark, value, day, variant }: Found): BenchmarkValue {
  const creator = model.model_creator?.slug;
  return {
    record: ['artificialanalysis', ...(creator ? [creator] : []), model.slug].join('/'),
    benchmark,
    value,
    unit: BENCHMARKS[benchmark].unit,
    source: `https://artificialanalysis.ai/models/${model.slug}`,
    date: day,
    kind: 'published',
    origin: 'artificial_analysis',
    note: [model.name, ...(variant === null ? [] : [variant])].join('; '),
  };
}
