import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { BENCHMARKS, isBenchmark } from '../../../src/features/ranking/rules/base/benchmarks';
import type { BenchmarkValue } from '../../../src/features/ranking/rules/base/values';
import { BRIDGE, type Candidate } from '../../../src/features/ranking/rules/chain/candidate';
import { regionOf } from '../../../src/features/ranking/rules/chain/regions';
import { publishedRoles } from '../../../src/features/ranking/rules/formula/bench-calc';
import { ChainProposal } from '../../../src/features/ranking/rules/proposal/document';
import { proposalOf } from '../../../src/features/ranking/rules/proposal/propose';
import { TWELVE_MODELS } from '../../core/config/published-designs';
import { runs } from '../../support/runs';

const FILE = join(import.meta.dirname, '..', '..', 'fixtures', 'ranking', 'twelve-models.json');
const MADE_UP = JSON.parse(readFileSync(FILE, 'utf8')) as {
  models: Record<string, { vendor: string; isLocal?: boolean } & Record<string, unknown>>;
};

const valueIn = (record: string, benchmark: keyof typeof BENCHMARKS, value: number): BenchmarkValue => ({
  ...{ record, benchmark, value, unit: BENCHMARKS[benchmark].unit, source: 'made up', date: null },
  ...{ kind: 'published', origin: 'import', note: null },
});

const CANDIDATES: readonly Candidate[] = Object.entries(MADE_UP.models).map(
  ([model, { vendor, isLocal, ...numbers }]) => ({
    ...{ model, vendor, account: model.slice(0, model.indexOf('/')), region: regionOf(vendor) },
    place: model === BRIDGE ? 'bridge' : isLocal ? 'local' : 'hosted',
    ...{ price: null, record: model, live: null, isPresent: false, isSilent: false },
    values: Object.fromEntries(
      Object.entries(numbers).flatMap(([benchmark, value]): [string, BenchmarkValue][] =>
        isBenchmark(benchmark) && typeof value === 'number' ? [[benchmark, valueIn(model, benchmark, value)]] : [],
      ),
    ),
  }),
);

const proposed = (candidates: readonly Candidate[] = CANDIDATES) =>
  proposalOf({
    ...{
      agent: 'oracle',
      role: 'oracle',
      formula: publishedRoles().oracle.formula,
      isLive: false,
      headroom: new Map(),
    },
    ...{
      candidates,
      present: [],
      kept: new Map(),
      isOneVendor: false,
      maxPriceRatio: null,
      lead: null,
      depth: 3,
      starter: { date: '2026-07-02', commit: 'f3' },
    },
  });

describe('given the twelve models of a published configuration, with invented values', () => {
  it('when a chain is proposed for the oracle, then that configuration comes out, in its four tiers', () => {
    const { models, fallback } = parse(TWELVE_MODELS).agents.oracle;
    const { chain, coverage, depth } = proposed();
    expect(chain.map(({ model }) => model)).toEqual(models);
    const tiers = (fallback.extendedChain.tiers as { name: string; models: string[] }[]).map(
      ({ name, models: all }) => [name, name === 'local' ? 3 : all.length],
    );
    expect(coverage.tiers.map((tier) => [tier, chain.filter((link) => link.tier === tier).length])).toEqual(tiers);
    expect(depth).toEqual({ now: 3, needed: 11 });
    expect(coverage).toMatchObject({ models: 12, regions: ['US', 'EU', 'CN'], withoutRegion: 1 });
  });

  it('when the candidates come in any other order, then the document has the same bytes, and its schema takes it', () => {
    const bytes = JSON.stringify(proposed());
    expect(ChainProposal.parse(JSON.parse(bytes))).toEqual(JSON.parse(bytes));
    fc.assert(
      fc.property(fc.shuffledSubarray([...CANDIDATES], { minLength: CANDIDATES.length }), (shuffled) => {
        const { chain, models } = proposed(shuffled);
        expect({ chain, models: models.filter(({ rank }) => rank !== null) }).toEqual({
          chain: proposed().chain,
          models: proposed().models.filter(({ rank }) => rank !== null),
        });
        expect(JSON.stringify(proposed(shuffled))).toBe(bytes);
      }),
      { numRuns: runs(200) },
    );
  });

  it('when the schema of the document has changed, then the published file has too (npx vitest -u writes it)', async () => {
    const schema = { $id: 'chain-proposal-1.schema.json', ...z.toJSONSchema(ChainProposal) };
    const file = join(import.meta.dirname, '..', '..', '..', 'resources', 'schemas', 'chain-proposal-1.schema.json');
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(file);
  });
});
