import * as z from 'zod';
import { FAILURE_KINDS, MODEL_STATES } from '../engine/names';
import { RunRef } from '../features/council/contract/council-run';
import { BudgetRow } from './budget';
import { AccountRow, Near, UnknownHeadersRow } from './headroom';
import { REQUESTS_SEEN } from './requests-seen';

const ModelId = z.string().min(3).max(300);
const WallMs = z.number();
/** A state until a time, or with null until someone ends it; `by` is the actor that set it. */
const UntilEnded = { until: WallMs.nullable(), since: WallMs, by: z.string() };

const ModelFailure = z.object({
  kind: z.enum(FAILURE_KINDS),
  status: z.int().nullable(),
  message: z.string().max(500),
  at: WallMs,
});

/** A model's abilities, as OpenCode reports them; null if not reported. Prices are per million tokens. */
export const ModelAbilities = z.object({
  context: z.number().nullable(),
  vision: z.boolean().nullable(),
  tools: z.boolean().nullable(),
  priceIn: z.number().nullable(),
  priceOut: z.number().nullable(),
});
export type ModelAbilities = z.infer<typeof ModelAbilities>;

const Tokens = z.int().nonnegative();

/** Usage of a model, as far back as the log goes. */
export const ModelUsage = z.object({
  /** As OpenCode counts them: `input` excludes cached tokens, `output` excludes reasoning. */
  tokens: z.object({ input: Tokens, output: Tokens, reasoning: Tokens, cacheRead: Tokens, cacheWrite: Tokens }),
  total: Tokens,
  /** The part of `total` for OpenCode's own requests: compactions and titles. */
  internal: Tokens,
  /** US dollars for the tokens that have a price; null if none has. */
  cost: z.number().nonnegative().nullable(),
  /** The part of `total` with a price, from 0 to 1. */
  pricedShare: z.number().min(0).max(1),
});
export type ModelUsage = z.infer<typeof ModelUsage>;

/** Usage of a conversation with its sub-agents; `by` splits it by agent. */
export const SessionUsage = ModelUsage.extend({
  by: z.array(
    ModelUsage.extend({
      agent: z.string(),
      model: ModelId,
      /** Index of the model in the agent's chain at that time; null outside of a chain. */
      position: z.int().nonnegative().nullable(),
    }),
  ),
});
export type SessionUsage = z.infer<typeof SessionUsage>;

/** Health of one model. Times are wall-clock ms. */
export const ModelRow = z.object({
  /** `provider/model`; for separate health with its partition after the provider: see {@link unbooked}. */
  model: ModelId,
  /** The directories with this separate health; absent if all directories share it. */
  apart: z.array(z.string()).optional(),
  provider: z.string(),
  name: z.string(),
  state: z.enum(MODEL_STATES),
  /** Stable dotted reason of the state, for example `limit.rate_limit`; null if ready or never used. */
  code: z.string().nullable(),
  /** Time at which the state ends by itself; null without one. */
  until: WallMs.nullable(),
  /** The source of `until`. */
  source: z.enum(['provider', 'estimate']).nullable(),
  /** The machine of the fleet that detected it; absent for this machine. */
  machine: z.string().optional(),
  since: WallMs.nullable(),
  failures: z.int().nonnegative(),
  failureThreshold: z.int().positive(),
  calls: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  lastFailure: ModelFailure.nullable(),
  /** Calls of the last two minutes by slices of 10 s, oldest first; `at` is the start, and empty slices are omitted. */
  recent: z.array(z.object({ at: WallMs, calls: z.int().nonnegative(), failed: z.int().nonnegative() })),
  abilities: ModelAbilities,
  /** Agents whose chain contains this model. */
  agents: z.array(z.string()),
  /** The owners of its isolation; it ends with the last one's release. */
  isolatedBy: z.array(z.string()),
  /** Absent until a companion in OpenCode 1 reports it. */
  requests: z.enum(REQUESTS_SEEN).optional(),
  /** The state in which the user, or the rule against flapping, holds it; null without a hold. */
  hold: z.object({ state: z.enum(['open', 'closed']), ...UntilEnded }).nullable(),
  /** Null without usage. */
  usage: ModelUsage.nullable(),
});
export type ModelRow = z.infer<typeof ModelRow>;

/** A new state of a model; `kind` is the failure that caused it, absent for none or an unknown one. */
export const StateSince = z.object({
  state: z.enum(MODEL_STATES),
  at: WallMs,
  kind: z.enum(FAILURE_KINDS).optional(),
});

