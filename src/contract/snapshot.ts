import * as z from 'zod';
import { FAILURE_KINDS, MODEL_STATES } from '../engine/names';
import { RunRef } from '../features/council/contract/council-run';
import { BudgetRow } from './budget';
import { AccountRow, Near, UnknownHeadersRow } from './headroom';
import { REQUESTS_SEEN } from './requests-seen';

const ModelId = z.string().min(3).max(300);
const WallMs = z.number();
/** Null until the user ends it; `by` is the actor that set it. */
const UntilEnded = { until: WallMs.nullable(), since: WallMs, by: z.string() };

const ModelFailure = z.object({
  kind: z.enum(FAILURE_KINDS),
  status: z.int().nullable(),
  message: z.string().max(500),
  at: WallMs,
});

/** As OpenCode reports them; null if not reported. Prices are per million tokens. */
export const ModelAbilities = z.object({
  context: z.number().nullable(),
  vision: z.boolean().nullable(),
  tools: z.boolean().nullable(),
  priceIn: z.number().nullable(),
  priceOut: z.number().nullable(),
});
export type ModelAbilities = z.infer<typeof ModelAbilities>;

const Tokens = z.int().nonnegative();

/** As far back as the log goes. */
export const ModelUsage = z.object({
  /** As OpenCode counts them: `input` excludes cached tokens, `output` excludes reasoning. */
  tokens: z.object({ input: Tokens, output: Tokens, reasoning: Tokens, cacheRead: Tokens, cacheWrite: Tokens }),
  total: Tokens,
  /** Part of `total` for OpenCode's compactions and titles. */
  internal: Tokens,
  /** US dollars of the priced tokens; null if none has a price. */
  cost: z.number().nonnegative().nullable(),
  /** Part of `total` with a price, from 0 to 1. */
  pricedShare: z.number().min(0).max(1),
});
export type ModelUsage = z.infer<typeof ModelUsage>;

/** Includes sub-agents; `by` splits it by agent. */
export const SessionUsage = ModelUsage.extend({
  by: z.array(
    ModelUsage.extend({
      agent: z.string(),
      model: ModelId,
      /** Index in the agent's chain at that time; null outside of a chain. */
      position: z.int().nonnegative().nullable(),
    }),
  ),
});
export type SessionUsage = z.infer<typeof SessionUsage>;

/** Health of one model. Times are wall-clock ms. */
export const ModelRow = z.object({
  /** `provider/model`; separate health adds its partition after the provider: see {@link unbooked}. */
  model: ModelId,
  /** Directories with this separate health; absent if all share it. */
  apart: z.array(z.string()).optional(),
  provider: z.string(),
  name: z.string(),
  state: z.enum(MODEL_STATES),
  /** For example `limit.rate_limit`; null if ready or never used. */
  code: z.string().nullable(),
  /** Time at which the state ends; null if unknown. */
  until: WallMs.nullable(),
  source: z.enum(['provider', 'estimate']).nullable(),
  /** The fleet machine that detected it, if not this one. */
  machine: z.string().optional(),
  since: WallMs.nullable(),
  failures: z.int().nonnegative(),
  failureThreshold: z.int().positive(),
  calls: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  lastFailure: ModelFailure.nullable(),
  /** Last two minutes in slices of 10 s, oldest first; `at` is a slice's start, empty slices are omitted. */
  recent: z.array(z.object({ at: WallMs, calls: z.int().nonnegative(), failed: z.int().nonnegative() })),
  abilities: ModelAbilities,
  /** Agents whose chain contains it. */
  agents: z.array(z.string()),
  /** Owners of its isolation; it ends with the last one's release. */
  isolatedBy: z.array(z.string()),
  /** Absent until a companion in OpenCode 1 reports it. */
  requests: z.enum(REQUESTS_SEEN).optional(),
  /** Set by the user, or by the rule against flapping. */
  hold: z.object({ state: z.enum(['open', 'closed']), ...UntilEnded }).nullable(),
  usage: ModelUsage.nullable(),
});
export type ModelRow = z.infer<typeof ModelRow>;

/** `kind` is the failure that caused it, if any. */
export const StateSince = z.object({
  state: z.enum(MODEL_STATES),
  at: WallMs,
  kind: z.enum(FAILURE_KINDS).optional(),
});

/** Failures newest first, states of the last 24 hours oldest first. */
export const ModelHistory = z.object({
  failures: z.array(ModelFailure),
  states: z.array(StateSince),
  /** Median time to the first token over 24 hours, in ms. */
  firstWordMs: z.number().nonnegative().nullable(),
});
export type ModelHistory = z.infer<typeof ModelHistory>;

/** `isEarly`: the next message calls it although our estimate of its cooldown has not ended. */
const Link = z.object({
  model: ModelId,
  state: z.enum(MODEL_STATES),
  code: z.string().nullable(),
  isEarly: z.literal(true).optional(),
});

