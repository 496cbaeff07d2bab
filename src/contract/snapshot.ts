import * as z from 'zod';
import { FAILURE_KINDS, MODEL_STATES } from '../engine/names';
import { RunRef } from '../features/council/contract/council-run';
import { BudgetRow } from './budget';
import { AccountRow, Near, UnknownHeadersRow } from './headroom';
import { REQUESTS_SEEN } from './requests-seen';

const ModelId = z.string().min(3).max(300);
const WallMs = z.number();
/** What lasts until a time, or with null until somebody ends it; `by` is who set it. */
const UntilEnded = { until: WallMs.nullable(), since: WallMs, by: z.string() };

const ModelFailure = z.object({
  kind: z.enum(FAILURE_KINDS),
  status: z.int().nullable(),
  message: z.string().max(500),
  at: WallMs,
});

/** What OpenCode says a model can do; null where it does not say. Prices are per million tokens. */
export const ModelAbilities = z.object({
  context: z.number().nullable(),
  vision: z.boolean().nullable(),
  tools: z.boolean().nullable(),
  priceIn: z.number().nullable(),
  priceOut: z.number().nullable(),
});
export type ModelAbilities = z.infer<typeof ModelAbilities>;

const Tokens = z.int().nonnegative();

/** What a model has used, as far back as the log goes. */
export const ModelUsage = z.object({
  /** As OpenCode counts them: `input` without cached ones, `output` without reasoning. */
  tokens: z.object({ input: Tokens, output: Tokens, reasoning: Tokens, cacheRead: Tokens, cacheWrite: Tokens }),
  /** All of these together. */
  total: Tokens,
  /** The part of `total` that OpenCode used for itself: compactions and titles. */
  internal: Tokens,
  /** US dollars for the tokens that have a price; null when none has. */
  cost: z.number().nonnegative().nullable(),
  /** The part of `total`, from 0 to 1, that has a price. */
  pricedShare: z.number().min(0).max(1),
});
export type ModelUsage = z.infer<typeof ModelUsage>;

/** What a conversation has used, its sub-agents included; `by` says who. */
export const SessionUsage = ModelUsage.extend({
  by: z.array(
    ModelUsage.extend({
      agent: z.string(),
      model: ModelId,
      /** Index of the model in the agent's chain when it was used; null outside of one. */
      position: z.int().nonnegative().nullable(),
    }),
  ),
});
export type SessionUsage = z.infer<typeof SessionUsage>;

/** Health of one model, ready to show. Times are wall-clock milliseconds. */
export const ModelRow = z.object({
  /** `provider/model`; with a book behind the provider where its health is kept apart: see {@link unbooked}. */
  model: ModelId,
  /** The directories that keep this health apart; left out where all directories share it. */
  apart: z.array(z.string()).optional(),
  provider: z.string(),
  name: z.string(),
  state: z.enum(MODEL_STATES),
  /** Stable dotted reason of the state, for example `limit.rate_limit`; null when ready or unseen. */
  code: z.string().nullable(),
  /** When the state ends by itself; null when no clock will end it. */
  until: WallMs.nullable(),
  /** Whose clock `until` is. */
  source: z.enum(['provider', 'estimate']).nullable(),
  /** The other machine of the fleet that found it out; left out where that was this one. */
  machine: z.string().optional(),
  since: WallMs.nullable(),
  failures: z.int().nonnegative(),
  failureThreshold: z.int().positive(),
  calls: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  lastFailure: ModelFailure.nullable(),
  /** Calls of the last two minutes by slices of 10 s, oldest first; `at` is the beginning of one, and those without a call are left out. */
  recent: z.array(z.object({ at: WallMs, calls: z.int().nonnegative(), failed: z.int().nonnegative() })),
  abilities: ModelAbilities,
  /** Agents whose chain names this model. */
  agents: z.array(z.string()),
  /** Who wants it left alone; it is used again when the last one lets go. */
  isolatedBy: z.array(z.string()),
  /** Left out where no companion in OpenCode 1 has found it out. */
  requests: z.enum(REQUESTS_SEEN).optional(),
  /** The state a person, or the rule against flapping, keeps it in; null when nobody does. */
  hold: z.object({ state: z.enum(['open', 'closed']), ...UntilEnded }).nullable(),
  /** Null when it has used nothing. */
  usage: ModelUsage.nullable(),
});
export type ModelRow = z.infer<typeof ModelRow>;

/** A state a model went into; `kind` is the failure behind it, absent where none is or nobody knows. */
export const StateSince = z.object({
  state: z.enum(MODEL_STATES),
  at: WallMs,
  kind: z.enum(FAILURE_KINDS).optional(),
});

/** What a model went through: failures newest first, states of the last 24 hours oldest first. */
export const ModelHistory = z.object({
  failures: z.array(ModelFailure),
  states: z.array(StateSince),
  /** Half of the answers of the last 24 hours began sooner, in ms; null when it gave none. */
  firstWordMs: z.number().nonnegative().nullable(),
});
export type ModelHistory = z.infer<typeof ModelHistory>;

