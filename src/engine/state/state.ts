import type { Spent, Streak } from '../base/budget';
import type { Boundaries, Needs } from '../base/catalogue';
import { type AgentPlan, DEFAULT_HEALTH, type HealthNumbers, type ScopeConfig } from '../base/config';
import type { HealthKey } from '../base/ids';
import { type AttemptId, type ModelId, providerOf, type TurnId } from '../base/ids';
import type { FailureKind, ModelState } from '../base/kinds';
import type { BudgetLevel } from '../base/money';
import { emptyTable, get, set, type Table } from '../base/table';
import type { Shortage, Spend, UnderWay, Window } from '../base/window';
import { flappingOf, isFlap, isFlapping, withFlap } from '../health/flapping';
import { type CallPermit, type Health, initialHealth, type LastFailure, type Pair } from '../health/health';
import { isHeld, isTakenOut, type Manual, overruled } from '../health/manual';
import type { Unreached } from '../health/outage';
import { type Pause, type Pin, pinOf } from '../health/pins';
import { isClear, READY, type Standing, standing, UNSEEN } from '../health/standing';
import type { Question } from './ask';
import { keyIn, unbooked } from './books';
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

/** Health of a model together with its provider's. */
export function pairOf(state: EngineState, key: HealthKey): Pair {
  return {
    model: get(state.models, key) ?? initialHealth,
    provider: get(state.providers, providerOf(key)) ?? initialHealth,
  };
}

/** The failure a model's state comes from: its own last one, else its provider's. */
export function lastFailureOf(state: EngineState, key: HealthKey): LastFailure | null {
  const pair = pairOf(state, key);
  return pair.model.last ?? pair.provider.last;
}

/** Gives a model and its provider this health. */
export function putPair(state: Draft, key: HealthKey, pair: Pair): void {
  state.models = set(state.models, key, pair.model);
  state.providers = set(state.providers, providerOf(key), pair.provider);
}

/** Where the strictest breaker of a directory's agents is kept; no model's name has a line break. */
export const withinKey = (directory: string, key: HealthKey): string => `${directory}\n${key}`;

/**
 * The numbers in force for a model in a directory, else the published defaults: with an agent, those it is counted with;
 * without, the strictest of its agents that name the model. The numbers of another directory never count here.
 */
export function numbersFor(
  state: EngineState,
  directory: string | null,
  key: HealthKey,
  agent?: string | undefined,
): HealthNumbers {
  const scope = directory === null ? undefined : get(state.scopes, directory);
  const numbers = scope?.health ?? DEFAULT_HEALTH;
  if (agent === undefined && state.strict === emptyTable()) return numbers;
  const breaker =
    agent === undefined ? get(state.strict, withinKey(directory ?? '', key)) : planIn(scope, agent)?.breaker;
  return breaker ? { ...numbers, breaker: { ...numbers.breaker, ...breaker } } : numbers;
}

/** The numbers in force for a model with this health: those of the directory where it, else its provider, last failed. */
export const numbersOf = (state: EngineState, key: HealthKey, pair: Pair): HealthNumbers =>
  numbersFor(state, pair.model.directory ?? pair.provider.directory, key);

/** What a model shows at `now`. */
export function standingOf(state: EngineState, key: HealthKey, now: number, pair = pairOf(state, key)): Standing {
  const manual = manualOf(state, key, now);
  if (isClear(pair)) return overruled(pair.model.calls === 0 ? UNSEEN : READY, manual, now);
  const numbers = numbersOf(state, key, pair);
  const { model: own, provider } = numbers.shadow ? unlatched(pair) : pair;
  const seen = standing(own, provider, now, numbers);
  return overruled(seen.use === 'out' ? untilCalm(state, key, { seen, manual, now, numbers }) : seen, manual, now);
}

/**
 * What a model that is out shows, when its return will be the change that makes it flap, or going out was: it is held from
 * that moment on, and whoever counts down to it counts to the end of that.
 */
