import * as z from 'zod';
import { BENCHMARKS, type BenchmarkId, inUnitOf, maximumOf } from '../base/benchmarks';
import type { BenchmarkValue } from '../base/values';

/** What is shown wherever a value of theirs is. Source: "License and usage" of https://artificialanalysis.ai/api/v2/openapi. */
export const ARTIFICIAL_ANALYSIS_CREDIT = {
  text: 'Benchmark values by Artificial Analysis',
  address: 'https://artificialanalysis.ai/',
} as const;

/** More than they list: some 650 in November 2026, one for each reasoning effort of a model. */
export const MODELS_MAX = 5_000;

/** A number of the API, and which variant of a benchmark it is where that has several. */
type Field = Readonly<{ name: string; variant: string | null }>;
const field = (name: string, variant: string | null = null): Field => ({ name, variant });

/**
 * What the API calls each benchmark; of several names the first that has a number counts. The units are declared there: 0 to
 * 100 for an index, 0 to 1 for an evaluation. Names of the list retired in November 2026 stand beside those of its successor.
 *
 * `aime_25`, the exam of 2025, counts as AIME before `aime`, that of 2024: it is the later one, more models have it, and their
 * Math Index is made of it since version 3. The two are different exams of the same kind and length, so the note says which.
 * Sources: https://artificialanalysis.ai/documentation, https://artificialanalysis.ai/methodology/intelligence-benchmarking.
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
/** URL-friendly by their declaration, and below 80 characters; a record's name has room for two and what joins them. */
const Slug = z.string().regex(/^[\w.~-]{1,120}$/);

const Model = z.object({
  name: z.string().max(200),
  slug: Slug,
  /** The free list names its makers without a slug. */
  model_creator: z.object({ slug: Slug.nullish() }).nullish(),
  evaluations: z.object(Object.fromEntries(NAMES.map((name) => [name, z.number().nullish()]))).nullish(),
});

/** One answer of the API, as far as it is read; what else it holds is left out. */
export const ArtificialAnalysisList = z.object({
  data: z.array(Model).max(MODELS_MAX),
  /** Absent where everything comes at once. */
  pagination: z.object({ has_more: z.boolean() }).nullish(),
});
export type ArtificialAnalysisList = z.infer<typeof ArtificialAnalysisList>;

type ListedModel = ArtificialAnalysisList['data'][number];

/**
 * The values of an answer, each with the page of its model as source. A number that its declared unit cannot have, such as a
 * fraction of 79, is no value.
 *
 * @param day on which it was fetched: the API gives none.
 */
export const valuesFrom = ({ data }: ArtificialAnalysisList, day: string): BenchmarkValue[] =>
  data.flatMap((model) =>
    LISTED.flatMap(([benchmark, fields]) => {
      const known = fields.flatMap(({ name, variant }) => {
        const value = model.evaluations?.[name];
        return isValue(benchmark, value) ? [asValue(model, { benchmark, value, day, variant })] : [];
      });
      return known.slice(0, 1);
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
