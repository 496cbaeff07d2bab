import * as z from 'zod';
import { BENCHMARK_IDS, UNITS } from '../base/benchmarks';
import { ROLES } from '../base/roles';
import { ORIGINS, VALUE_KINDS } from '../base/values';
import { STAGES } from '../budget/budget';
import { UNRANKED_CODES } from '../chain/rank';
import { PLACE_CODES, TIERS } from '../chain/tiers';

const Count = z.int().nonnegative();
/** Six digits. */
const Share = z.number().min(0).max(1);
const Model = z.string().min(1).max(300);
const Benchmark = z.enum(BENCHMARK_IDS);

const ScorePart = z.object({
  benchmark: Benchmark,
  value: z.number(),
  unit: z.enum(UNITS),
  kind: z.enum(VALUE_KINDS),
  origin: z.enum(ORIGINS),
  source: z.string(),
  date: z.string().nullable(),
  normalized: Share,
  weight: Share,
  share: Share,
});

const LiveRow = z.object({
  n: Count,
  answered: Count,
  share: z.object({ value: Share, lower: Share, upper: Share }).nullable(),
  firstTokenP50Ms: z.number().nonnegative().nullable(),
  costPerAnswer: z.number().nonnegative().nullable(),
});

export const ModelRow = z.object({
  model: Model,
  vendor: z.string(),
  account: z.string(),
  region: z.string().nullable(),
  place: z.enum(['hosted', 'bridge', 'local']),
  record: z.string().nullable(),
  isPresent: z.boolean(),
  rank: z.int().positive().nullable(),
  unranked: z.enum(UNRANKED_CODES).nullable(),
  /** Null with too few values. */
  score: Share.nullable(),
  worth: Share.nullable(),
  known: Share,
  missing: z.array(Benchmark),
  estimated: z.array(Benchmark),
  parts: z.array(ScorePart),
  live: LiveRow.nullable(),
  /** US dollars per million tokens. */
  price: z.object({ in: z.number().nonnegative(), out: z.number().nonnegative() }).nullable(),
  budget: z.object({ stage: z.enum(STAGES), multiplier: Share, isOverCap: z.boolean() }).nullable(),
});
export type ModelRow = z.infer<typeof ModelRow>;

const Note = z.discriminatedUnion('code', [
  z.object({ code: z.literal('tier.short'), tier: z.enum(TIERS), wanted: Count, found: Count }),
  z.object({ code: z.literal('neighbours.share'), account: z.string(), models: z.tuple([Model, Model]) }),
  z.object({ code: z.literal('last.vendor'), vendor: z.string(), model: Model }),
]);
export type ProposalNote = z.infer<typeof Note>;

/** The same data give the same bytes. */
export const ChainProposal = z.object({
  schema: z.literal('chain-proposal/1'),
  agent: z.string(),
  role: z.enum(ROLES),
  formula: z.string(),
  isLive: z.boolean(),
  starter: z.object({ date: z.string(), commit: z.string() }),
  present: z.array(Model),
  chain: z.array(z.object({ model: Model, tier: z.enum(TIERS), code: z.enum(PLACE_CODES) })),
  models: z.array(ModelRow),
  coverage: z.object({
    models: Count,
    tiers: z.array(z.enum(TIERS)),
    vendors: z.array(z.string()),
    accounts: z.array(z.string()),
    regions: z.array(z.string()),
    withoutRegion: Count,
  }),
  changes: z.object({
    added: z.array(Model),
    removed: z.array(Model),
    moved: z.array(z.object({ model: Model, from: z.int().positive(), to: z.int().positive() })),
  }),
  /** Old and new primary; null if unchanged. */
  primary: z.object({ from: Model.nullable(), to: Model }).nullable(),
  /** Switches per turn: configured, and needed to reach the end of the chain. */
  depth: z.object({ now: Count, needed: Count }),
  notes: z.array(Note),
});
export type ChainProposal = z.infer<typeof ChainProposal>;
