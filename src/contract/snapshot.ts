import * as z from 'zod';
import { FAILURE_KINDS, MODEL_STATES } from '../engine/names';
import { RunRef } from '../features/council/contract/council-run';
import { BudgetRow } from './budget';
import { AccountRow, Near, UnknownHeadersRow } from './headroom';
import { REQUESTS_SEEN } from './requests-seen';

const ModelId = z.string().min(3).max(300);
const WallMs = z.number();
/** Null until the user ends it; `by` is the actor. */
const UntilEnded = { until: WallMs.nullable(), since: WallMs, by: z.string() };

const ModelFailure = z.object({
  kind: z.enum(FAILURE_KINDS),
  status: z.int().nullable(),
  message: z.string().max(500),
  at: WallMs,
});

/** Null if not reported. Prices are per million tokens. */
export const ModelAbilities = z.object({
  context: z.number().nullable(),
  vision: z.boolean().nullable(),
  tools: z.boolean().nullable(),
  priceIn: z.number().nullable(),
  priceOut: z.number().nullable(),
});
export type ModelAbilities = z.infer<typeof ModelAbilities>;

const Tokens = z.int().nonnegative();

export const ModelUsage = z.object({
  /** `input` excludes cached tokens, `output` excludes reasoning. */
  tokens: z.object({ input: Tokens, output: Tokens, reasoning: Tokens, cacheRead: Tokens, cacheWrite: Tokens }),
  total: Tokens,
  /** Part of `total` for OpenCode's compactions and titles. */
  internal: Tokens,
  /** US dollars of the priced tokens. */
  cost: z.number().nonnegative().nullable(),
  /** Part of `total`, from 0 to 1. */
  pricedShare: z.number().min(0).max(1),
});
export type ModelUsage = z.infer<typeof ModelUsage>;

/** Includes sub-agents. */
export const SessionUsage = ModelUsage.extend({
  by: z.array(
    ModelUsage.extend({
      agent: z.string(),
      model: ModelId,
      /** In the chain at that time; null outside of it. */
      position: z.int().nonnegative().nullable(),
    }),
  ),
});
export type SessionUsage = z.infer<typeof SessionUsage>;

/** Wall-clock ms. */
export const ModelRow = z.object({
  /** Separate health adds its partition after the provider: see {@link unbooked}. */
  model: ModelId,
  /** Absent if all directories share it. */
  apart: z.array(z.string()).optional(),
  provider: z.string(),
  name: z.string(),
  state: z.enum(MODEL_STATES),
  /** `limit.rate_limit`; null if ready or never used. */
  code: z.string().nullable(),
  until: WallMs.nullable(),
  source: z.enum(['provider', 'estimate']).nullable(),
  /** Fleet machine that detected it, if not this one. */
  machine: z.string().optional(),
  since: WallMs.nullable(),
  failures: z.int().nonnegative(),
  failureThreshold: z.int().positive(),
  calls: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  lastFailure: ModelFailure.nullable(),
  /** Last two minutes in slices of 10 s, without empty ones; `at` is a slice's start. */
  recent: z.array(z.object({ at: WallMs, calls: z.int().nonnegative(), failed: z.int().nonnegative() })),
  abilities: ModelAbilities,
  agents: z.array(z.string()),
  /** It ends with the last owner's release. */
  isolatedBy: z.array(z.string()),
  /** Absent until a companion in OpenCode 1 reports it. */
  requests: z.enum(REQUESTS_SEEN).optional(),
  /** By the user, or the rule against flapping. */
  hold: z.object({ state: z.enum(['open', 'closed']), ...UntilEnded }).nullable(),
  usage: ModelUsage.nullable(),
});
export type ModelRow = z.infer<typeof ModelRow>;

/** `kind` is absent without a failure. */
export const StateSince = z.object({
  state: z.enum(MODEL_STATES),
  at: WallMs,
  kind: z.enum(FAILURE_KINDS).optional(),
});

