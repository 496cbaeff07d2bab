import type { AskedModel, EventFilter } from '../../contract/events';
import type { ATTEMPT_OUTCOMES } from '../../contract/sessions';
import type { EventRow } from '../../contract/snapshot';
import type { UsageSplit } from '../../contract/usage';
import type { FailureKind } from '../../engine';
import type { CellRow, OpenPart } from '../../engine/scorecard';

export type Outcome = (typeof ATTEMPT_OUTCOMES)[number];

/** Who spoke: `position` is the place of the model in the agent's chain, null outside of one. */
type Speaker = Readonly<{ session: string; turn: string; agent: string; model: string; position: number | null }>;
type Purpose = 'turn' | 'internal';

/** A turn for which everybody was out; somebody may have been asked later all the same. */
export type RefusedTurn = Readonly<{ turn: string; session: string; agent: string; at: number }>;

/** One change of what is stored. Times are Unix ms, durations ms. No prompts, no answers, no keys. */
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
  /** A turn found everybody out, and nobody was asked; of several times the last is kept. */
  | ({ readonly type: 'turn.refused' } & RefusedTurn)
  /** Whatever a session still asked has no answer any more. */
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
  /** How full a plan was found. */
  | (LimitSample & Readonly<{ type: 'limit.seen' }>)
  | Readonly<{ type: 'event'; row: EventRow }>
  /** How long the switch of an event took, known after it was told. */
  | Readonly<{ type: 'event.timed'; id: number; durationMs: number }>;

/** Names a limit: the account, its window, and the model where it is that of one alone. */
export type LimitName = Readonly<{ account: string; window: string; model: string | null }>;

/** How full a plan was at a moment, Unix ms; `used` is the spent part. */
export type LimitSample = LimitName &
  Readonly<{
    at: number;
    used: number;
    /** When it was to begin anew, Unix ms, and how long it is, in ms; null where nobody says. */
    resetAt: number;
    lengthMs: number | null;
  }>;

/** What a step used of an account: `session` is the conversation that a person began, `tokens` those that came out of no cache. */
export type AccountUse = Readonly<{ at: number; session: string; agent: string; model: string; tokens: number }>;

export type StoreBatch = Readonly<{
  /** Number of the last log record these changes come from. */
  cursor: number;
  rows: readonly StoreRow[];
  /** Figures that changed; each replaces what is stored of the same hour, model and session. */
  cells: readonly CellRow[];
  open: OpenPart;
}>;

export type StoredCard = Readonly<{ open: OpenPart; cells: readonly CellRow[] }>;

/** Which figures are wanted. Hours count from 1970; `untilHour` is not included. */
export type FiguresQuery = Readonly<{
  session?: string;
  /** Of the sessions of one project, hour by hour, as far as detail is kept. */
  project?: string;
  sinceHour?: number;
  untilHour?: number;
  /** Whole days will do where they lie within the range: their figures then stand in their first hour. */
  isByDay?: boolean;
}>;

/** Unix ms; `untilMs` is not included. */
export type TimeQuery = Readonly<{ sinceMs: number; untilMs: number }>;
export type AttemptsQuery = TimeQuery & Readonly<{ sessions?: readonly string[]; project?: string }>;

export type LiveQuery = TimeQuery & Readonly<{ agent?: string }>;

/** What one model did for one agent. What OpenCode asks for itself, and what was imported, count in none of it. */
export type LiveRow = Readonly<{
  agent: string;
  model: string;
  /** Attempts that ended in an answer, and in a failure. */
  answered: number;
  failed: number;
  /** Turns whose last attempt it answered; each counts where that attempt began. */
  answeredTurns: number;
  /** Times to the first token of its answers, in ms, rising, each with how many answers took it. */
  firstTokens: readonly (readonly [ms: number, answers: number])[];
  /** Reports of what it used, for whichever turns. */
  reports: number;
  priced: number;
  costNanos: number;
}>;

/** A session as it is stored, without what its sub-agents did. Unix ms. */
export type StoredSession = Readonly<{ session: string; project: string; firstAt: number; lastAt: number }>;

/** Which conversations are wanted: those before `before`, without `except`. An empty search fits all. */
export type SessionsQuery = Readonly<{
  search: string;
  /** Sessions that fit the search by what the store does not know. */
  also?: readonly string[];
  before: Readonly<{ at: number; session: string }> | null;
  except: readonly string[];
  limit: number;
}>;

/** One turn as it is stored; `lastAt` is the start of its last attempt, `until` the last end that is known of one. */
export type StoredTurn = Readonly<{
  turn: string;
  session: string;
  agent: string;
  at: number;
  lastAt: number;
  until: number;
  isTroubled: boolean;
}>;

/** A model that was asked, and when it had first answered; null where it never has. */
export type StoredModel = Readonly<{ model: string; answeredAt: number | null }>;

/** Tokens of all kinds together. */
export type StoredUse = Readonly<{ turn: string; model: string; at: number; tokens: number; costNanos: number | null }>;

