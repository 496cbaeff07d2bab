import type { Spent, Streak } from '../base/budget';
import type { Needs } from '../base/catalogue';
import type { HealthNumbers, ScopeConfig } from '../base/config';
import type { AttemptId, HealthKey, ModelId, TurnId } from '../base/ids';
import type { FailureKind, ModelState } from '../base/kinds';
import type { BudgetLevel } from '../base/money';
import { emptyTable, type Table } from '../base/table';
import type { Shortage, Spend, UnderWay, Window } from '../base/window';
import type { CallPermit, Health } from '../health/health';
import type { Manual } from '../health/manual';
import type { Unreached } from '../health/outage';
import type { Pause, Pin } from '../health/pins';
import type { Question } from './ask';
import type { UserPrompt } from './events';
import type { Wait } from './wait';

export type Attempt = Readonly<{
  attempt: AttemptId;
  turn: TurnId;
  session: string;
  /** Absent in older states. */
  agent?: string | undefined;
  model: ModelId;
  /** Position in the agent's chain at departure. */
  position?: number | null | undefined;
  /** If different from `model`. */
  key?: HealthKey | undefined;
  purpose: 'turn' | 'internal';
  directory: string;
  permit: CallPermit;
  at?: number;
  /** Its response ends older facts. */
  before?: number | undefined;
  spend?: Spend | undefined;
  isSeen?: boolean | undefined;
  isSilent?: boolean | undefined;
}>;

export type Turn = Readonly<{
  turn: TurnId;
  session: string;
  directory: string;
  agent: string;
  /** The agent's primary, or the user's choice. */
  lead: ModelId;
  model: ModelId;
  /** Only after failures. */
  switches: number;
  /** Since the turn's last response. */
  tried: readonly Readonly<{ model: ModelId; kind: FailureKind }>[];
  /** Models that the turn left, including a primary that it began without; used again only if no other remains. */
  left?: readonly ModelId[] | undefined;
  /** Models with a short hint that the turn has waited for. */
  held: readonly ModelId[];
  /** Models with an early end that is already counted. */
  cut: readonly ModelId[];
  failedAttempts: number;
  /** All models are unavailable, but the user may have fixed the cause. */
  isForced: boolean;
  isExhausted: boolean;
  needs?: Needs | undefined;
  spend?: Spend | undefined;
  /** A request has left: the turn keeps its model while that fits. */
  isUnderWay?: boolean | undefined;
  /** By `step|model`; reset by the model's response. */
  used?: Readonly<Record<string, number>> | undefined;
  /** A retry to return if it proves nothing. */
  owesRetry?: boolean | undefined;
  offlineSince?: number | undefined;
  /** The model may be called although unavailable. */
  early?: ModelId | undefined;
  isUnanswered?: boolean | undefined;
  /** If it may differ from `model`. */
  answeredBy?: ModelId | undefined;
  /** OpenCode itself retries since then, engine ms. */
  hostSince?: number | undefined;
  /** Moved to a model that reads another model's messages and has not responded yet. */
  isMoved?: boolean | undefined;
}>;

export function moveTurn(turn: Mutable<Turn>, from: ModelId, to: ModelId): void {
  turn.model = to;
  turn.left = [...(turn.left ?? []), from];
  if (from !== to) turn.isMoved = true;
}

export type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };

/** A spread costs twenty times as much, and this runs for every failure. */
export function copyOf(turn: Turn): Mutable<Turn> {
  return {
    turn: turn.turn,
    session: turn.session,
    directory: turn.directory,
    agent: turn.agent,
    lead: turn.lead,
    model: turn.model,
    switches: turn.switches,
    tried: turn.tried,
    left: turn.left,
    held: turn.held,
    cut: turn.cut,
    failedAttempts: turn.failedAttempts,
    isForced: turn.isForced,
    isExhausted: turn.isExhausted,
    needs: turn.needs,
    spend: turn.spend,
    isUnderWay: turn.isUnderWay,
    used: turn.used,
    owesRetry: turn.owesRetry,
    offlineSince: turn.offlineSince,
    early: turn.early,
    isUnanswered: turn.isUnanswered,
    answeredBy: turn.answeredBy,
    hostSince: turn.hostSince,
    isMoved: turn.isMoved,
  };
}

/** The model that an agent uses in a session. */
export type Speaker = Readonly<{
  session: string;
  agent: string;
  directory: string;
  lead: ModelId;
  active: ModelId;
  since: number;
  /** `short`: before a limit, without a failure. */
  why: Readonly<{ kind: FailureKind; status: number | null; from: ModelId; short?: Shortage }> | null;
  status: 'working' | 'idle' | 'exhausted';
  turns: number;
  switches: number;
  /** Paused until restored. */
  degraded?: Readonly<{ kind: FailureKind; model: ModelId; since: number }> | null | undefined;
  waits?: Wait | undefined;
}>;

