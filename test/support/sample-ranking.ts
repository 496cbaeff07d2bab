import type { Handlers } from '../../src/contract/contract';
import type { RankQuery } from '../../src/features/ranking/contract/ranking';
import { createRankingDesk } from '../../src/features/ranking/core/desk';
import type { RankingPort, RankingWorld } from '../../src/features/ranking/core/port';
import type { LiveFigures } from '../../src/features/ranking/rules/base/live';
import type { BenchmarkValue } from '../../src/features/ranking/rules/base/values';
import { valueChange } from '../../src/features/ranking/rules/kept/change';
import { type KeptRow, keptFrom, rowOf } from '../../src/features/ranking/rules/kept/kept';
import { inventedModels, inventedShares } from './invented-models';

/** Start of the runs, in Unix ms. */
const NOW = Date.UTC(2026, 0, 31, 12);
const LEAD = 'alpha/atlas-1';

type Handlings = Pick<Handlers, RankQuery>;
export type SampleRanking = Readonly<{ handlers: Handlings; written: readonly Parameters<RankingPort['apply']>[0][] }>;

type Sample = Readonly<{
  hasValues?: boolean;
  isBegun?: boolean;
  values?: Partial<BenchmarkValue>;
  world?: Partial<RankingWorld>;
  port?: Partial<RankingPort>;
}>;

export function sampleRanking({
  hasValues = true,
  isBegun = false,
  values = {},
  world = {},
  port = {},
}: Sample = {}): SampleRanking {
  const rows = new Map<string, KeptRow>();
  const written: Parameters<RankingPort['apply']>[0][] = [];
  const change: RankingPort['book']['change'] = (changes) => {
    const made = changes.map(rowOf);
    const refused = made.find((row) => !row.ok);
    if (refused && !refused.ok) return refused;
    for (const one of made) {
      if (!one.ok) continue;
      const key = `${one.row.part} ${one.row.name}`;
      if (one.row.value === null) rows.delete(key);
      else rows.set(key, one.row);
    }
    return { ok: true };
  };
  const models = inventedModels();
  let present: readonly string[] = [LEAD, 'alpha/atlas-mini'];
  const full: RankingPort = {
    book: { read: () => keptFrom(rows.values()).kept, change, whyNot: () => null },
    world: async () => ({
      ...{ listed: { at: NOW, directory: '/home/ada/shop' }, offers: models, agents: ['build', 'plan', 'scribe'] },
      ...{ present, lead: LEAD, written: present, isOneVendor: false, maxPriceRatio: null, depth: 3, ...world },
    }),
    live: async () => new Map([[LEAD, livingFigures()]]),
    plan: async ({ tiers }) => ({
      ok: true,
      files: [{ path: '/home/ada/shop/.opencode/model-fallback.json', diff: diffOf(present, tiers), seen: null }],
    }),
    apply: async (write) => {
      written.push(write);
      present = write.tiers.flatMap((tier) => tier.models);
      return { ok: true, files: [{ path: '/home/ada/shop/.opencode/model-fallback.json', receipt: 'r1' }] };
    },
    digest: (text) => markOf(text),
    newId: () => 'run-1',
    whyNoProbe: async () => null,
    probe: async () => ({ isAnswered: true, reason: null }),
    artificialAnalysis: async () => ({ ok: false, reason: 'There is no key.' }),
    hasArtificialAnalysisKey: () => false,
    ...port,
  };
  if (hasValues) change(inventedShares().map((value) => valueChange({ ...value, ...values })));
  const handlers = createRankingDesk({ port: full, wall: () => NOW, schedule: () => () => undefined });
  if (isBegun) for (const directory of [null, '/home/ada/shop']) begin(handlers, directory);
  return { handlers, written };
}

const begin = (handlers: Handlings, directory: string | null): void => {
  const act = { type: 'start' as const, role: null, isLive: false, wants: [], key: null };
  // It reaches its review without further actions.
  void handlers['rank.act']({ directory, agent: 'build', act });
};

const livingFigures = (): LiveFigures => ({
  ...{ n: 41, answered: 40, share: { value: 0.976, lower: 0.874, upper: 0.996 } },
  ...{ firstTokenP50Ms: 1_400, costPerAnswer: 0.02 },
});

const diffOf = (present: readonly string[], tiers: readonly Readonly<{ models: readonly string[] }>[]): string =>
  [
    ...present.map((model) => `-  ${model}`),
    ...tiers.flatMap(({ models }) => models.map((model) => `+  ${model}`)),
  ].join('\n');

function markOf(text: string): string {
  let mark = 7;
  for (const letter of text) mark = (mark * 31 + (letter.codePointAt(0) ?? 0)) % 2_147_483_647;
  return `m${mark}`;
}
