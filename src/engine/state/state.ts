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

/** One request on its way. */
export type Attempt = Readonly<{
  attempt: AttemptId;
  turn: TurnId;
  session: string;
  /** Who asks; absent in what an older engine has stored. */
  agent?: string | undefined;
  model: ModelId;
  /** The place of the model in the chain of whoever speaks, when it was sent; null outside of one. */
  position?: number | null | undefined;
  /** Where the health of its model is kept when not by its id: what it comes to is written there. */
  key?: HealthKey | undefined;
  purpose: 'turn' | 'internal';
  directory: string;
  permit: CallPermit;
  /** Engine ms at which it was sent. */
  at?: number;
  /** Its answer ends what its model was out for before that moment, in engine ms. */
  before?: number | undefined;
  spend?: Spend | undefined;
  /** Its response has told how full the windows of its account are. */
  isSeen?: boolean | undefined;
  /** Its first token is late. */
  isSilent?: boolean | undefined;
}>;

/** One user message that is being answered. */
export type Turn = Readonly<{
  turn: TurnId;
  session: string;
  directory: string;
  agent: string;
  /** Position 0 of this turn's chain: the agent's lead, or the model the user picked by hand. */
  lead: ModelId;
  /** The model that speaks, or shall speak next. */
  model: ModelId;
  /** Failed requests that moved the turn to another model. */
  switches: number;
  /** Models that failed since the last answer of this turn. */
  tried: readonly Readonly<{ model: ModelId; kind: FailureKind }>[];
  /** Models this turn has moved away from, the lead it began without included: taken again only when nobody else is left. */
  left?: readonly ModelId[] | undefined;
  /** Models whose short hint this turn has already waited for. */
  held: readonly ModelId[];
  /** Models whose early end this turn has already counted. */
  cut: readonly ModelId[];
  failedAttempts: number;
  /** Its first request is let through although every model is out: a person may have mended what blocks them. */
  isForced: boolean;
  isExhausted: boolean;
  needs?: Needs | undefined;
  /** What its next request takes. */
  spend?: Spend | undefined;
  /** A request of it has left: it goes on with its model as long as that fits. */
  isUnderWay?: boolean | undefined;
  /** How often each step was taken, by `step|model`; a model's counts end with its answer. */
  used?: Readonly<Record<string, number>> | undefined;
  /** The last decision cost a retry, which is handed back when it proves nothing. */
  owesRetry?: boolean | undefined;
  /** Since when this turn waits for the network, engine ms. */
  offlineSince?: number | undefined;
  /** The one model that may be asked although it is out. */
  early?: ModelId | undefined;
  /** Its last request has no answer. */
  isUnanswered?: boolean | undefined;
  /** The model that answered, where that is not known to be `model`. */
  answeredBy?: ModelId | undefined;
  /** OpenCode itself asks again until its next answer; engine ms since when. */
  hostSince?: number | undefined;
  /** We have moved it to its model, which has not answered since: that one reads what another model wrote. */
  isMoved?: boolean | undefined;
}>;

/** Moves a turn from one model to another. */
export function moveTurn(turn: Mutable<Turn>, from: ModelId, to: ModelId): void {
  turn.model = to;
  turn.left = [...(turn.left ?? []), from];
  if (from !== to) turn.isMoved = true;
}

export type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };

/** A copy of a turn, to change. Field by field: a spread costs twenty times as much, and this runs for every failure. */
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

/** Who speaks for one agent of one session. */
export type Speaker = Readonly<{
  session: string;
  agent: string;
  directory: string;
  lead: ModelId;
  active: ModelId;
  since: number;
  /** `short`: not for a failure, but before its limit. */
  why: Readonly<{ kind: FailureKind; status: number | null; from: ModelId; short?: Shortage }> | null;
  status: 'working' | 'idle' | 'exhausted';
  turns: number;
  switches: number;
  /** Left out for the rest of the session, until somebody brings it back. */
  degraded?: Readonly<{ kind: FailureKind; model: ModelId; since: number }> | null | undefined;
  /** Why none of its requests is under way, until its next one leaves. */
  waits?: Wait | undefined;
}>;

