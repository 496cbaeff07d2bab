import * as z from 'zod';
import { Change, Directory, Preview, Refused, Seen } from '../../../contract/setup';
import { BENCHMARK_IDS, BENCHMARKS, UNITS } from '../rules/base/benchmarks';
import { ROLES } from '../rules/base/roles';
import { BenchmarkValue } from '../rules/base/values';
import { ChainProposal } from '../rules/proposal/document';
import { CHOICES, LOOK_CODES } from '../rules/proposal/evidence';
import { ASKED_PHASES, ForModel, Run } from '../rules/run/run';

export type { BenchmarkId, Unit } from '../rules/base/benchmarks';
export { isBenchmark, normalized } from '../rules/base/benchmarks';
export type { Role, Weights } from '../rules/base/roles';
export { isRole } from '../rules/base/roles';
export type { BenchmarkValue } from '../rules/base/values';
export { ownUnit } from '../rules/base/values';
export type { UnrankedCode } from '../rules/chain/rank';
export type { PlaceCode, Tier } from '../rules/chain/tiers';
export { TIER_SIZES, TIERS } from '../rules/chain/tiers';
export { formulaTextOf, withWeight } from '../rules/formula/weights';
export type { ChainProposal, ModelRow as RankedRow, ProposalNote } from '../rules/proposal/document';
export type { Choice, LookCode } from '../rules/proposal/evidence';
export type { AskedPhase, Phase, PhaseNote, PhaseRow, PhaseState, Run } from '../rules/run/run';
export { isResting, PHASES, phaseOf } from '../rules/run/run';
export { ARTIFICIAL_ANALYSIS_CREDIT } from '../rules/sources/artificial-analysis';
export { ASKED_PHASES, BENCHMARK_IDS, BENCHMARKS, CHOICES, ROLES, UNITS };

const Agent = z.string().min(1).max(100);
const Model = z.string().min(1).max(300);
const Role = z.enum(ROLES);
const Formula = z.string().min(1).max(2000);
const Day = z.iso.date().nullable();
const Percent = z.number().min(0).max(100).nullable();
const TEXT_MAX_CHARS = 5_000_000;
const CHANGES_MAX = 1000;
const FOUND_MAX = 200;

const RankQuestion = z.object({
  directory: Directory,
  agent: Agent,
  /** Null for the agent's role. */
  role: Role.nullable().default(null),
  formula: Formula.nullable().default(null),
  isLive: z.boolean().default(false),
});

const Review = z.object({
  model: Model,
  codes: z.array(z.enum(LOOK_CODES)),
  /** Values that count after approval. */
  found: z.array(BenchmarkValue),
  /** Digest of the evidence: a decision repeats it, and fails if it has changed. */
  evidence: z.string(),
  choice: z.enum(CHOICES).nullable(),
});
export type Review = z.infer<typeof Review>;

const RankAnswer = z.object({
  agent: Agent,
  role: Role.nullable(),
  /** False if the agent's name suggests the role. */
  isRoleChosen: z.boolean(),
  agents: z.array(z.object({ agent: Agent, role: Role.nullable() })),
  formula: z
    .object({
      text: z.string(),
      weights: z.partialRecord(z.enum(BENCHMARK_IDS), z.number()).nullable(),
      benchmarks: z.array(z.enum(BENCHMARK_IDS)),
      isPublished: z.boolean(),
    })
    .nullable(),
  problem: z.object({ reason: z.string(), at: z.int().nonnegative() }).nullable(),
  /** Unix ms and place of OpenCode's list of models; null before the first one. */
  listed: z.object({ at: z.number(), directory: z.string() }).nullable(),
  /** Null without a role, a formula or models. The present chain if no model has a rank. */
  proposal: ChainProposal.nullable(),
  missing: z.array(z.object({ benchmark: z.enum(BENCHMARK_IDS), models: z.int(), of: z.int() })),
  /** Strict ranking fails while there are any. */
  lacking: z.array(z.object({ model: Model, benchmarks: z.array(z.enum(BENCHMARK_IDS)) })),
  unmatched: z.array(z.object({ model: Model, suggestions: z.array(z.string()) })),
  reviews: z.array(Review),
  ignored: z.array(Model),
  /** Display them with the values. */
  credits: z.array(z.object({ text: z.string(), address: z.string() })),
  keeping: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true) }), Refused]),
  run: Run.nullable(),
});
export type RankAnswer = z.infer<typeof RankAnswer>;

