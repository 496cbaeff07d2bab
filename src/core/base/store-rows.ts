import type { AskedModel, EventFilter } from '../../contract/events';
import type { ATTEMPT_OUTCOMES } from '../../contract/sessions';
import type { EventRow } from '../../contract/snapshot';
import type { UsageSplit } from '../../contract/usage';
import type { FailureKind } from '../../engine';
import type { CellRow, OpenPart } from '../../engine/scorecard';

export type Outcome = (typeof ATTEMPT_OUTCOMES)[number];

/** `position` is null outside a chain. */
type Speaker = Readonly<{ session: string; turn: string; agent: string; model: string; position: number | null }>;
type Purpose = 'turn' | 'internal';

/** All models were unavailable; a later attempt may follow. */
export type RefusedTurn = Readonly<{ turn: string; session: string; agent: string; at: number }>;

/** Unix ms. Contains no prompts, responses or keys. */
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
  | ({ readonly type: 'turn.refused' } & RefusedTurn)
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
  /** Measured after the event was stored. */
  | Readonly<{ type: 'event.timed'; id: number; durationMs: number }>;

/** `model` is null for a limit of several models. */
export type LimitName = Readonly<{ account: string; window: string; model: string | null }>;

/** Unix ms; `used` is a fraction. */
export type LimitSample = LimitName &
  Readonly<{
    at: number;
    used: number;
    /** Expected reset, Unix ms; `lengthMs` is null if unknown. */
    resetAt: number;
    lengthMs: number | null;
  }>;

/** `session` is the one that a person began; `tokens` excludes cached ones. */
export type AccountUse = Readonly<{ at: number; session: string; agent: string; model: string; tokens: number }>;

export type StoreBatch = Readonly<{
  cursor: number;
  rows: readonly StoreRow[];
  /** Each replaces the stored figures of its hour, model and session. */
  cells: readonly CellRow[];
  open: OpenPart;
}>;

export type StoredCard = Readonly<{ open: OpenPart; cells: readonly CellRow[] }>;

/** Hours count from 1970; `untilHour` is excluded. */
export type FiguresQuery = Readonly<{
  session?: string;
  project?: string;
  sinceHour?: number;
  untilHour?: number;
  /** Allows whole days, listed at their first hour. */
  isByDay?: boolean;
}>;

/** Unix ms; `untilMs` is excluded. */
export type TimeQuery = Readonly<{ sinceMs: number; untilMs: number }>;
export type AttemptsQuery = TimeQuery & Readonly<{ sessions?: readonly string[]; project?: string }>;

export type LiveQuery = TimeQuery & Readonly<{ agent?: string }>;

export type LiveRow = Readonly<{
  agent: string;
  model: string;
  answered: number;
  failed: number;
  /** Counted by the start of the last attempt. */
  answeredTurns: number;
  /** Ascending, each with its number of responses. */
  firstTokens: readonly (readonly [ms: number, answers: number])[];
  reports: number;
  priced: number;
  costNanos: number;
}>;

/** Without sub-agents. Unix ms. */
export type StoredSession = Readonly<{ session: string; project: string; firstAt: number; lastAt: number }>;

/** An empty search matches all. */
export type SessionsQuery = Readonly<{
  search: string;
  /** Matches by data outside the store. */
  also?: readonly string[];
  before: Readonly<{ at: number; session: string }> | null;
  except: readonly string[];
  limit: number;
}>;

/** `lastAt` is the start of the last attempt, `until` the latest end. */
export type StoredTurn = Readonly<{
  turn: string;
  session: string;
  agent: string;
  at: number;
  lastAt: number;
  until: number;
  isTroubled: boolean;
}>;

/** Null without a response. */
export type StoredModel = Readonly<{ model: string; answeredAt: number | null }>;

export type StoredUse = Readonly<{ turn: string; model: string; at: number; tokens: number; costNanos: number | null }>;

/** Hours count from 1970; `untilHour` is excluded. */
export type SplitSumsQuery = Readonly<{
  splitBy: UsageSplit;
  sinceHour: number;
  untilHour: number;
  sessions?: readonly string[];
  project?: string;
  /** Allows one sum, at hour 0. */
  isWhole?: boolean;
}>;

export type ModelSlot = Readonly<{ model: string; slot: number }>;

export type SplitSum = Readonly<{
  hour: number;
  /** Positions count from 0; -1 means outside a chain, -2 imported. */
  name: string;
  attempts: number;
  answered: number;
  failed: number;
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

/** `newest` is the highest id ever assigned; `sinceMs` is null without events. */
export type EventsKept = Readonly<{ newest: number; sinceMs: number | null }>;

/** Unreadable events are treated as missing. */
export type StoredEvents = Readonly<{
  kept(): EventsKept;
  page(query: EventsQuery): readonly EventRow[];
  count(query: Pick<EventsQuery, 'filter' | 'before' | 'after'>): number;
  groups(filter: EventFilter): readonly EventGroup[];
  one(id: number): EventRow | null;
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

/** Reads see only the file; unreadable parts are treated as missing. */
export type Store = Readonly<{
  cursor: number;
  card: StoredCard | null;
  write(batch: StoreBatch): void;
  figures(query: FiguresQuery): readonly CellRow[];
  /** Oldest first; the latest 1,000. */
  transitions(query: TimeQuery): readonly EventRow[];
  /** By hour; null if unreadable. */
  sums(query: SplitSumsQuery): readonly SplitSum[] | null;
  /** Adjacent ranges add up. Null if unreadable. */
  live(query: LiveQuery): readonly LiveRow[] | null;
  /** Null without sums, or without detail. */
  oldestHour(isDetail?: boolean): number | null;
  /** In order; null if unreadable. */
  slots(): readonly ModelSlot[] | null;
  /** The last active first. */
  projects(): readonly string[];
  /** The latest, oldest first. */
  limits(limit: LimitName): readonly LimitSample[];
  /** Oldest first, including OpenCode's internal requests. */
  usesOf(query: TimeQuery & Readonly<{ provider: string }>): readonly AccountUse[];
  events: StoredEvents;
  /** Oldest first. @throws the database error, because half an export is useless. */
  attempts(query: AttemptsQuery): Iterable<AttemptExport>;
  refused(query: AttemptsQuery): Iterable<RefusedTurn>;
  /** Top-level ones, newest first; `total` ignores `before` and `limit`. */
  sessions(query: SessionsQuery): Readonly<{ sessions: readonly StoredSession[]; total: number }>;
  session(session: string): StoredSession | null;
  familyOf(session: string): readonly string[];
  agentsIn(sessions: readonly string[]): readonly string[];
  modelsIn(sessions: readonly string[]): readonly StoredModel[];
  /** Oldest first, without OpenCode's internal requests. */
  turns(sessions: readonly string[]): readonly StoredTurn[];
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

/** Unix ms. Excludes the provider's message, which may quote the user. */
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