export const AgentRow = z.object({
  key: z.string(),
  agent: z.string(),
  session: z.string(),
  parentSession: z.string().nullable(),
  lead: ModelId,
  active: ModelId,
  /** Index of `active` in `chain`; 0 is the primary. */
  position: z.int().nonnegative(),
  chain: z.array(Link),
  status: z.enum(['working', 'idle', 'exhausted']),
  /** Why it is on a fallback model; null on the primary. */
  why: z
    .object({
      kind: z.enum(FAILURE_KINDS),
      status: z.int().nullable(),
      from: ModelId,
      until: WallMs.nullable(),
      source: z.enum(['provider', 'estimate']).nullable(),
      /** It moved before a limit, without a failure; `kind` is the expected rejection's. */
      near: Near.optional(),
    })
    .nullable(),
  /** Time of the move to `active`. */
  since: WallMs,
  turns: z.int().nonnegative(),
  switches: z.int().nonnegative(),
  /** Paused for the rest of its session, until the user brings it back. */
  isLeftOut: z.boolean(),
  /** A spent budget ended its turn, or blocks requests until the user approves; `until` is its next period. */
  halted: z.object({ near: Near, until: WallMs.nullable() }).optional(),
  /** No model can replace its primary. Absent if one can, and while fallback is off. */
  isAlone: z.boolean().optional(),
  /** Its primary is available, but another account of the same model has, or had at the turn's start, more headroom. */
  isSpread: z.boolean().optional(),
  /**
   * Its turn waits after a failure: on our own timer (`hold`), or for OpenCode's retry (`host`). Absent for short
   * waits.
   */
  waits: z
    .object({
      by: z.enum(['hold', 'host']),
      model: ModelId,
      kind: z.enum(FAILURE_KINDS),
      status: z.int().nullable(),
      since: WallMs,
      /** Next request; null if unknown. */
      until: WallMs.nullable(),
      /** Several messages came right after an error. */
      isLoop: z.literal(true).optional(),
      /** Not a failure: a limit is about to have room again. */
      near: Near.optional(),
      /** `until` is the provider's time. */
      isGiven: z.literal(true).optional(),
    })
    .optional(),
  /** Start of the open turn. */
  runningSince: WallMs.optional(),
  /** Start of a request that has waited long for its first token. */
  silentSince: WallMs.optional(),
  /** OpenCode's prompt to the user. */
  waitsFor: z.object({ what: z.enum(['permission', 'answer']), since: WallMs }).optional(),
});
export type AgentRow = z.infer<typeof AgentRow>;

export const SessionRow = z.object({
  session: z.string(),
  directory: z.string(),
  /** Last folder name of the directory. */
  project: z.string(),
  /** Only if the user allows it (`sessions.titles`). Never stored. */
  title: z.string().optional(),
  instance: z.string(),
  /** Not deleted, its OpenCode still runs, and not idle for half an hour. */
  isLive: z.boolean(),
  /** No response is in progress. */
  isIdle: z.boolean(),
  /** Last event. */
  at: WallMs,
  turns: z.int().nonnegative(),
  /**
   * Latest requests, including sub-agents; an outage means that half of at least three failed. Older versions omit it.
   */
  requests: z.object({ asked: z.int().nonnegative(), failed: z.int().nonnegative(), isOutage: z.boolean() }).optional(),
  agents: z.array(AgentRow),
  usage: SessionUsage.nullable(),
});
export type SessionRow = z.infer<typeof SessionRow>;

/** A configured chain in force, used by a session or not. */
export const ChainRow = z.object({
  directory: z.string(),
  agent: z.string(),
  chain: z.array(Link),
  /** The directory's model of last resort, called after the whole chain. */
  backup: Link.optional(),
  /** No model can replace its primary. */
  isAlone: z.boolean().optional(),
  /** A spent budget blocks all of its models. */
  isHalted: z.boolean().optional(),
});
export type ChainRow = z.infer<typeof ChainRow>;

/** An OpenCode agent without a chain in force. */
export const OtherAgent = z.object({
  directory: z.string(),
  agent: z.string(),
  lead: ModelId.nullable(),
  /** Its fallback: the default chain, none, or none because fallback is off in its directory. */
  by: z.enum(['rest', 'nobody', 'off']),
  isHalted: z.boolean().optional(),
});
export type OtherAgent = z.infer<typeof OtherAgent>;

/** One OpenCode process. */
export const InstanceRow = z.object({
  instance: z.string(),
  pid: z.int(),
  opencode: z.string(),
  plugin: z.string(),
  directories: z.array(z.string()),
  status: z.enum(['connected', 'lost', 'ended', 'incompatible']),
  since: WallMs,
  /** Number of events lost before an app stored them. */
  dropped: z.int().nonnegative().optional(),
  /**
   * For an OpenCode that cannot move a turn in flight: the message is sent `again` to the next model, or only the next
   * message moves.
   */
  moves: z.enum(['again', 'watch']).optional(),
});
export type InstanceRow = z.infer<typeof InstanceRow>;