export const RankChange = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('value'),
    model: Model,
    benchmark: z.enum(BENCHMARK_IDS),
    /** Null removes the entered value. */
    value: z.number().nonnegative().nullable(),
    unit: z.enum(UNITS),
    source: z.string().min(1).max(500),
    date: Day,
  }),
  z.object({
    type: z.literal('measured'),
    value: BenchmarkValue.extend({ origin: z.literal('lm_eval'), kind: z.literal('measured') }),
  }),
  /** A null source matches all. */
  z.object({
    type: z.literal('forget'),
    origin: z.enum(['hand', 'import', 'artificial_analysis', 'research', 'lm_eval']),
    source: z.string().min(1).max(500).nullable(),
  }),
  z.object({ type: z.literal('match'), model: Model, record: Model.nullable() }),
  z.object({ type: z.literal('unmatch'), model: Model }),
  z.object({ type: z.literal('role'), agent: Agent, role: Role.nullable() }),
  z.object({ type: z.literal('formula'), role: Role, text: Formula.nullable() }),
  z.object({
    type: z.literal('headroom'),
    provider: z.string().min(1).max(100),
    fiveHourPercent: Percent,
    weekPercent: Percent,
  }),
]);
export type RankChange = z.infer<typeof RankChange>;

const Done = z.discriminatedUnion('ok', [z.object({ ok: z.literal(true) }), Refused]);

/** Artificial Analysis API key for this call; null uses the environment variable. Never stored. */
const Key = z.string().min(1).max(500).nullable().default(null);

export const RunAct = z.discriminatedUnion('type', [
  /** Restarts; permanent decisions, found and approved values stay. */
  z.object({
    type: z.literal('start'),
    role: Role.nullable(),
    isLive: z.boolean(),
    wants: z.array(z.enum(ASKED_PHASES)).max(4),
    key: Key,
  }),
  z.object({ type: z.literal('go'), key: Key }),
  z.object({ type: z.literal('stop') }),
  /** Values from the web; each counts after its model's approval. */
  z.object({ type: z.literal('found'), found: z.array(ForModel).min(1).max(FOUND_MAX) }),
  z.object({ type: z.literal('keep'), model: Model, position: z.int().positive().max(100).nullable() }),
  /** Null withdraws a decision. */
  z.object({
    type: z.literal('decide'),
    model: Model,
    choice: z.enum(CHOICES).nullable(),
    evidence: z.string().max(100),
  }),
]);
export type RunAct = z.infer<typeof RunAct>;

const Costs = z.array(
  z.object({
    phase: z.enum(ASKED_PHASES),
    requests: z.int().nonnegative().nullable(),
    /** US dollars; null without a price. */
    dollars: z.object({ from: z.number(), to: z.number() }).nullable(),
    unable: z.string().nullable(),
    needsKey: z.boolean(),
  }),
);

export type Cost = z.infer<typeof Costs>[number];

const Where = z.object({ directory: Directory, agent: Agent });
const Writing = Where.extend({
  scope: z.enum(['project', 'global']).nullable(),
  create: z.boolean(),
  /** Raises the limit of switches to reach the end of the chain. */
  setsDepth: z.boolean(),
  actor: z.enum(['panel', 'cli']).default('panel'),
});

/** Only `rank.apply` writes a file of the user, after a preview. */
export const rankingQueries = {
  'rank.get': { input: RankQuestion, output: RankAnswer },
  'rank.values': {
    input: Where,
    output: z.array(z.object({ model: Model, record: z.string().nullable(), values: z.array(BenchmarkValue) })),
  },
  'rank.change': { input: z.object({ changes: z.array(RankChange).min(1).max(CHANGES_MAX) }), output: Done },
  /** Reports invalid values by line, and imports the rest. */
  'rank.import': {
    input: z.object({ text: z.string().max(TEXT_MAX_CHARS), source: z.string().min(1).max(500), date: Day }),
    output: z.discriminatedUnion('ok', [
      z.object({
        ok: z.literal(true),
        taken: z.int().nonnegative(),
        problems: z.array(z.object({ line: z.int().positive().nullable(), message: z.string() })),
      }),
      Refused,
    ]),
  },
  'rank.export': {
    input: z.object({ format: z.enum(['json', 'csv']), all: z.boolean() }),
    output: z.object({ name: z.string(), text: z.string() }),
  },
  /** Exports the formulas of all roles in the published shape; with a text it imports them. */
  'rank.weights': {
    input: z.object({ text: z.string().max(256_000).nullable() }),
    output: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), text: z.string() }), Refused]),
  },
  /** `role` if it differs from the agent's. */
  'rank.costs': { input: Where.extend({ role: Role.nullable().default(null) }), output: Costs },
  'rank.act': {
    input: Where.extend({ act: RunAct }),
    output: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), run: Run }), Refused]),
  },
  /** Returns when the revision differs from `rev`, or after some seconds. */
  'rank.run': {
    input: Where.extend({ rev: z.int().nonnegative().nullable() }),
    output: z.object({ rev: z.int().nonnegative(), run: Run.nullable() }),
  },
  'rank.preview': {
    input: Writing,
    output: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), settled: z.string(), files: z.array(Preview), proposal: ChainProposal }),
      Refused.extend({ open: z.array(Model) }),
    ]),
  },
  /** Writes all files or none; fails if the proposal or a file has changed since the preview. */
  'rank.apply': {
    input: Writing.extend({ seen: z.array(Seen).max(5), settled: z.string().max(100) }),
    output: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), files: z.array(Change), run: Run.nullable() }),
      Refused.extend({ open: z.array(Model) }),
    ]),
  },
} as const;

export type RankQuery = keyof typeof rankingQueries;
