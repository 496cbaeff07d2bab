import type { AskedModel, EventFilter } from '../../contract/events';
import type { ATTEMPT_OUTCOMES } from '../../contract/sessions';
import type { EventRow } from '../../contract/snapshot';
import type { UsageSplit } from '../../contract/usage';
import type { FailureKind } from '../../engine';
import type { CellRow, OpenPart } from '../../engine/scorecard';

export type Outcome = (typeof ATTEMPT_OUTCOMES)[number];

/** `position` is the model's place in the agent's chain; null outside a chain. */
type Speaker = Readonly<{ session: string; turn: string; agent: string; model: string; position: number | null }>;
type Purpose = 'turn' | 'internal';

/** A turn that found all models unavailable; a later attempt may follow. */
export type RefusedTurn = Readonly<{ turn: string; session: string; agent: string; at: number }>;

/** One change of the store. Times are Unix ms, durations ms. Contains no prompts, responses or keys. */
export type StoreRow =
  | Readonly<{ type: 'session.seen'; session: string; parent: string | null; project: string; at: number }>
  | (Speaker & Readonly<{ type: 'attempt.started'; attempt: string; purpose: Purpose; at: number }>)
  | Readonly<{
      type: 'attempt.ended';
      attempt: string;
      outcome: Exclude<Outcome, 'inFlight'>;
      kind: FailureKind | null;
      status: number | null;
      /** Redacted, at most 200 characters. */
      message: string | null;
      durationMs: number | null;
      firstTokenMs: number | null;
    }>
  /** Of several refusals of a turn the last is stored. */
  | ({ readonly type: 'turn.refused' } & RefusedTurn)
  /** Open attempts of the session will get no response. */
  | Readonly<{ type: 'session.rested'; session: string }>
  | (Omit<Speaker, 'model'> &
      Readonly<{
        type: 'switched';
        from: string;
        to: string;
        kind: FailureKind | null;
        code: string;
        at: number;
      }>)
  | Readonly<{ type: 'switch.carried'; turn: string; from: string; ok: boolean; durationMs: number }>
  | (Speaker &
      Readonly<{
        type: 'used';
        purpose: Purpose;
        input: number;
        output: number;
        reasoning: number;
        cacheRead: number;
        cacheWrite: number;
        /** Billionths of a US dollar; null without a price. */
        costNanos: number | null;
        at: number;
      }>)
  | (LimitSample & Readonly<{ type: 'limit.seen' }>)
  | Readonly<{ type: 'event'; row: EventRow }>
  /** Duration of the switch of an event, measured after the event was stored. */
  | Readonly<{ type: 'event.timed'; id: number; durationMs: number }>;

/** `model` is null if the limit covers more than one model. */
export type LimitName = Readonly<{ account: string; window: string; model: string | null }>;

/** Level of a limit at a moment, Unix ms; `used` is a fraction. */
export type LimitSample = LimitName &
  Readonly<{
    at: number;
    used: number;
    /** Expected reset, Unix ms; `lengthMs` is null if unknown. */
    resetAt: number;
    lengthMs: number | null;
  }>;

/** `session` is the conversation that a person began; `tokens` excludes cached ones. */
export type AccountUse = Readonly<{ at: number; session: string; agent: string; model: string; tokens: number }>;

export type StoreBatch = Readonly<{
  /** Number of the last log record included. */
  cursor: number;
  rows: readonly StoreRow[];
  /** Changed figures; each replaces the stored ones of its hour, model and session. */
  cells: readonly CellRow[];
  open: OpenPart;
}>;

export type StoredCard = Readonly<{ open: OpenPart; cells: readonly CellRow[] }>;

/** Hours count from 1970; `untilHour` is excluded. */
export type FiguresQuery = Readonly<{
  session?: string;
  /** By hour, as far as detail is stored. */
  project?: string;
  sinceHour?: number;
  untilHour?: number;
  /** Allows whole-day figures where a day lies within the range; they are listed at its first hour. */
  isByDay?: boolean;
}>;