function untilCalm(
  state: EngineState,
  key: HealthKey,
  {
    seen,
    manual,
    now,
    numbers,
  }: Readonly<{ seen: Standing; manual: Manual | undefined; now: number; numbers: HealthNumbers }>,
): Standing {
  const { until } = seen;
  const flaps = get(state.flaps, key);
  if (until === null || flaps === undefined || flaps.length === 0) return seen;
  // A model that is held does not return at that moment.
  if (manual && (manual.isolatedBy.length > 0 || isHeld(manual.hold, until))) return seen;
  // A decision is made before the failure it is about has been announced.
  const isNews = isFlap(get(state.shown, key) ?? 'unseen', seen.state);
  const flapping = flappingOf(numbers);
  const changes = isNews ? withFlap(flaps, now, flapping) : flaps;
  const returns = isFlap(seen.state, 'ready') && isFlapping(withFlap(changes, until, flapping), flapping);
  const heldAt = isNews && isFlapping(changes, flapping) ? now : returns ? until : null;
  if (heldAt === null) return seen;
  return { ...seen, until: Math.max(until, heldAt + flapping.holdMs), source: 'estimate' };
}

/** What a model shows to the turns of a directory at `now`. */
export const standingIn = (state: EngineState, directory: string, model: ModelId, now: number): Standing =>
  standingOf(state, keyIn(state, directory, model), now);

/**
 * What people have said of a model, in whichever book its health is kept; a book may be held by the flapping rule, as long as
 * no person holds the model.
 */
export function manualOf({ manual }: Pick<EngineState, 'manual'>, key: HealthKey, now: number): Manual | undefined {
  if (manual === emptyTable()) return undefined;
  const model = unbooked(key);
  const said = get(manual, model);
  const own = key === model ? undefined : get(manual, key);
  return own && isHeld(own.hold, now) && !(said && (said.isolatedBy.length > 0 || isHeld(said.hold, now))) ? own : said;
}

/** In shadow mode breakers count and tell, and refuse nothing. */
function unlatched({ model, provider }: Pair): Pair {
  return {
    model: model.breaker.kind === 'closed' ? model : { ...model, breaker: initialHealth.breaker },
    provider: provider.breaker.kind === 'closed' ? provider : { ...provider, breaker: initialHealth.breaker },
  };
}

/** Whether a person, not the flapping rule, has taken a model out of use: nobody asks it. */
export const isOutByHand = ({ manual }: Pick<EngineState, 'manual'>, model: ModelId, now: number): boolean =>
  isTakenOut(get(manual, model), now);

/** The pin of an agent that is in force; one to a model that a person has taken out of use is not. */
export function pinFor(
  state: EngineState,
  { directory, agent }: Pick<Turn, 'directory' | 'agent'>,
  now: number,
): Pin | null {
  const pin = pinOf(state.pins, directory, agent, now);
  return pin && !isOutByHand(state, pin.model, now) ? pin : null;
}

/** Grows whenever a model shows something else: what a person's act on it names. */
export const revisionOf = (state: EngineState, key: HealthKey): number => get(state.revisions, key) ?? 0;

/** The limits of a turn's directory on who may stand in. */
export const boundariesOf = (state: EngineState, directory: string): Boundaries => get(state.scopes, directory) ?? {};

/** The session at the top, whose budget a sub-agent spends. */
export function rootOf(state: EngineState, session: string): string {
  let at = session;
  for (let depth = 0; depth < 10; depth++) {
    const parent = get(state.sessions, at)?.parent;
    if (!parent || parent === at) break;
    at = parent;
  }
  return at;
}

/** What an agent does in a directory; null when nothing is configured or fallback is off there. */
export const planOf = (state: EngineState, directory: string, agent: string): AgentPlan | null =>
  planIn(get(state.scopes, directory), agent);

/** What an agent does by one configuration. */
export function planIn(scope: ScopeConfig | undefined, agent: string): AgentPlan | null {
  if (!scope?.enabled) return null;
  return (Object.hasOwn(scope.agents, agent) ? scope.agents[agent] : scope.agents['*']) ?? null;
}

/** The chain of a turn: its lead, then the agent's chain as it is configured now. */
export const chainOf = (state: EngineState, turn: Pick<Turn, 'directory' | 'agent' | 'lead'>): readonly ModelId[] =>
  chainIn(planOf(state, turn.directory, turn.agent), turn.lead);

/** The chain of a plan behind a lead. */
export function chainIn(plan: AgentPlan | null, lead: ModelId): readonly ModelId[] {
  const chain = plan?.chain ?? [];
  return chain[0] === lead ? chain : [lead, ...chain.filter((model) => model !== lead)];
}
