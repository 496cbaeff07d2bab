import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answer, type Handlers, type QueryInput, type QueryOutput } from '../../src/contract/contract';
import { openRanking } from '../../src/features/ranking/node/open-ranking';
import { BENCHMARK_IDS } from '../../src/features/ranking/rules/base/benchmarks';
import { ROLES } from '../../src/features/ranking/rules/base/roles';
import type { BenchmarkValue } from '../../src/features/ranking/rules/base/values';
import type { Candidate } from '../../src/features/ranking/rules/chain/candidate';
import { rankModels } from '../../src/features/ranking/rules/chain/rank';
import { exportValues } from '../../src/features/ranking/rules/data/export';
import { publishedRoles } from '../../src/features/ranking/rules/formula/bench-calc';
import { keepModels } from '../../src/node/base/kept-models';
import { worthy } from '../support/candidates';
import { madeUpValues } from '../support/made-up-scores';
import { type BenchRow, rowOf } from './bench-row';

const MODELS = 500;
const VENDORS = ['anthropic', 'openai', 'google', 'mistral', 'alibaba', 'deepseek', 'moonshotai', 'zai'] as const;
const RUNS = 50;
/** Source: the promise that 500 models are ranked for 7 roles within this time, in ms. */
const RANK_TARGET_MS = 50;
/** Source: the promise that every question of the panel is answered within this time, in ms. */
const QUERY_TARGET_MS = 150;
const WHERE = { agent: 'build', role: null, formula: null, isLive: false } as const;

const CANDIDATES = Array.from({ length: MODELS }, (_, n) => candidate(n));

/** Models of eight vendors, of some of which a benchmark in ten is not known. */
function candidate(n: number): Candidate {
  const vendor = VENDORS[n % VENDORS.length] ?? '';
  const model = `${vendor}/made-up-${n}`;
  const known = BENCHMARK_IDS.filter((_, at) => (n + at) % 10 !== 0);
  const values = madeUpValues(model, Object.fromEntries(known.map((id, at) => [id, ((n * 37 + at * 11) % 101) / 100])));
  return worthy(model, vendor, null, { record: model, values, price: { in: n % 20, out: (n % 20) * 5 } });
}

/** Five hundred models with made-up values: ranked for each role, and asked for as the panel and the command line do. */
export async function rankingBench(): Promise<BenchRow[]> {
  const home = await mkdtemp(join(tmpdir(), 'us-ranking-'));
  try {
    return [rankRow(), ...(await askRows(home))];
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

function rankRow(): BenchRow {
  const formulas = ROLES.map((role) => publishedRoles()[role].formula);
  const samples = Array.from({ length: RUNS }, () => {
    const startedAt = performance.now();
    for (const formula of formulas) rankModels(CANDIDATES, { formula, isLive: false, headroom: new Map() });
    return performance.now() - startedAt;
  });
  return rowOf(`${MODELS} models ranked for ${ROLES.length} roles`, 'ms', samples, { target: RANK_TARGET_MS });
}

async function askRows(home: string): Promise<BenchRow[]> {
  const directory = join(home, 'project');
  await keepModels(home, directory, {
    ...{ leads: {}, defaultModel: null, models: CANDIDATES.map(({ model }) => model) },
    catalogue: Object.fromEntries(CANDIDATES.map(factsOf)),
  });
  const env = { XDG_CONFIG_HOME: join(home, 'config'), PATH: '' };
  const { handlers, close } = await openRanking({ env, home, directory, source: '', tell: console.error });
  try {
    const text = exportValues(CANDIDATES.flatMap(({ values }): BenchmarkValue[] => Object.values(values)));
    await ask(handlers, 'rank.import', { text, source: 'invented', date: null });
    const samples: number[] = [];
    // The first reads what ships.
    for (let run = -1; run < RUNS; run++) {
      const startedAt = performance.now();
      const { proposal } = await ask(handlers, 'rank.get', { ...WHERE, directory });
      if (run >= 0) samples.push(performance.now() - startedAt);
      if (proposal?.models.length !== MODELS) throw new RangeError(`${proposal?.models.length} models were ranked`);
    }
    return [
      rowOf(`rank.get of ${MODELS} models, from the disk to the answer`, 'ms', samples, { target: QUERY_TARGET_MS }),
    ];
  } finally {
    await close();
  }
}

const factsOf = ({ model, vendor, price }: Candidate) =>
  [model, { vendor, tools: true, context: 200_000, priceIn: price?.in ?? 0, priceOut: price?.out ?? 0 }] as const;

type Asked = 'rank.import' | 'rank.get';

async function ask<Q extends Asked>(handlers: object, name: Q, input: QueryInput<Q>): Promise<QueryOutput<Q>> {
  const reply = await answer(handlers as Handlers, name, input);
  if (!reply.ok) throw new Error(reply.reason);
  return reply.value as QueryOutput<Q>;
}