/** Unix ms; `untilMs` is excluded. */
export type TimeQuery = Readonly<{ sinceMs: number; untilMs: number }>;
export type AttemptsQuery = TimeQuery & Readonly<{ sessions?: readonly string[]; project?: string }>;

export type LiveQuery = TimeQuery & Readonly<{ agent?: string }>;

/** Results of one model for one agent, without OpenCode's internal requests and imported data. */
export type LiveRow = Readonly<{
  agent: string;
  model: string;
  answered: number;
  failed: number;
  /** Turns whose last attempt it answered, at the time when that attempt began. */
  answeredTurns: number;
  /** Distinct times to first token in ascending order, each with its number of responses. */
  firstTokens: readonly (readonly [ms: number, answers: number])[];
  /** Usage reports, for any turn. */
  reports: number;
  priced: number;
  costNanos: number;
}>;

/** A session without its sub-agents. Unix ms. */
export type StoredSession = Readonly<{ session: string; project: string; firstAt: number; lastAt: number }>;

/** Selects conversations before `before` and not in `except`. An empty search matches all. */
export type SessionsQuery = Readonly<{
  search: string;
  /** Sessions that match the search by data outside the store. */
  also?: readonly string[];
  before: Readonly<{ at: number; session: string }> | null;
  except: readonly string[];
  limit: number;
}>;

/** `lastAt` is the start of the last attempt, `until` the latest stored end of an attempt. */
export type StoredTurn = Readonly<{
  turn: string;
  session: string;
  agent: string;
  at: number;
  lastAt: number;
  until: number;
  isTroubled: boolean;
}>;

/** `answeredAt` is the first response; null if none. */
export type StoredModel = Readonly<{ model: string; answeredAt: number | null }>;

/** Tokens of all kinds. */
export type StoredUse = Readonly<{ turn: string; model: string; at: number; tokens: number; costNanos: number | null }>;

/** Hours count from 1970; `untilHour` is excluded. */
export type SplitSumsQuery = Readonly<{
  splitBy: UsageSplit;
  sinceHour: number;
  untilHour: number;
  sessions?: readonly string[];
  /** As far as detail is stored. */
  project?: string;
  /** Allows one sum of all hours, listed at hour 0. */
  isWhole?: boolean;
}>;

/** A model's permanent number, assigned when it is first seen. */
export type ModelSlot = Readonly<{ model: string; slot: number }>;

/** Sums of one model, provider, agent or position in one hour. */
export type SplitSum = Readonly<{
  hour: number;
  /** Positions count from 0; -1 means outside a chain, -2 imported. */
  name: string;
  attempts: number;
  answered: number;
  failed: number;
  /** Attempts at models after the primary, and attempts at models in a chain. */
  past: number;
  placed: number;
  input: number;
  output: number;
  reasoning: number;
  cacheRead: number;
  cacheWrite: number;
  reports: number;
  priced: number;
  costNanos: number;
}>;
/** Selects events between two ids, both excluded, newest first. */
export type EventsQuery = Readonly<{
  filter: EventFilter;
  before: number;
  after: number;
  offset: number;
  limit: number;
}>;

export type EventGroup = Readonly<
  Pick<EventRow, 'code' | 'kind' | 'agent' | 'model' | 'to'> & { actor: string | null; count: number }
>;

/** The highest id ever assigned, and the time of the oldest stored event; null without events. */
export type EventsKept = Readonly<{ newest: number; sinceMs: number | null }>;

/** Events of all runs, as far as detail is stored. Unreadable ones are treated as missing. */
export type StoredEvents = Readonly<{
  kept(): EventsKept;
  page(query: EventsQuery): readonly EventRow[];
  count(query: Pick<EventsQuery, 'filter' | 'before' | 'after'>): number;
  groups(filter: EventFilter): readonly EventGroup[];
  /** Null if it is not stored. */
  one(id: number): EventRow | null;
  /** Models called in the agent's turn at `at`, oldest first. */
  askedAround(event: Readonly<{ session: string; agent: string; at: number }>): readonly AskedModel[];
}>;

