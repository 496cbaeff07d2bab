import { createHash } from 'node:crypto';
import type { OfferedFacts } from '../../src/core/base/offers';
import type { ProposedWrite, RankingBook, RankingPort, RankingWorld } from '../../src/features/ranking/core/port';
import type { LiveFigures } from '../../src/features/ranking/rules/base/live';
import { type KeptRow, keptFrom, rowOf } from '../../src/features/ranking/rules/kept/kept';

export function memoryBook(): RankingBook {
  const rows = new Map<string, KeptRow>();
  return {
    read: () => keptFrom(rows.values()).kept,
    change(changes) {
      const made = changes.map(rowOf);
      const wrong = made.find((row) => !row.ok);
      if (wrong?.ok === false) return wrong;
      for (const row of made) if (row.ok) put(row.row);
      return { ok: true };
    },
    whyNot: () => null,
  };
  function put(row: KeptRow): void {
    const key = `${row.part} ${row.name}`;
    if (row.value === null) rows.delete(key);
    else rows.set(key, row);
  }
}

export type RankingStage = Readonly<{
  catalogue: Readonly<Record<string, OfferedFacts>>;
  present?: readonly string[];
  lead?: string;
  depth?: number;
  isOneVendor?: boolean;
  live?: Readonly<Record<string, LiveFigures>>;
  silent?: readonly string[];
  book?: RankingBook;
}>;

/** A machine for rankings in memory; its one chain replaces a file. */
export function rankingStage(stage: RankingStage) {
  const { catalogue, silent = [], live = {}, book = memoryBook() } = stage;
  let present: readonly string[] = stage.present ?? [];
  let depth = stage.depth ?? 3;
  let id = 0;
  const probed: string[] = [];
  const writes: ProposedWrite[] = [];
  const port: RankingPort = {
    book,
    world: async (): Promise<RankingWorld> => ({
      ...{ listed: { at: 1_790_000_000_000, directory: '/p' }, agents: ['build', 'plan', '*'] },
      ...{ present, written: present, lead: stage.lead ?? null, depth },
      offers: { models: Object.keys(catalogue), catalogue },
      isOneVendor: stage.isOneVendor ?? false,
      maxPriceRatio: null,
    }),
    live: async () => new Map(Object.entries(live)),
    plan: async (write) => ({ ok: true, files: [{ path: '/p/model-fallback.json', diff: diffOf(write), seen: null }] }),
    async apply(write) {
      writes.push(write);
      present = write.tiers.flatMap(({ models }) => models);
      depth = write.depth ?? depth;
      return { ok: true, files: [{ path: '/p/model-fallback.json', receipt: 'r1' }] };
    },
    digest: (text) => createHash('sha256').update(text).digest('hex'),
    newId: () => `run-${++id}`,
    whyNoProbe: async () => null,
    async probe(model) {
      probed.push(model);
      return silent.includes(model) ? { isAnswered: false, reason: 'no key' } : { isAnswered: true, reason: null };
    },
    artificialAnalysis: async () => ({ ok: false, reason: 'no key' }),
    hasArtificialAnalysisKey: () => false,
  };
  const writeElsewhere = (chain: readonly string[]): void => {
    present = chain;
  };
  return { port, probed, writes, writeElsewhere };
}

const diffOf = ({ tiers }: ProposedWrite): string => `+${tiers.flatMap(({ models }) => models).join(' ')}\n`;
