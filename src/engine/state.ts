import { type AgentPlan, DEFAULT_HEALTH, type HealthNumbers, type ScopeConfig } from './config';
import { type CallPermit, type Health, initialHealth, type Pair } from './health';
import { type AttemptId, type ModelId, providerOf, type TurnId } from './ids';
import type { FailureKind, ModelState } from './kinds';
import { type Standing, standing } from './standing';
import { emptyTable, get, set, type Table } from './table';

/** One request on its way. */
export type Attempt = Readonly<{
  attempt: AttemptId;
  turn: TurnId;
  session: string;
  model: ModelId;
  purpose: 'turn' | 'internal';
  directory: string;
  permit: CallPermit;
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
  /** Models whose short hint this turn has already waited for. */
  held: readonly ModelId[];
  /** Models whose early end this turn has already counted. */
  cut: readonly ModelId[];
  failedAttempts: number;
  /** Let through although every model is out: a person may have mended what blocks them. */
  isForced: boolean;
  isExhausted: boolean;
}>;

/** Who speaks for one agent of one session. */
export type Speaker = Readonly<{
  session: string;
  agent: string;
  directory: string;
  lead: ModelId;
  active: ModelId;
  since: number;
  why: Readonly<{ kind: FailureKind; status: number | null; from: ModelId }> | null;
  status: 'working' | 'idle' | 'exhausted';
  turns: number;
  switches: number;
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
}>;

/** The next moment at which a model changes by itself, in engine ms. */
export type Due = Readonly<{ model: ModelId; at: number }>;

/** Everything the engine knows: plain data, so that it can be stored, compared and replayed. */
export type EngineState = Readonly<{
  v: 1;
  scopes: Table<ScopeConfig>;
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
}>;

export const initialState: EngineState = {
  v: 1,
  scopes: emptyTable(),
  models: emptyTable(),
  providers: emptyTable(),
  attempts: emptyTable(),
  turns: emptyTable(),
  speakers: emptyTable(),
  sessions: emptyTable(),
  shown: emptyTable(),
  troubled: [],
};

/** Key of the speaker of an agent in a session. */
export const speakerKey = (session: string, agent: string): string => `${session}|${agent}`;

/** Health of a model together with its provider's. */
export function pairOf(state: EngineState, model: ModelId): Pair {
  return {
    model: get(state.models, model) ?? initialHealth,
    provider: get(state.providers, providerOf(model)) ?? initialHealth,
  };
}

/** State in which a model and its provider have this health. */
export function withPair(state: EngineState, model: ModelId, pair: Pair): EngineState {
  const provider = providerOf(model);
  const isSameModel = get(state.models, model) === pair.model;
  const isSameProvider = get(state.providers, provider) === pair.provider;
  if (isSameModel && isSameProvider) return state;
  return {
    ...state,
    models: isSameModel ? state.models : set(state.models, model, pair.model),
    providers: isSameProvider ? state.providers : set(state.providers, provider, pair.provider),
  };
}

/** The numbers in force where a model last failed, else the published defaults. */
export function numbersFor(state: EngineState, directory: string | null): HealthNumbers {
  return (directory === null ? undefined : get(state.scopes, directory)?.health) ?? DEFAULT_HEALTH;
}

/** What a model shows at `now`. */
export function standingOf(state: EngineState, model: ModelId, now: number): Standing {
  const pair = pairOf(state, model);
  return standing(pair.model, pair.provider, now, numbersOf(state, pair));
}

/** The numbers in force for a model with this health: those of the directory where it, else its provider, last failed. */
export function numbersOf(state: EngineState, pair: Pair): HealthNumbers {
  return numbersFor(state, pair.model.directory ?? pair.provider.directory);
}

/** What an agent does in a directory; null when nothing is configured or fallback is off there. */
export function planOf(state: EngineState, directory: string, agent: string): AgentPlan | null {
  const scope = get(state.scopes, directory);
  if (!scope?.enabled) return null;
  return (Object.hasOwn(scope.agents, agent) ? scope.agents[agent] : scope.agents['*']) ?? null;
}

/** The chain of a turn: its lead, then the agent's chain as it is configured now. */
export function chainOf(state: EngineState, turn: Pick<Turn, 'directory' | 'agent' | 'lead'>): readonly ModelId[] {
  const chain = planOf(state, turn.directory, turn.agent)?.chain ?? [];
  if (chain[0] === turn.lead) return chain;
  return [turn.lead, ...chain.filter((model) => model !== turn.lead)];
}