export const NO_EVENTS: StoredEvents = {
  kept: () => ({ newest: 0, sinceMs: null }),
  page: () => [],
  count: () => 0,
  groups: () => [],
  one: () => null,
  askedAround: () => [],
};

/** Reads see only what is already in the file; unreadable parts are treated as missing. */
export type Store = Readonly<{
  /** Number of the last stored log record; 0 for none. */
  cursor: number;
  card: StoredCard | null;
  /** Enqueues a batch; does not wait for the write. */
  write(batch: StoreBatch): void;
  figures(query: FiguresQuery): readonly CellRow[];
  /** State changes of models, oldest first; the latest 1,000 of the range. */
  transitions(query: TimeQuery): readonly EventRow[];
  /** By hour; null if unreadable. */
  sums(query: SplitSumsQuery): readonly SplitSum[] | null;
  /** As far as single attempts are stored; adjacent ranges add up. Null if unreadable. */
  live(query: LiveQuery): readonly LiveRow[] | null;
  /** Oldest hour with sums, or with detail; null without any. */
  oldestHour(isDetail?: boolean): number | null;
  /** In the order of their numbers; null if unreadable. */
  slots(): readonly ModelSlot[] | null;
  /** Projects with stored sessions, the last active first. */
  projects(): readonly string[];
  /** The latest stored samples, oldest first. */
  limits(limit: LimitName): readonly LimitSample[];
  /** Oldest first, including OpenCode's internal requests. */
  usesOf(query: TimeQuery & Readonly<{ provider: string }>): readonly AccountUse[];
  events: StoredEvents;
  /** Oldest first. @throws the database error, because half an export is useless. */
  attempts(query: AttemptsQuery): Iterable<AttemptExport>;
  refused(query: AttemptsQuery): Iterable<RefusedTurn>;
  /** Top-level conversations, newest first; `total` ignores `before` and `limit`. */
  sessions(query: SessionsQuery): Readonly<{ sessions: readonly StoredSession[]; total: number }>;
  session(session: string): StoredSession | null;
  /** The session and its sub-agents. */
  familyOf(session: string): readonly string[];
  agentsIn(sessions: readonly string[]): readonly string[];
  /** In the order of their first attempts. */
  modelsIn(sessions: readonly string[]): readonly StoredModel[];
  /** Oldest first, without OpenCode's internal requests. */
  turns(sessions: readonly string[]): readonly StoredTurn[];
  /** Oldest first. */
  used(sessions: readonly string[], sinceMs: number): readonly StoredUse[];
  /** Resolves when all batches so far are in the file. */
  flush(): Promise<void>;
}>;

export const EMPTY_STORE: Store = {
  cursor: 0,
  card: null,
  write: () => undefined,
  figures: () => [],
  transitions: () => [],
  events: NO_EVENTS,
  sums: () => null,
  live: () => null,
  oldestHour: () => null,
  slots: () => null,
  projects: () => [],
  limits: () => [],
  usesOf: () => [],
  attempts: () => [],
  refused: () => [],
  sessions: () => ({ sessions: [], total: 0 }),
  session: () => null,
  familyOf: (session) => [session],
  agentsIn: () => [],
  modelsIn: () => [],
  turns: () => [],
  used: () => [],
  flush: async () => undefined,
};

/** Times are Unix ms. Excludes the provider's message, which may quote the user. */
export type AttemptExport = Readonly<{
  at: number;
  session: string;
  turn: string;
  agent: string;
  model: string;
  position: number | null;
  purpose: string;
  outcome: Outcome;
  kind: string | null;
  status: number | null;
  durationMs: number | null;
  firstTokenMs: number | null;
}>;