/** Failures newest first, states of 24 hours oldest first. */
export const ModelHistory = z.object({
  failures: z.array(ModelFailure),
  states: z.array(StateSince),
  /** Median over 24 hours, in ms. */
  firstWordMs: z.number().nonnegative().nullable(),
});
export type ModelHistory = z.infer<typeof ModelHistory>;

/** `isEarly`: called before the estimated cooldown ends. */
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
  /** 0 is the primary. */
  position: z.int().nonnegative(),
  chain: z.array(Link),
  status: z.enum(['working', 'idle', 'exhausted']),
  /** Null on the primary. */
  why: z
    .object({
      kind: z.enum(FAILURE_KINDS),
      status: z.int().nullable(),
      from: ModelId,
      until: WallMs.nullable(),
      source: z.enum(['provider', 'estimate']).nullable(),
      /** Moved before a limit: `kind` is the expected rejection's. */
      near: Near.optional(),
    })
    .nullable(),
  /** Start of its use of `active`. */
  since: WallMs,
  turns: z.int().nonnegative(),
  switches: z.int().nonnegative(),
  /** Until its session ends or the user brings it back. */
  isLeftOut: z.boolean(),
  /** A spent budget ended its turn or blocks it; `until` is the next period. */
  halted: z.object({ near: Near, until: WallMs.nullable() }).optional(),
  /** No model can replace its primary. Absent while fallback is off. */
  isAlone: z.boolean().optional(),
  /** Its primary is available, but another account of the model has, or had at the turn's start, more headroom. */
  isSpread: z.boolean().optional(),
  /** After a failure, on our timer (`hold`), or for OpenCode's retry (`host`). Absent for short waits. */
  waits: z
    .object({
      by: z.enum(['hold', 'host']),
      model: ModelId,
      kind: z.enum(FAILURE_KINDS),
      status: z.int().nullable(),
      since: WallMs,
      until: WallMs.nullable(),
      /** Several messages right after an error. */
      isLoop: z.literal(true).optional(),
      /** A limit is about to have room again. */
      near: Near.optional(),
      /** `until` is the provider's time. */
      isGiven: z.literal(true).optional(),
    })
    .optional(),
  runningSince: WallMs.optional(),
  /** A long wait for the first token. */
  silentSince: WallMs.optional(),
  waitsFor: z.object({ what: z.enum(['permission', 'answer']), since: WallMs }).optional(),
});
export type AgentRow = z.infer<typeof AgentRow>;

export const SessionRow = z.object({
  session: z.string(),
  directory: z.string(),
  /** Last folder name. */
  project: z.string(),
  /** Only if the user allows it (`sessions.titles`). Never stored. */
  title: z.string().optional(),
  instance: z.string(),
  /** Not deleted, OpenCode runs, and not idle for half an hour. */
  isLive: z.boolean(),
  isIdle: z.boolean(),
  at: WallMs,
  turns: z.int().nonnegative(),
  /** Outage: half of at least three latest requests failed. Older versions omit it. */
  requests: z.object({ asked: z.int().nonnegative(), failed: z.int().nonnegative(), isOutage: z.boolean() }).optional(),
  agents: z.array(AgentRow),
  usage: SessionUsage.nullable(),
});
export type SessionRow = z.infer<typeof SessionRow>;

/** Listed even if no session uses it. */
export const ChainRow = z.object({
  directory: z.string(),
  agent: z.string(),
  chain: z.array(Link),
  /** The directory's last resort, called after the chain. */
  backup: Link.optional(),
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
  /** Default chain, none, or fallback is off. */
  by: z.enum(['rest', 'nobody', 'off']),
  isHalted: z.boolean().optional(),
});
export type OtherAgent = z.infer<typeof OtherAgent>;

export const InstanceRow = z.object({
  instance: z.string(),
  pid: z.int(),
  opencode: z.string(),
  plugin: z.string(),
  directories: z.array(z.string()),
  status: z.enum(['connected', 'lost', 'ended', 'incompatible']),
  since: WallMs,
  /** Events lost before an app stored them. */
  dropped: z.int().nonnegative().optional(),
  /**
   * If OpenCode cannot move a turn in flight: `again` resends the message to the next model, `watch` moves only the
   * next message.
   */
  moves: z.enum(['again', 'watch']).optional(),
});
export type InstanceRow = z.infer<typeof InstanceRow>;