/** Plain fields; wording.ts formats the sentence. */
export const EventRow = z.object({
  id: z.int().nonnegative(),
  at: WallMs,
  code: z.string(),
  /** State after the event. */
  state: z.enum([...MODEL_STATES, 'info']),
  agent: z.string().nullable(),
  session: z.string().nullable(),
  model: ModelId.nullable(),
  /** The replacement. */
  to: ModelId.nullable(),
  kind: z.enum(FAILURE_KINDS).nullable(),
  status: z.int().nullable(),
  until: WallMs.nullable(),
  /** Redacted, for example the provider's message. */
  detail: z.string().max(500).nullable(),
  /** Of the switch or attempt. */
  durationMs: z.number().nullable(),
  /** `panel`, `cli`; absent for decisions of the rules. */
  actor: z.string().optional(),
  /** "n of m": retries of a budget, speakers still active. */
  tally: z.object({ count: z.int(), of: z.int() }).optional(),
  /** The limit before which it moved, or waits. */
  near: Near.optional(),
  isRepeated: z.literal(true).optional(),
  /** Every model that a decision considered, in order. */
  trace: z.array(
    z.object({
      model: ModelId,
      position: z.int(),
      verdict: z.enum(['chosen', 'skipped', 'failed']),
      code: z.string(),
      state: z.enum(MODEL_STATES),
    }),
  ),
});
export type EventRow = z.infer<typeof EventRow>;

/** A configuration file that was read. */
export const ConfigRow = z.object({
  path: z.string(),
  directory: z.string().nullable(),
  /** Changes with the file. Absent for files that are not watched. */
  edition: z.string().optional(),
  problems: z.array(
    z.object({
      severity: z.enum(['error', 'warning']),
      message: z.string(),
      line: z.int().nullable(),
      column: z.int().nullable(),
      /** A project requests more than the user's limits allow. */
      isAsking: z.boolean().optional(),
    }),
  ),
});
export type ConfigRow = z.infer<typeof ConfigRow>;

/** May the next model take over after a failure, or for an unavailable model? */
export const QuestionRow = z.object({
  id: z.string(),
  session: z.string(),
  agent: z.string(),
  /** The unavailable model, and the next one; null without one. */
  model: ModelId,
  to: ModelId.nullable(),
  kind: z.enum(FAILURE_KINDS),
  /** Time at which a missing answer counts as a no; null while another question is open. */
  skippedAt: WallMs.nullable(),
  /** Absent while another question is open. */
  since: WallMs.optional(),
  /** No failure despite `kind`: the user disabled the model. */
  isOut: z.boolean().optional(),
  /** No failure: a budget is spent. */
  near: Near.optional(),
});
export type QuestionRow = z.infer<typeof QuestionRow>;

/** Everything that surfaces show. Immutable; `rev` grows by one with each change. */
export const Snapshot = z.object({
  v: z.literal(1),
  rev: z.int().nonnegative(),
  /** Wall clock of the core: countdowns are `until - at`, corrected by the snapshot's age. */
  at: WallMs,
  app: z.object({
    version: z.string(),
    runtime: z.string(),
    /** All data is scripted: no request reaches a provider. */
    isDemo: z.boolean().optional(),
    isRecorded: z.boolean().optional(),
  }),
  connection: z.object({
    status: z.enum(['waiting', 'connected', 'lost', 'incompatible']),
    /** Last change of status. */
    since: WallMs,
  }),
  instances: z.array(InstanceRow),
  sessions: z.array(SessionRow),
  chains: z.array(ChainRow),
  /** Agents of OpenCode without a chain; empty from versions that do not report them. */
  others: z.array(OtherAgent).default([]),
  /** Worst first, then busiest. */
  models: z.array(ModelRow),
  /** Newest first, at most 50. */
  events: z.array(EventRow),
  /** The last drill in which another model took over, of any age. */
  lastDrill: EventRow.nullable().default(null),
  /** Empty from versions that do not report it. */
  headroom: z.array(AccountRow).default([]),
  budgets: z.array(BudgetRow).default([]),
  /** Empty from versions that do not report them. */
  unknownHeaders: z.array(UnknownHeadersRow).default([]),
  config: z.array(ConfigRow),
  pins: z.array(z.object({ directory: z.string(), agent: z.string(), model: ModelId, ...UntilEnded })),
  /** No model changes during a pause. */
  pause: z.object(UntilEnded).nullable(),
  /** The open one first. */
  questions: z.array(QuestionRow),
  /** Runs that are active, abandoned, or ended within a day; newest first, at most 20. */
  councils: z.array(RunRef).default([]),
  unknownPhrases: z.int().nonnegative(),
  /** Grows when a configuration file or the preferences may have changed. */
  settings: z.int().nonnegative(),
  unreadNotices: z.int().nonnegative(),
  /** Unread, current, and needing action; older versions omit it. */
  urgentNotices: z.int().nonnegative().optional(),
});
export type Snapshot = z.infer<typeof Snapshot>;
