import type { BenchmarkId, BenchmarkValue, Unit } from '../../src/features/ranking/contract/ranking';

/** Fictitious models with a price and values; `-` is unknown. */
const MODELS: Readonly<Record<string, readonly [price: number, values: string]>> = {
  'alpha/atlas-1': [3, '58 78 71 52 83 66 82'],
  'alpha/atlas-mini': [0.4, '41 61 55 38 70 52 74'],
  'beta/boreal-2': [1.2, '55 74 75 57 85 61 80'],
  'beta/boreal-air': [0.3, '- 52 50 33 66 45 71'],
  'gamma/gale-3': [2, '61 76 80 60 88 70 85'],
  'delta/dune-9': [0.9, '44 66 - 41 76 50 77'],
  'epsilon/ember': [15, '57 72 68 - 79 58 -'],
  'zeta/zephyr-pro': [0.7, '- - 61 - 74 - 70'],
};
const COLUMNS = [
  ['swe_bench_pro', 'percent'],
  ['swe_bench_verified', 'percent'],
  ['livecodebench', 'percent'],
  ['coding_index', 'index'],
  ['gpqa', 'percent'],
  ['ifbench', 'percent'],
  ['mmlu_pro', 'percent'],
] as const satisfies readonly (readonly [BenchmarkId, Unit])[];
const SOURCE = 'Invented for tests';

export function inventedShares(): readonly BenchmarkValue[] {
  return Object.entries(MODELS).flatMap(([record, [, values]]) =>
    values.split(' ').flatMap((value, place): BenchmarkValue[] => {
      const [benchmark, unit] = COLUMNS[place] ?? [];
      if (value === '-' || benchmark === undefined || unit === undefined) return [];
      const about = { record, benchmark, value: Number(value), unit, source: SOURCE, date: '2026-01-31' };
      return [{ ...about, kind: 'published', origin: 'import', note: null }];
    }),
  );
}

export const inventedFile = (): string =>
  [
    'model,benchmark,value,unit,source,date',
    ...inventedShares().map(({ record, benchmark, value, unit, source, date }) =>
      [record, benchmark, value, unit, source, date].join(','),
    ),
    '',
  ].join('\n');

export function inventedModels() {
  const hosted = Object.entries(MODELS).map(([model, [price]]) => {
    const vendor = model.slice(0, model.indexOf('/'));
    return [model, { tools: true, context: 200_000, priceIn: price, priceOut: 4 * price, vendor }] as const;
  });
  const local = ['lmstudio-local/lumen-30b', { tools: true, isLocal: true, context: 32_000 }] as const;
  const catalogue = Object.fromEntries([...hosted, local]);
  return { models: Object.keys(catalogue), catalogue };
}