/** A model of a chain. `isEarly`: the next message asks it although our own estimate keeps it out. */
const Link = z.object({
  model: ModelId,
  state: z.enum(MODEL_STATES),
  code: z.string().nullable(),
  isEarly: z.literal(true).optional(),
});

/** One agent of one session: who speaks for it now. */
export const AgentRow = z.object({
  /** Stable key of the row. */
  key: z.string(),
  agent: z.string(),
  session: z.string(),
  parentSession: z.string().nullable(),
  lead: ModelId,
  active: ModelId,
  /** Index of `active` in `chain`; 0 is the lead. */
  position: z.int().nonnegative(),
  chain: z.array(Link),
  status: z.enum(['working', 'idle', 'exhausted']),
  /** Why it is not on its lead; null on the lead. */
  why: z
    .object({
      kind: z.enum(FAILURE_KINDS),
      status: z.int().nullable(),
      from: ModelId,
      until: WallMs.nullable(),
      source: z.enum(['provider', 'estimate']).nullable(),
      /** It was left before a limit, and has not failed: `kind` is what a refusal would have been. */
      near: Near.optional(),
    })
    .nullable(),
  /** Since when `active` speaks. */
  since: WallMs,
  turns: z.int().nonnegative(),
  switches: z.int().nonnegative(),
  /** Left out for the rest of its session, until somebody brings it back. */
  isLeftOut: z.boolean(),
  /** Its turn was ended for a budget that is spent still, or nothing is sent before somebody has said so; `until` is when that begins anew. */
  halted: z.object({ near: Near, until: WallMs.nullable() }).optional(),
  /** Nobody could stand in for its lead. Left out where somebody could, and where fallback is off. */
  isAlone: z.boolean().optional(),
  /** Its lead is well, and it speaks by another account of the same model, which has, or had when its turn began, more headroom. Left out where it does not. */
  isSpread: z.boolean().optional(),
  /**
   * Its turn stands still after a failure, and has for a moment or will for one: by a wait of ours (`hold`), or because
   * OpenCode has been given the failure and asks again when it likes (`host`). Left out where it does not.
   */
  waits: z
    .object({
      by: z.enum(['hold', 'host']),
      model: ModelId,
      kind: z.enum(FAILURE_KINDS),
      status: z.int().nullable(),
      since: WallMs,
      /** When somebody is asked again; null where nobody has said. */
      until: WallMs.nullable(),
      /** Several messages came right after an error. */
      isLoop: z.literal(true).optional(),
      /** Nothing has failed: a limit is about to have room again. */
      near: Near.optional(),
      /** `until` is the provider's time. */
      isGiven: z.literal(true).optional(),
    })
    .optional(),
  /** Begin of the turn that is open; absent without one. */
  runningSince: WallMs.optional(),
  /** When the request left that waits for its first token; absent while none waits for long. */
  silentSince: WallMs.optional(),
  /** The prompt that OpenCode shows the user; absent for none. */
  waitsFor: z.object({ what: z.enum(['permission', 'answer']), since: WallMs }).optional(),
});
export type AgentRow = z.infer<typeof AgentRow>;

/** One live or recent session, with the agents that spoke in it. */
export const SessionRow = z.object({
  session: z.string(),
  directory: z.string(),
  /** Last folder name of the directory: what people call the project. */
  project: z.string(),
  /** What OpenCode calls it: there only where the user lets it be shown (`sessions.titles`). It is never written down. */
  title: z.string().optional(),
  instance: z.string(),
  /** Not over: neither deleted, nor its OpenCode gone, nor idle for half an hour. */
  isLive: z.boolean(),
  /** Nothing is being answered. */
  isIdle: z.boolean(),
  /** Of the last thing that happened in it. */
  at: WallMs,
  turns: z.int().nonnegative(),
  /**
   * How its last requests went, with those of its sub-agents; an outage is half of at least three failed. Left out by
   * versions that do not tell.
   */
  requests: z.object({ asked: z.int().nonnegative(), failed: z.int().nonnegative(), isOutage: z.boolean() }).optional(),
  agents: z.array(AgentRow),
  /** Null when it has used nothing. */
  usage: SessionUsage.nullable(),
});
export type SessionRow = z.infer<typeof SessionRow>;

/** A chain as it is configured and armed, whether or not a session uses it. */
export const ChainRow = z.object({
  directory: z.string(),
  agent: z.string(),
  chain: z.array(Link),
  /** The model of last resort of its directory, asked after all of the chain. Left out where there is none beside it. */
  backup: Link.optional(),
  /** Nobody could stand in for its lead. Left out where somebody could. */
  isAlone: z.boolean().optional(),
  /** No model gets a request, for a spent budget. Left out where one does. */
  isHalted: z.boolean().optional(),
});
export type ChainRow = z.infer<typeof ChainRow>;

