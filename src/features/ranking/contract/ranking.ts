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
/** A page of a file with values; more is read by the command line. */
const TEXT_MAX_CHARS = 5_000_000;
const CHANGES_MAX = 1000;
/** Findings of one search. */
const FOUND_MAX = 200;

/** For whom chains are ranked, and by what. */
const RankQuestion = z.object({
  directory: Directory,
  agent: Agent,
  /** Null for the one that was chosen for the agent, else the one its name speaks of. */
  role: Role.nullable().default(null),
  /** A draft to rank by; null for what is in force. */
  formula: Formula.nullable().default(null),
  /** Whether what happened here counts beside the benchmarks. */
  isLive: z.boolean().default(false),
});

/** A model that waits for a person, or has been decided on. */
const Review = z.object({
  model: Model,
  codes: z.array(z.enum(LOOK_CODES)),
  /** Values that were found for it, and count once it is approved. */
  found: z.array(BenchmarkValue),
  /** Names what is shown of it: a decision says it again, and is refused when something else would be shown by then. */
  evidence: z.string(),
  /** Null while nobody has decided, or what was decided on has changed. */
  choice: z.enum(CHOICES).nullable(),
});
export type Review = z.infer<typeof Review>;

/** Who suits an agent, and why; everything that is not known stands beside it. */
const RankAnswer = z.object({
  agent: Agent,
  role: Role.nullable(),
  /** Whether a person chose the role; else the agent's name speaks of it, or nothing does. */
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
  /** Why a draft is no formula, and where; null for one that is. */
  problem: z.object({ reason: z.string(), at: z.int().nonnegative() }).nullable(),
  /** When OpenCode listed its models, and where; null when it has not yet. */
  listed: z.object({ at: z.number(), directory: z.string() }).nullable(),
  /** Null without a role, a formula or models. Where nobody can be ranked it is the chain as it is. */
  proposal: ChainProposal.nullable(),
  /** Benchmarks that count for the role, and of how many candidates each is missing; the most missed first. */
  missing: z.array(z.object({ benchmark: z.enum(BENCHMARK_IDS), models: z.int(), of: z.int() })),
  /** Candidates that lack a benchmark that counts: strict ranking refuses while there are any. */
  lacking: z.array(z.object({ model: Model, benchmarks: z.array(z.enum(BENCHMARK_IDS)) })),
  /** Candidates that are published under no name that is known, but perhaps under one of these; the nearest first. */
  unmatched: z.array(z.object({ model: Model, suggestions: z.array(z.string()) })),
  /** Models somebody has to decide on before the chain is written, in its order. */
  reviews: z.array(Review),
  /** Models a person never wants proposed for the agent. */
  ignored: z.array(Model),
  /** Whose values these are: to be shown wherever they are. */
  credits: z.array(z.object({ text: z.string(), address: z.string() })),
  /** Whether values a person adds are kept, and why not. */
  keeping: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true) }), Refused]),
  run: Run.nullable(),
});
export type RankAnswer = z.infer<typeof RankAnswer>;

/** What a person adds, changes or takes back of what a ranking goes by. */
export const RankChange = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('value'),
    model: Model,
    benchmark: z.enum(BENCHMARK_IDS),
    /** Null takes back what was put in by hand. */
    value: z.number().nonnegative().nullable(),
    unit: z.enum(UNITS),
    source: z.string().min(1).max(500),
    date: Day,
  }),
  /** What the user's own `lm_eval` has measured of a model. */
  z.object({
    type: z.literal('measured'),
    value: BenchmarkValue.extend({ origin: z.literal('lm_eval'), kind: z.literal('measured') }),
  }),
  /** Takes back what came one way, of one source or of all. */
  z.object({
    type: z.literal('forget'),
    origin: z.enum(['hand', 'import', 'artificial_analysis', 'research', 'lm_eval']),
    source: z.string().min(1).max(500).nullable(),
  }),
  /** A model is the one that is published under that name; null is none of them. */
  z.object({ type: z.literal('match'), model: Model, record: Model.nullable() }),
  z.object({ type: z.literal('unmatch'), model: Model }),
  /** Null goes by the agent's name again. */
  z.object({ type: z.literal('role'), agent: Agent, role: Role.nullable() }),
  /** Null is the published one. */
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

/** Of Artificial Analysis, for this once; null for the one of the environment. It is kept nowhere. */
const Key = z.string().min(1).max(500).nullable().default(null);