/** wording.ts formats the sentence. */
export const EventRow = z.object({
  id: z.int().nonnegative(),
  at: WallMs,
  code: z.string(),
  state: z.enum([...MODEL_STATES, 'info']),
  agent: z.string().nullable(),
  session: z.string().nullable(),
  model: ModelId.nullable(),
  to: ModelId.nullable(),
  kind: z.enum(FAILURE_KINDS).nullable(),
  status: z.int().nullable(),
  until: WallMs.nullable(),
  /** Redacted. */
  detail: z.string().max(500).nullable(),
  durationMs: z.number().nullable(),
  /** Absent for automatic decisions. */
  actor: z.string().optional(),
  /** Retries of a budget, or speakers still active. */
  tally: z.object({ count: z.int(), of: z.int() }).optional(),
  near: Near.optional(),
  isRepeated: z.literal(true).optional(),
  /** For a decision: every model considered, in order. */
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

export const ConfigRow = z.object({
  path: z.string(),
  directory: z.string().nullable(),
  /** Changes with the file, if it is watched. */
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

/** May the next model take over? */
export const QuestionRow = z.object({
  id: z.string(),
  session: z.string(),
  agent: z.string(),
  model: ModelId,
  to: ModelId.nullable(),
  kind: z.enum(FAILURE_KINDS),
  /** Time at which a missing answer means no; null while another question is open. */
  skippedAt: WallMs.nullable(),
  /** Absent while another question is open. */
  since: WallMs.optional(),
  /** The user disabled the model; no failure. */
  isOut: z.boolean().optional(),
  /** Set if a budget is spent; then there is no failure. */
  near: Near.optional(),
});
export type QuestionRow = z.infer<typeof QuestionRow>;

/** Immutable; `rev` grows by one with each change. */
export const Snapshot = z.object({
  v: z.literal(1),
  rev: z.int().nonnegative(),
  /** Core clock: countdowns are `until - at`, corrected by the snapshot's age. */
  at: WallMs,
  app: z.object({
    version: z.string(),
    runtime: z.string(),
    /** Scripted data: no request reaches a provider. */
    isDemo: z.boolean().optional(),
    isRecorded: z.boolean().optional(),
  }),
  connection: z.object({
    status: z.enum(['waiting', 'connected', 'lost', 'incompatible']),
    since: WallMs,
  }),
  instances: z.array(InstanceRow),
  sessions: z.array(SessionRow),
  chains: z.array(ChainRow),
  /** Older versions omit it. */
  others: z.array(OtherAgent).default([]),
  /** Worst first, then busiest. */
  models: z.array(ModelRow),
  /** Newest first, at most 50. */
  events: z.array(EventRow),
  /** The last one that worked, of any age. */
  lastDrill: EventRow.nullable().default(null),
  /** Older versions omit it. */
  headroom: z.array(AccountRow).default([]),
  budgets: z.array(BudgetRow).default([]),
  /** Older versions omit it. */
  unknownHeaders: z.array(UnknownHeadersRow).default([]),
  config: z.array(ConfigRow),
  pins: z.array(z.object({ directory: z.string(), agent: z.string(), model: ModelId, ...UntilEnded })),
  pause: z.object(UntilEnded).nullable(),
  /** The open one first. */
  questions: z.array(QuestionRow),
  /** Active, abandoned, or ended within a day; newest first, at most 20. */
  councils: z.array(RunRef).default([]),
  unknownPhrases: z.int().nonnegative(),
  /** Grows when configuration or preferences may have changed. */
  settings: z.int().nonnegative(),
  unreadNotices: z.int().nonnegative(),
  /** Current and needing action; older versions omit it. */
  urgentNotices: z.int().nonnegative().optional(),
});
export type Snapshot = z.infer<typeof Snapshot>;