/** History of a model: failures newest first, states of the last 24 hours oldest first. */
export const ModelHistory = z.object({
  failures: z.array(ModelFailure),
  states: z.array(StateSince),
  /** Median time to the first token over the last 24 hours, in ms; null without an answer. */
  firstWordMs: z.number().nonnegative().nullable(),
});
export type ModelHistory = z.infer<typeof ModelHistory>;

/** A model of a chain. `isEarly`: the next message calls it although our estimate of its cooldown has not ended. */
const Link = z.object({
  model: ModelId,
  state: z.enum(MODEL_STATES),
  code: z.string().nullable(),
  isEarly: z.literal(true).optional(),
});

/** One agent of one session with its present model. */
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
      /** It moved before a limit, without a failure: `kind` is the kind of the expected rejection. */
      near: Near.optional(),
    })
    .nullable(),
  /** Time since which it uses `active`. */
  since: WallMs,
  turns: z.int().nonnegative(),
  switches: z.int().nonnegative(),
  /** Paused for the rest of its session, until the user brings it back. */
  isLeftOut: z.boolean(),
  /**
   * A budget that is still spent ended its turn, or blocks requests until the user approves; `until` is the start of
   * its next period.
   */
  halted: z.object({ near: Near, until: WallMs.nullable() }).optional(),
  /** No model can replace its primary. Absent if one can, and while fallback is off. */
  isAlone: z.boolean().optional(),
  /**
   * Its primary is available, but it uses another account of the same model that has, or had at the start of its turn,
   * more headroom. Otherwise absent.
   */
  isSpread: z.boolean().optional(),
  /**
   * Its turn waits after a failure: on our own timer (`hold`), or for a retry by OpenCode, which got the failure
   * (`host`). Absent for short waits and without one.
   */
  waits: z
    .object({
      by: z.enum(['hold', 'host']),
      model: ModelId,
      kind: z.enum(FAILURE_KINDS),
      status: z.int().nullable(),
      since: WallMs,
      /** Time of the next request; null if unknown. */
      until: WallMs.nullable(),
      /** Several messages came right after an error. */
      isLoop: z.literal(true).optional(),
      /** Not a failure: a limit is about to have room again. */
      near: Near.optional(),
      /** `until` is the provider's time. */
      isGiven: z.literal(true).optional(),
    })
    .optional(),
  /** Start of the open turn; absent without one. */
  runningSince: WallMs.optional(),
  /** Time of the request that waits for its first token; absent unless it waits for long. */
  silentSince: WallMs.optional(),
  /** OpenCode's prompt to the user; absent without one. */
  waitsFor: z.object({ what: z.enum(['permission', 'answer']), since: WallMs }).optional(),
});
export type AgentRow = z.infer<typeof AgentRow>;

/** One live or recent session with its agents. */
export const SessionRow = z.object({
  session: z.string(),
  directory: z.string(),
  /** Last folder name of the directory: the project's name for users. */
  project: z.string(),
  /** OpenCode's title; only if the user allows it (`sessions.titles`). Never stored. */
  title: z.string().optional(),
  instance: z.string(),
  /** Not deleted, its OpenCode still runs, and not idle for half an hour. */
  isLive: z.boolean(),
  /** No answer is in progress. */
  isIdle: z.boolean(),
  /** Time of its last event. */
  at: WallMs,
  turns: z.int().nonnegative(),
  /**
   * Results of its latest requests, with those of its sub-agents; an outage means that half of at least three failed.
   * Older versions omit it.
   */
  requests: z.object({ asked: z.int().nonnegative(), failed: z.int().nonnegative(), isOutage: z.boolean() }).optional(),
  agents: z.array(AgentRow),
  /** Null without usage. */
  usage: SessionUsage.nullable(),
});
export type SessionRow = z.infer<typeof SessionRow>;

/** A configured chain in force, used by a session or not. */
export const ChainRow = z.object({
  directory: z.string(),
  agent: z.string(),
  chain: z.array(Link),
  /** The directory's model of last resort, called after the whole chain. Absent without one. */
  backup: Link.optional(),
  /** No model can replace its primary. Absent if one can. */
  isAlone: z.boolean().optional(),
  /** A spent budget blocks all of its models. Otherwise absent. */
  isHalted: z.boolean().optional(),
});
export type ChainRow = z.infer<typeof ChainRow>;

/** An agent of OpenCode without a chain in force. */
export const OtherAgent = z.object({
  directory: z.string(),
  agent: z.string(),
  /** Its model; null if unknown. */
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
  /** Number of its events that were lost before an app stored them; absent for none. */
  dropped: z.int().nonnegative().optional(),
  /**
   * The handling of a failing turn if its OpenCode cannot move a turn in flight: its message is sent `again` to the
   * next model, or only the next message goes to another one. Absent if turns move.
   */
  moves: z.enum(['again', 'watch']).optional(),
});
export type InstanceRow = z.infer<typeof InstanceRow>;