/** What a person does with a proposal on its way. */
export const RunAct = z.discriminatedUnion('type', [
  /** Begins anew; what was decided for good, and what was found and approved, stays. */
  z.object({
    type: z.literal('start'),
    role: Role.nullable(),
    isLive: z.boolean(),
    wants: z.array(z.enum(ASKED_PHASES)).max(4),
    key: Key,
  }),
  /** Goes through the next phases until one waits for a person, or for what is outside. */
  z.object({ type: z.literal('go'), key: Key }),
  /** Ends what is asked outside; what was found stays. */
  z.object({ type: z.literal('stop') }),
  /** Values that were found for models on the web: each counts once somebody has said yes to its model. */
  z.object({ type: z.literal('found'), found: z.array(ForModel).min(1).max(FOUND_MAX) }),
  z.object({ type: z.literal('keep'), model: Model, position: z.int().positive().max(100).nullable() }),
  /** Null takes a decision back. */
  z.object({
    type: z.literal('decide'),
    model: Model,
    choice: z.enum(CHOICES).nullable(),
    evidence: z.string().max(100),
  }),
]);
export type RunAct = z.infer<typeof RunAct>;

/** What phases that ask somebody outside would ask, before they do. */
const Costs = z.array(
  z.object({
    phase: z.enum(ASKED_PHASES),
    /** Requests it makes; null where nobody can say. */
    requests: z.int().nonnegative().nullable(),
    /** US dollars, from and to; null where no price is known. */
    dollars: z.object({ from: z.number(), to: z.number() }).nullable(),
    /** Why it cannot be run here; null where it can. */
    unable: z.string().nullable(),
    /** Whether it can be run with a key alone that is typed for this once. */
    needsKey: z.boolean(),
  }),
);

export type Cost = z.infer<typeof Costs>[number];

const Where = z.object({ directory: Directory, agent: Agent });
const Writing = Where.extend({
  scope: z.enum(['project', 'global']).nullable(),
  create: z.boolean(),
  /** Whether the limit of switches in a turn is raised so that the chain is reached to its end. */
  setsDepth: z.boolean(),
  /** Who writes, for the receipt. */
  actor: z.enum(['panel', 'cli']).default('panel'),
});

/** What may be asked of rankings and proposals; only `rank.apply` writes a file of the user's, after a preview. */
export const rankingQueries = {
  'rank.get': { input: RankQuestion, output: RankAnswer },
  /** Every value of every candidate, whichever role it counts for. */
  'rank.values': {
    input: Where,
    output: z.array(z.object({ model: Model, record: z.string().nullable(), values: z.array(BenchmarkValue) })),
  },
  'rank.change': { input: z.object({ changes: z.array(RankChange).min(1).max(CHANGES_MAX) }), output: Done },
  /** Takes in values of a file or of the clipboard; what cannot be read is told line by line, and the rest is taken. */
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
  /** A person's own values as a file that `rank.import` reads. */
  'rank.export': {
    input: z.object({ format: z.enum(['json', 'csv']), all: z.boolean() }),
    output: z.object({ name: z.string(), text: z.string() }),
  },
  /** Formulas of all roles in the shape of the published file; with a text they are read from one. */
  'rank.weights': {
    input: z.object({ text: z.string().max(256_000).nullable() }),
    output: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), text: z.string() }), Refused]),
  },
  /** What a run would ask that begins now; `role` where it is another than the agent's. */
  'rank.costs': { input: Where.extend({ role: Role.nullable().default(null) }), output: Costs },
  'rank.act': {
    input: Where.extend({ act: RunAct }),
    output: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), run: Run }), Refused]),
  },
  /** Answers when the run is no longer as it was at `rev`, or after some seconds; null without a run. */
  'rank.run': {
    input: Where.extend({ rev: z.int().nonnegative().nullable() }),
    output: z.object({ rev: z.int().nonnegative(), run: Run.nullable() }),
  },
  /** The exact change of each file that applying would write. */
  'rank.preview': {
    input: Writing,
    output: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), settled: z.string(), files: z.array(Preview), proposal: ChainProposal }),
      /** `open`: models somebody has to decide on first. */
      Refused.extend({ open: z.array(Model) }),
    ]),
  },
  /** Writes what a preview has shown, all files or none; refused when the proposal or a file is another by then. */
  'rank.apply': {
    input: Writing.extend({ seen: z.array(Seen).max(5), settled: z.string().max(100) }),
    output: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), files: z.array(Change), run: Run.nullable() }),
      Refused.extend({ open: z.array(Model) }),
    ]),
  },
} as const;

export type RankQuery = keyof typeof rankingQueries;