export type Session = Readonly<{
  session: string;
  parent: string | null;
  directory: string;
  agent: string;
  at: number;
  turns: number;
  isIdle: boolean;
  answered?: ModelId | undefined;
  /** `answered|model`: the model refused the conversation after a switch and ranks last. */
  refused?: readonly string[] | undefined;
  /** See `quickAfter`. */
  quick?: number | undefined;
  /** Last 20 requests, oldest first: `1` answered, `0` failed. */
  outcomes?: string | undefined;
  waitsFor?: Readonly<{ what: UserPrompt; since: number }> | undefined;
}>;

export type Due = Readonly<{ model: ModelId; at: number }>;

/** Plain data, for storage and replay. */
export type EngineState = Readonly<{
  v: 1;
  scopes: Table<ScopeConfig>;
  /** Breakers of models with different numbers per agent, by {@link withinKey}. */
  strict: Table<HealthNumbers['breaker']>;
  models: Table<Health>;
  providers: Table<Health>;
  attempts: Table<Attempt>;
  turns: Table<Turn>;
  speakers: Table<Speaker>;
  sessions: Table<Session>;
  /** State last announced. */
  shown: Table<ModelState>;
  /** Models that change by time, the soonest first; a wake-up reads only these. */
  troubled: readonly Due[];
  manual: Table<Manual>;
  flaps: Table<readonly number[]>;
  /** Times of user resets, by health key. */
  resets: Table<number>;
  revisions: Table<number>;
  pins: Table<Pin>;
  pause: Pause | null;
  /** By root session. */
  budgets: Table<Spent>;
  /** By the provider's health key. */
  streaks: Table<Streak>;
  unreached: Unreached;
  /** `at` is the last sign of it. */
  offline: Readonly<{ since: number; at: number }> | null;
  questions: readonly Question[];
  resumedAt: number | null;
  grants: Table<Grant>;
  /** By the provider's health key, from responses. */
  windows: Table<readonly Window[]>;
  counted: Table<readonly Window[]>;
  elsewhere: readonly UnderWay[];
  money: readonly BudgetLevel[];
  /** Part announced, by budget id. */
  budgetMarks: Table<number>;
  /** By root session and account. */
  drains: Table<Drained>;
}>;

/** `silent`: the user did not answer; `told`: only notified. */
export type Drained = Readonly<{ said: 'yes' | 'no' | 'silent' | 'told'; until: number }>;

/** Replace fields only: the old state shares the values. */
export type Draft = Mutable<EngineState>;

export type Grant = Readonly<{ epoch: string; permit: CallPermit }>;

export const initialState: EngineState = {
  v: 1,
  scopes: emptyTable(),
  strict: emptyTable(),
  models: emptyTable(),
  providers: emptyTable(),
  attempts: emptyTable(),
  turns: emptyTable(),
  speakers: emptyTable(),
  sessions: emptyTable(),
  shown: emptyTable(),
  troubled: [],
  manual: emptyTable(),
  flaps: emptyTable(),
  resets: emptyTable(),
  revisions: emptyTable(),
  pins: emptyTable(),
  pause: null,
  budgets: emptyTable(),
  streaks: emptyTable(),
  unreached: emptyTable(),
  offline: null,
  questions: [],
  resumedAt: null,
  grants: emptyTable(),
  windows: emptyTable(),
  counted: emptyTable(),
  elsewhere: [],
  money: [],
  budgetMarks: emptyTable(),
  drains: emptyTable(),
};

/** A spread costs thirty times as much, and this runs for every event. */
export function draftOf(state: EngineState): Draft {
  return {
    v: state.v,
    scopes: state.scopes,
    strict: state.strict,
    models: state.models,
    providers: state.providers,
    attempts: state.attempts,
    turns: state.turns,
    speakers: state.speakers,
    sessions: state.sessions,
    shown: state.shown,
    troubled: state.troubled,
    manual: state.manual,
    flaps: state.flaps,
    resets: state.resets,
    revisions: state.revisions,
    pins: state.pins,
    pause: state.pause,
    budgets: state.budgets,
    streaks: state.streaks,
    unreached: state.unreached,
    offline: state.offline,
    questions: state.questions,
    resumedAt: state.resumedAt,
    grants: state.grants,
    windows: state.windows,
    counted: state.counted,
    elsewhere: state.elsewhere,
    money: state.money,
    budgetMarks: state.budgetMarks,
    drains: state.drains,
  };
}

export function finished(before: EngineState, draft: Draft): EngineState {
  for (const field in draft) if (draft[field as keyof Draft] !== before[field as keyof Draft]) return draft;
  return before;
}

export const speakerKey = (session: string, agent: string): string => `${session}|${agent}`;