/** One event with stable code and plain fields; wording.ts formats the sentence. */
export const EventRow = z.object({
  id: z.int().nonnegative(),
  at: WallMs,
  code: z.string(),
  /** Glyph: the state after the event. */
  state: z.enum([...MODEL_STATES, 'info']),
  agent: z.string().nullable(),
  session: z.string().nullable(),
  model: ModelId.nullable(),
  /** The model that took over. */
  to: ModelId.nullable(),
  kind: z.enum(FAILURE_KINDS).nullable(),
  status: z.int().nullable(),
  until: WallMs.nullable(),
  /** Redacted detail, for example the provider's message. */
  detail: z.string().max(500).nullable(),
  /** Duration of the switch or of the attempt. */
  durationMs: z.number().nullable(),
  /** The user or program behind it: `panel`, `cli`; absent for decisions of the rules. */
  actor: z.string().optional(),
  /** "n of m": retries of a budget, speakers still active. */
  tally: z.object({ count: z.int(), of: z.int() }).optional(),
  /** The limit before which it moved, or waits. */
  near: Near.optional(),
  isRepeated: z.literal(true).optional(),
  /** For decisions: every model considered, in order. */
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

/** A configuration file that was read, and its problems. */
export const ConfigRow = z.object({
  path: z.string(),
  directory: z.string().nullable(),
  /** Changes with each change of the file, without other meaning. Absent for files that are not watched. */
  edition: z.string().optional(),
  problems: z.array(
    z.object({
      severity: z.enum(['error', 'warning']),
      message: z.string(),
      line: z.int().nullable(),
      column: z.int().nullable(),
      /** A project requests more than the user's limits allow, and waits for approval. */
      isAsking: z.boolean().optional(),
    }),
  ),
});
export type ConfigRow = z.infer<typeof ConfigRow>;

/** Question to the user after a failure, or for an unavailable model: may the next model take over? */
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
  /** Time of the question; absent while another question is open. */
  since: WallMs.optional(),
  /** No failure despite `kind`: the user took the model out of use. */
  isOut: z.boolean().optional(),
  /** No failure: a budget is spent, and the question is whether to go on. */
  near: Near.optional(),
});
export type QuestionRow = z.infer<typeof QuestionRow>;

/** Everything that surfaces show. Immutable; `rev` grows by one with each change. */
export const Snapshot = z.object({
  v: z.literal(1),
  rev: z.int().nonnegative(),
  /**
   * Wall clock of the core at the time of the snapshot: countdowns are `until - at`, corrected by the snapshot's age.
   */
  at: WallMs,
  app: z.object({
    version: z.string(),
    runtime: z.string(),
    /** All data is scripted: no request reaches a provider, and nothing belongs to the user. */
    isDemo: z.boolean().optional(),
    isRecorded: z.boolean().optional(),
  }),
  connection: z.object({
    status: z.enum(['waiting', 'connected', 'lost', 'incompatible']),
    /** Time of the last change of status. */
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
  /** The last drill in which another model took over, of any age; null for none. */
  lastDrill: EventRow.nullable().default(null),
  /** Use of the accounts' limits, if their responses report it; empty from versions that do not report it. */
  headroom: z.array(AccountRow).default([]),
  /** Budgets of the user's files, with the spent part. */
  budgets: z.array(BudgetRow).default([]),
  /** Headers that look like limits and have no reader; empty from versions that do not report them. */
  unknownHeaders: z.array(UnknownHeadersRow).default([]),
  config: z.array(ConfigRow),
  pins: z.array(z.object({ directory: z.string(), agent: z.string(), model: ModelId, ...UntilEnded })),
  /** No model changes during a pause; null without one. */
  pause: z.object(UntilEnded).nullable(),
  /** Failures that wait for the user's answer, the open one first. */
  questions: z.array(QuestionRow),
  /** Council runs that are active, were abandoned, or ended within a day, the newest first; at most 20. */
  councils: z.array(RunRef).default([]),
  /** Number of unrecognized failures; `phrases.unknown` lists them. */
  unknownPhrases: z.int().nonnegative(),
  /** Grows when a configuration file or the preferences may have changed. */
  settings: z.int().nonnegative(),
  /** Number of unread notices; `notices.list` lists them. */
  unreadNotices: z.int().nonnegative(),
  /** Number of unread notices that are still current and need action; older versions omit it. */
  urgentNotices: z.int().nonnegative().optional(),
});
export type Snapshot = z.infer<typeof Snapshot>;
