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
  /** At departure; null outside a chain. */
  position?: number | null | undefined;
  /** Key of the model's health, if different from its id. */
  key?: HealthKey | undefined;
  purpose: 'turn' | 'internal';
  directory: string;
  permit: CallPermit;
  /** Departure, engine ms. */
  at?: number;
  /** Its response ends facts older than this, engine ms. */
  before?: number | undefined;
  spend?: Spend | undefined;
  /** Its response has reported the windows. */
  isSeen?: boolean | undefined;
  /** Its first token is late. */
  isSilent?: boolean | undefined;
}>;

export type Turn = Readonly<{
  turn: TurnId;
  session: string;
  directory: string;
  agent: string;
  /** The agent's primary, or the user's choice. */
  lead: ModelId;
  /** Current or next model. */
  model: ModelId;
  /** Switches after failures. */
  switches: number;
  /** Since the turn's last response. */
  tried: readonly Readonly<{ model: ModelId; kind: FailureKind }>[];
  /** Models that the turn left, without its initial primary; used again only if no other is left. */
  left?: readonly ModelId[] | undefined;
  /** Models whose short hint the turn has waited for. */
  held: readonly ModelId[];
  /** Models whose early end is already counted. */
  cut: readonly ModelId[];
  failedAttempts: number;
  /** The first request is allowed although all models are unavailable: the user may have fixed the cause. */
  isForced: boolean;
  isExhausted: boolean;
  needs?: Needs | undefined;
  /** Of its next request. */
  spend?: Spend | undefined;
  /** A request has left: the turn keeps its model while that fits. */
  isUnderWay?: boolean | undefined;
  /** By `step|model`; reset by the model's response. */
  used?: Readonly<Record<string, number>> | undefined;
  /** The last decision used a retry, to be returned if it proves nothing. */
  owesRetry?: boolean | undefined;
  /** Start of the wait for the network, engine ms. */
  offlineSince?: number | undefined;
  /** The one model that may be called although unavailable. */
  early?: ModelId | undefined;
  isUnanswered?: boolean | undefined;
  /** If it may differ from `model`. */
  answeredBy?: ModelId | undefined;
  /** OpenCode retries since then (engine ms), until its next response. */
  hostSince?: number | undefined;
  /** The engine moved it, and the new model, which reads another model's messages, has not responded yet. */
  isMoved?: boolean | undefined;
}>;

export function moveTurn(turn: Mutable<Turn>, from: ModelId, to: ModelId): void {
  turn.model = to;
  turn.left = [...(turn.left ?? []), from];
  if (from !== to) turn.isMoved = true;
}

export type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };

/** Field by field: a spread costs twenty times as much, and this runs for every failure. */
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

/** The model assignment of one agent in a session. */
export type Speaker = Readonly<{
  session: string;
  agent: string;
  directory: string;
  lead: ModelId;
  active: ModelId;
  since: number;
  /** `short`: moved before a limit, not after a failure. */
  why: Readonly<{ kind: FailureKind; status: number | null; from: ModelId; short?: Shortage }> | null;
  status: 'working' | 'idle' | 'exhausted';
  turns: number;
  switches: number;
  /** Paused for the rest of the session until restored. */
  degraded?: Readonly<{ kind: FailureKind; model: ModelId; since: number }> | null | undefined;
  /** Reason for having no request in flight. */
  waits?: Wait | undefined;
}>;

export type Session = Readonly<{
  session: string;
  parent: string | null;
  directory: string;
  /** The agent of the latest turn. */
  agent: string;
  at: number;
  turns: number;
  isIdle: boolean;
  /** Model of the last response. */
  answered?: ModelId | undefined;
  /** As `answered|model`: models that refused the conversation after a switch; they rank last. */
  refused?: readonly string[] | undefined;
  /** See `quickAfter`. */
  quick?: number | undefined;
  /** Last 20 requests, oldest first: `1` answered, `0` failed. */
  outcomes?: string | undefined;
  /** OpenCode's open prompt. */
  waitsFor?: Readonly<{ what: UserPrompt; since: number }> | undefined;
}>;

/** Next change by time alone, engine ms. */
export type Due = Readonly<{ model: ModelId; at: number }>;

/** Plain data, for storage, comparison and replay. */
export type EngineState = Readonly<{
  v: 1;
  scopes: Table<ScopeConfig>;
  /** Per model whose agents differ, by {@link withinKey}. */
  strict: Table<HealthNumbers['breaker']>;
  models: Table<Health>;
  providers: Table<Health>;
  attempts: Table<Attempt>;
  turns: Table<Turn>;
  speakers: Table<Speaker>;
  sessions: Table<Session>;
  /** State last announced. */
  shown: Table<ModelState>;
  /** Models that change by time alone, the soonest first; a wake-up reads only these. */
  troubled: readonly Due[];
  manual: Table<Manual>;
  /** Recent changes of availability. */
  flaps: Table<readonly number[]>;
  /** User resets in engine ms, by health key. */
  resets: Table<number>;
  revisions: Table<number>;
  pins: Table<Pin>;
  pause: Pause | null;
  /** By root session. */
  budgets: Table<Spent>;
  /** By health key of the provider. */
  streaks: Table<Streak>;
  unreached: Unreached;
  /** `at` is the last sign of the outage. */
  offline: Readonly<{ since: number; at: number }> | null;
  questions: readonly Question[];
  resumedAt: number | null;
  /** Probes leased to other hosts, by model. */
  grants: Table<Grant>;
  /** From responses, by the provider's health key. */
  windows: Table<readonly Window[]>;
  /** From our own counts. */
  counted: Table<readonly Window[]>;
  /** Requests of other hosts, as last reported. */
  elsewhere: readonly UnderWay[];
  /** Last counted. */
  money: readonly BudgetLevel[];
  /** Part last announced, by budget id. */
  budgetMarks: Table<number>;
  /** Answers about plans that would be used up, by root session and account. */
  drains: Table<Drained>;
}>;

/** `yes` and `no` are the user's; `silent`: no answer; `told`: only notified. */
export type Drained = Readonly<{ said: 'yes' | 'no' | 'silent' | 'told'; until: number }>;

/** Replace fields only: the old state shares their values. */
export type Draft = Mutable<EngineState>;

/** `epoch` is the run of the other host. */
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

/** Field by field: runs for every event; a spread costs thirty times as much. */
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

/** Returns the old state if nothing changed. */
export function finished(before: EngineState, draft: Draft): EngineState {
  for (const field in draft) if (draft[field as keyof Draft] !== before[field as keyof Draft]) return draft;
  return before;
}

export const speakerKey = (session: string, agent: string): string => `${session}|${agent}`;