/** An agent of OpenCode's that has no chain of its own in force. */
export const OtherAgent = z.object({
  directory: z.string(),
  agent: z.string(),
  /** The model it is asked with; null where nobody has said. */
  lead: ModelId.nullable(),
  /** Who stands in for it: the chain of everybody without one, nobody, or nobody while fallback is off in its directory. */
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
  /** How many of its events were forgotten before any app had written them down; absent for none. */
  dropped: z.int().nonnegative().optional(),
  /**
   * What becomes of a failing turn where its OpenCode was seen not to let one move in flight: it ends and its message is asked `again` of
   * the next model, or only the next message goes to another one. Absent where turns move.
   */
  moves: z.enum(['again', 'watch']).optional(),
});
export type InstanceRow = z.infer<typeof InstanceRow>;

/** One line of "what happened", with stable code and plain fields; wording.ts turns it into a sentence. */
export const EventRow = z.object({
  id: z.int().nonnegative(),
  at: WallMs,
  code: z.string(),
  /** The glyph to show: the state the event led to. */
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
  /** How long the switch took, or the attempt lasted. */
  durationMs: z.number().nullable(),
  /** Who did it, where a person or a program did: `panel`, `cli`; absent when the rules decided. */
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

/** A configuration file that was read, and what was wrong with it. */
export const ConfigRow = z.object({
  path: z.string(),
  directory: z.string().nullable(),
  /** Another one with each change of the file; it means nothing else. Absent where nobody watches the file. */
  edition: z.string().optional(),
  problems: z.array(
    z.object({
      severity: z.enum(['error', 'warning']),
      message: z.string(),
      line: z.int().nullable(),
      column: z.int().nullable(),
      /** A project asks for more than the user's own limits allow; they may say yes to it. */
      isAsking: z.boolean().optional(),
    }),
  ),
});
export type ConfigRow = z.infer<typeof ConfigRow>;

/** What is put to a person because a model failed or is out: may the next one take over? */
export const QuestionRow = z.object({
  id: z.string(),
  session: z.string(),
  agent: z.string(),
  /** The model that failed, and who would speak next; null when nobody could. */
  model: ModelId,
  to: ModelId.nullable(),
  kind: z.enum(FAILURE_KINDS),
  /** When no answer counts as a no; null while another question is open. */
  skippedAt: WallMs.nullable(),
  /** When it was asked; absent while another question is open. */
  since: WallMs.optional(),
  /** No failure is behind it, whatever `kind` says: somebody has taken the model out of use. */
  isOut: z.boolean().optional(),
  /** Nor has anything failed: a budget is spent, and the question is whether to go on. */
  near: Near.optional(),
});
export type QuestionRow = z.infer<typeof QuestionRow>;

/** Everything every surface shows. Immutable; `rev` grows by one with each change. */
export const Snapshot = z.object({
  v: z.literal(1),
  rev: z.int().nonnegative(),
  /** Wall clock of the core when it was taken: countdowns are `until - at`, corrected by the age of the snapshot. */
  at: WallMs,
  app: z.object({
    version: z.string(),
    runtime: z.string(),
    /** Everything shown is scripted: no provider is asked, and nothing is of the user's. */
    isDemo: z.boolean().optional(),
    /** The demo is a recording: no OpenCode runs. */
    isRecorded: z.boolean().optional(),
  }),
  connection: z.object({
    status: z.enum(['waiting', 'connected', 'lost', 'incompatible']),
    /** Of the last change of status. */
    since: WallMs,
  }),
  instances: z.array(InstanceRow),
  sessions: z.array(SessionRow),
  chains: z.array(ChainRow),
  /** Agents of OpenCode's beside those with a chain; versions that do not tell know of none. */
  others: z.array(OtherAgent).default([]),
  /** Worst first, then busiest. */
  models: z.array(ModelRow),
  /** Newest first, at most 50. */
  events: z.array(EventRow),
  /** The last drill in which another model took over, however long ago; null for none. */
  lastDrill: EventRow.nullable().default(null),
  /** How full the limits of accounts are, as far as their responses tell; versions that do not tell know of none. */
  headroom: z.array(AccountRow).default([]),
  /** What the user's files say may be spent, and how much of it is. */
  budgets: z.array(BudgetRow).default([]),
  /** Headers that sound like a limit and that nobody reads yet; versions that do not tell know of none. */
  unknownHeaders: z.array(UnknownHeadersRow).default([]),
  config: z.array(ConfigRow),
  pins: z.array(z.object({ directory: z.string(), agent: z.string(), model: ModelId, ...UntilEnded })),
  /** No model is changed while this lasts; null when switching goes on. */
  pause: z.object(UntilEnded).nullable(),
  /** Failures that wait for a person's answer, the open one first. */
  questions: z.array(QuestionRow),
  /** Runs of councils that are under way, that were left, or that ended within a day, the newest first; at most 20. */
  councils: z.array(RunRef).default([]),
  /** Failures nobody could name; `phrases.unknown` lists them. */
  unknownPhrases: z.int().nonnegative(),
  /** Grows when a configuration file or the preferences may say something else than before. */
  settings: z.int().nonnegative(),
  /** Notices nobody has read; `notices.list` lists them. */
  unreadNotices: z.int().nonnegative(),
  /** How many of those tell of what still lasts and needs a person; versions that do not tell leave it out. */
  urgentNotices: z.int().nonnegative().optional(),
});
export type Snapshot = z.infer<typeof Snapshot>;