/** Hours count from 1970; `untilHour` is not included. */
export type SplitSumsQuery = Readonly<{
  splitBy: UsageSplit;
  sinceHour: number;
  untilHour: number;
  /** Only what these asked and used. */
  sessions?: readonly string[];
  /** Only what the sessions of this project asked and used, as far as detail is kept. */
  project?: string;
  /** One sum of all hours will do: it then stands at hour 0. */
  isWhole?: boolean;
}>;

/** A model and its own number, given when it was first seen, for good. */
export type ModelSlot = Readonly<{ model: string; slot: number }>;

/** What one model, provider, agent or position was asked and used in one hour. */
export type SplitSum = Readonly<{
  hour: number;
  /** A position counts from 0; -1 stands outside of any chain, -2 for what was imported. */
  name: string;
  attempts: number;
  answered: number;
  failed: number;
  /** Attempts at models past the primary, of those at models in a chain. */
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
/** Events between two of them, neither included, that fit a filter; newest first, `offset` of them left out. */
export type EventsQuery = Readonly<{
  filter: EventFilter;
  before: number;
  after: number;
  offset: number;
  limit: number;
}>;

/** How many events are alike in all that can be counted by. */
export type EventGroup = Readonly<
  Pick<EventRow, 'code' | 'kind' | 'agent' | 'model' | 'to'> & { actor: string | null; count: number }
>;

/** What is kept of events: the highest number ever given, and when the oldest one was; null when there is none. */
export type EventsKept = Readonly<{ newest: number; sinceMs: number | null }>;

/** The events of all lives, as far as detail is kept. What cannot be read is as good as not there. */
export type StoredEvents = Readonly<{
  kept(): EventsKept;
  page(query: EventsQuery): readonly EventRow[];
  count(query: Pick<EventsQuery, 'filter' | 'before' | 'after'>): number;
  groups(filter: EventFilter): readonly EventGroup[];
  /** Null for one that is not, or no longer, kept. */
  one(id: number): EventRow | null;
  /** What was asked in the turn an agent was in at `at`, oldest first. */
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

/** Where history is kept. Reads see what is already in the file; what cannot be read is as good as not there. */
export type Store = Readonly<{
  /** Number of the last log record that is stored; 0 for none. */
  cursor: number;
  /** Null when there is none. */
  card: StoredCard | null;
  /** Takes a batch; written soon, never waited for. */
  write(batch: StoreBatch): void;
  figures(query: FiguresQuery): readonly CellRow[];
  /** Changes of the states of models, oldest first; the latest thousand of the range. */
  transitions(query: TimeQuery): readonly EventRow[];
  /** Sums by hour; null where they cannot be read. */
  sums(query: SplitSumsQuery): readonly SplitSum[] | null;
  /**
   * What each model did for each agent, as far as single attempts are kept; ranges side by side add up. Null where that
   * cannot be read.
   */
  live(query: LiveQuery): readonly LiveRow[] | null;
  /** The oldest hour that has sums, or of which detail is kept where a project is asked for; null without any. */
  oldestHour(isDetail?: boolean): number | null;
  /** Every model that was ever seen, in that order; null where that cannot be read. */
  slots(): readonly ModelSlot[] | null;
  /** Projects with sessions that are kept, the last active first. */
  projects(): readonly string[];
  /** How full a plan was found, oldest first: the latest samples that are kept. */
  limits(limit: LimitName): readonly LimitSample[];
  /** What the models of a provider used, oldest first, OpenCode's own requests included. */
  usesOf(query: TimeQuery & Readonly<{ provider: string }>): readonly AccountUse[];
  events: StoredEvents;
  /** Attempts of these sessions, or of all, oldest first. @throws what the database says: half an export is none. */
  attempts(query: AttemptsQuery): Iterable<AttemptExport>;
  /** Turns of these sessions, or of all, that found everybody out. */
  refused(query: AttemptsQuery): Iterable<RefusedTurn>;
  /** Conversations that no other one started, newest first, and how many fit the search without `before` and `limit`. */
  sessions(query: SessionsQuery): Readonly<{ sessions: readonly StoredSession[]; total: number }>;
  session(session: string): StoredSession | null;
  /** The session and its sub-agents. */
  familyOf(session: string): readonly string[];
  agentsIn(sessions: readonly string[]): readonly string[];
  /** The models these sessions have asked, in the order in which they were first asked. */
  modelsIn(sessions: readonly string[]): readonly StoredModel[];
  /** Turns of these sessions, oldest first; requests that OpenCode makes for itself are none. */
  turns(sessions: readonly string[]): readonly StoredTurn[];
  /** What turns of these sessions used from a time on, oldest first. */
  used(sessions: readonly string[], sinceMs: number): readonly StoredUse[];
  /** Resolves when every batch so far is in the file. */
  flush(): Promise<void>;
}>;

/** A store that keeps nothing and knows nothing. */
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

/** One attempt as it is exported. Times are Unix ms. What its provider said is left out: it may quote the user. */
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