/** One conversation. */
export type Session = Readonly<{
  session: string;
  parent: string | null;
  directory: string;
  /** The agent that spoke last. */
  agent: string;
  at: number;
  turns: number;
  isIdle: boolean;
  /** The model that answered last. */
  answered?: ModelId | undefined;
  /** Models that refused to read the conversation after a switch, as `answered|model`: they come last. */
  refused?: readonly string[] | undefined;
  /** Messages in a row that came right after the end of the one before; see `quickAfter`. */
  quick?: number | undefined;
  /** How its last 20 requests went, oldest first: `1` answered, `0` failed. */
  outcomes?: string | undefined;
  /** The prompt that OpenCode shows its user, since that engine ms. */
  waitsFor?: Readonly<{ what: UserPrompt; since: number }> | undefined;
}>;

/** The next moment at which a model changes by itself, in engine ms. */
export type Due = Readonly<{ model: ModelId; at: number }>;

/** Everything the engine knows: plain data, so that it can be stored, compared and replayed. */
export type EngineState = Readonly<{
  v: 1;
  scopes: Table<ScopeConfig>;
  /** The strictest breaker of each model for which the agents of a scope differ, by {@link withinKey}. */
  strict: Table<HealthNumbers['breaker']>;
  models: Table<Health>;
  providers: Table<Health>;
  attempts: Table<Attempt>;
  turns: Table<Turn>;
  speakers: Table<Speaker>;
  sessions: Table<Session>;
  /** The state last announced for each model. */
  shown: Table<ModelState>;
  /** Models that will change by time alone, the soonest first: what a wake-up must look at. */
  troubled: readonly Due[];
  manual: Table<Manual>;
  /** When each model went between usable and not, lately. */
  flaps: Table<readonly number[]>;
  /** When a person last reset a model or a provider, engine ms, by the key of its health. */
  resets: Table<number>;
  /** Grows with every change of what a model shows. */
  revisions: Table<number>;
  pins: Table<Pin>;
  pause: Pause | null;
  /** By root session. */
  budgets: Table<Spent>;
  /** Of providers that failed since their last answer, by the key of their health. */
  streaks: Table<Streak>;
  unreached: Unreached;
  /** This machine has no network; `at` is the last sign of it. */
  offline: Readonly<{ since: number; at: number }> | null;
  questions: readonly Question[];
  /** When the machine last woke up. */
  resumedAt: number | null;
  /** Probes this host has leased to others, by model. */
  grants: Table<Grant>;
  /** How full the limits of accounts are, as their responses tell, by the key of the provider's health. */
  windows: Table<readonly Window[]>;
  /** How full limits of accounts are by our own count, of which their providers tell nothing. */
  counted: Table<readonly Window[]>;
  /** Requests of the same accounts that other hosts have under way, as they last said. */
  elsewhere: readonly UnderWay[];
  /** What has been spent of the user's budgets, as was last counted. */
  money: readonly BudgetLevel[];
  /** How much of each was told of, by its id. */
  budgetMarks: Table<number>;
  /** What was said of a plan that another one's work would use up, by conversation and account. */
  drains: Table<Drained>;
}>;

/** `yes` and `no` are a person's, `silent` that they were asked and said nothing, `told` that nobody was asked. Until `until`, engine ms. */
export type Drained = Readonly<{ said: 'yes' | 'no' | 'silent' | 'told'; until: number }>;

/** A state in the making: its fields are replaced, what they hold is never changed, since the old state holds it too. */
export type Draft = Mutable<EngineState>;

/** A probe that the life `epoch` of another host may make. */
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

/** A copy to work on. Field by field: this runs for every event, and a spread costs thirty times as much. */
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

/** The state a step ends in: the very one it began with when nothing in it has changed. */
export function finished(before: EngineState, draft: Draft): EngineState {
  for (const field in draft) if (draft[field as keyof Draft] !== before[field as keyof Draft]) return draft;
  return before;
}

/** Key of the speaker of an agent in a session. */
export const speakerKey = (session: string, agent: string): string => `${session}|${agent}`;
