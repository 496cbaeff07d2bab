import type { ScopeConfig } from '../base/config';
import type { HealthKey } from '../base/ids';
import { type ModelId, nameOf, providerOf, unaccounted } from '../base/ids';
import { each, entries, get } from '../base/table';
import { isOut } from '../health/flapping';
import type { LastFailure, Pair } from '../health/health';
import { preferredAt, type Standing } from '../health/standing';
import { keyBy, keyIn, shownIn, unbooked } from './books';
import { chainIn, chainOf, planIn } from './chain';
import { dueFirst } from './estimated';
import { numbersOf, pairOf, pinFor, standingIn, standingOf } from './read';
import { type EngineState, type Session, type Speaker, speakerKey } from './state';

/** A model with its standing, for surfaces. Times are engine milliseconds. */
export type ModelView = Readonly<{
  key: HealthKey;
  /** Its id, or its key where it stands in more than one book. */
  model: HealthKey;
  /** The directories that keep this health apart; null for what all directories share. */
  apart: readonly string[] | null;
  provider: string;
  name: string;
  standing: Standing;
  /** The other machine that found out why it stands so; null where that was found out here. */
  machine: string | null;
  failureThreshold: number;
  calls: number;
  failed: number;
  last: LastFailure | null;
  agents: readonly string[];
}>;

/** `isEarly`: a message asks it next although our own estimate keeps it out. */
export type ChainLink = Readonly<{ model: ModelId; standing: Standing; isEarly?: true }>;
export type SpeakerView = Speaker &
  Readonly<{
    chain: readonly ChainLink[];
    position: number;
    /** When the clock makes the lead first choice again; the agent returns with the first message after it. */
    homeAt: number | null;
    /** Nobody could stand in for its lead, where fallback is on: its chain is one model, and there is none of last resort. */
    isAlone: boolean;
    /** Engine ms at which its turn began; null while it has none. */
    runningSince: number | null;
    /** Engine ms at which its request without a token left; null while none is late. */
    silentSince: number | null;
    /** The prompt that OpenCode shows the user in its turn; null for none. */
    waitsFor: Session['waitsFor'] | null;
  }>;
export type ChainView = Readonly<{
  directory: string;
  agent: string;
  chain: readonly ChainLink[];
  /** The model of last resort of its directory, where it is not in the chain; null for none. */
  backup: ChainLink | null;
  /** Nobody could stand in for its lead. */
  isAlone: boolean;
}>;

/** An agent that has no chain of its own in force. */
export type OtherView = Readonly<{
  directory: string;
  agent: string;
  /** The model it is asked with; null where nobody has said. */
  lead: ModelId | null;
  /** Who stands in for it: whoever does for all without a chain of their own, nobody, or nobody while fallback is off there. */
  by: 'rest' | 'nobody' | 'off';
}>;

/** Everything a surface may show, read from the state at one moment. */
export type EngineView = Readonly<{
  models: readonly ModelView[];
  sessions: readonly Session[];
  speakers: readonly SpeakerView[];
  chains: readonly ChainView[];
  others: readonly OtherView[];
}>;

/** How urgently a state wants a person's eye; lists sort by it, then by volume. */
const SEVERITY = {
  blocked: 0,
  open: 1,
  cooling: 2,
  probing: 3,
  resting: 4,
  degraded: 5,
  held: 6,
  ready: 7,
  unseen: 8,
} as const;

/**
 * The state as surfaces see it at `now` (engine ms): worst models first, then busiest.
 *
 * @param isShown whose speakers are wanted: of a day's conversations a surface shows some.
 */
export function viewOf(
  state: EngineState,
  now: number,
  isShown: (session: string) => boolean = () => true,
): EngineView {
  const chains = chainViews(state, now);
  return {
    models: modelViews(state, chains, now),
    sessions: entries(state.sessions).map(([, session]) => session),
    speakers: speakerViews(state, now, isShown),
    chains,
    others: entries(state.scopes).flatMap(otherViews),
  };
}

function links(state: EngineState, directory: string, chain: readonly ModelId[], now: number): ChainLink[] {
  const all = chain.map((model): ChainLink => ({ model, standing: standingIn(state, directory, model, now) }));
  const early = dueFirst({ state, scope: get(state.scopes, directory), now }, all);
  return early === null ? all : all.map((each) => (each.model === early ? { ...each, isEarly: true } : each));
}

/** When the clock alone makes a model first choice again, in engine ms; null when it is now, or nobody can tell. */
export function preferredAtIn(state: EngineState, key: HealthKey, now: number): number | null {
  const pair = pairOf(state, key);
  const { state: shown, use, until } = standingOf(state, key, now, pair);
  // A person wants it used whatever stands against it, or no clock brings it back.
  if (use === 'first' || (use === 'out' && until === null)) return null;
  const own = preferredAt(pair.model, pair.provider, now);
  if (shown === 'held') return Math.max(until ?? now, own ?? now);
  // One that will be held when it is back is first choice later than its own lanes say; of a probe its answer tells.
  return own !== null && isOut(shown) ? Math.max(own, until ?? own) : own;
}

function chainViews(state: EngineState, now: number): ChainView[] {
  return entries(state.scopes).flatMap(([directory, scope]) =>
    scope.enabled
      ? Object.entries(scope.agents).map(([agent, plan]) => ({
          directory,
          agent,
          chain: links(state, directory, plan.chain, now),
          backup: links(state, directory, spareOf(scope, plan.chain), now)[0] ?? null,
          isAlone: isBare(scope, agent, plan.chain),
        }))
      : [],
  );
}

/** Who has no plan of their own; where fallback is off, nobody has. */
function otherViews([directory, scope]: readonly [string, ScopeConfig]): OtherView[] {
  const { '*': rest, ...own } = scope.agents;
  const planned = scope.enabled
    ? []
    : Object.entries(own).map(([agent, plan]) => ({ agent, plan, lead: plan.chain[0] }));
  const unplanned = Object.entries(scope.unplanned ?? {}).map(([agent, lead]) => ({ agent, plan: rest, lead }));
  const all = [...planned, ...unplanned].map(({ agent, plan, lead = null }) => {
    const chain = lead === null ? (plan?.chain ?? []) : chainIn(plan ?? null, lead);
    return { directory, agent, lead, isCovered: plan !== undefined && !isAlone(scope, chain) };
  });
  // Where fallback is off, one more chain would protect nobody either. Without any chain nobody has switched it off.
  const isOff = !scope.enabled && all.some(({ isCovered }) => isCovered);
  return all.map(({ isCovered, ...other }) => ({ ...other, by: isOff ? 'off' : isCovered ? 'rest' : 'nobody' }));
}

/** Whether fallback is on, and nobody could stand in for whoever leads an agent. */
const isBare = (scope: ScopeConfig | undefined, agent: string, chain: readonly ModelId[]): boolean =>
  scope?.enabled === true && (planIn(scope, agent) === null || isAlone(scope, chain));

/** Whether the lead of a chain is all there is, the model of last resort included. */
const isAlone = ({ backupModel: spare }: ScopeConfig, chain: readonly ModelId[]): boolean =>
  chain.length <= 1 && (spare === null || spare === (chain[0] ?? null));

/** The model of last resort, where a chain does not have it: it comes after all of them. */
const spareOf = ({ backupModel: spare }: ScopeConfig, chain: readonly ModelId[]): readonly ModelId[] =>
  spare === null || chain.includes(spare) ? [] : [spare];

function speakerViews(state: EngineState, now: number, isShown: (session: string) => boolean): SpeakerView[] {
  const silent = silentAttempts(state);
  return entries(state.speakers).flatMap(([, speaker]) => {
    if (!isShown(speaker.session)) return [];
    const chain = chainOf(state, speaker);
    const scope = get(state.scopes, speaker.directory);
    const own = scope?.enabled && planIn(scope, speaker.agent) ? [...chain, ...spareOf(scope, chain)] : chain;
    const turn = turnOf(state, speaker);
    // A chain that no longer has the last model takes the agent home; a turn that runs, and a pin, keep it there.
    const isGone =
      turn.runningSince === null &&
      scope !== undefined &&
      !own.some((model) => unaccounted(model) === unaccounted(speaker.active)) &&
      pinFor(state, speaker, now)?.model !== speaker.active;
    const models = isGone || own.includes(speaker.active) ? own : [...own, speaker.active];
    return {
      ...speaker,
      ...(isGone ? { active: speaker.lead, why: null } : {}),
      chain: links(state, speaker.directory, models, now),
      position: isGone ? 0 : models.indexOf(speaker.active),
      homeAt: preferredAtIn(state, keyIn(state, speaker.directory, speaker.lead), now),
      isAlone: isBare(scope, speaker.agent, chain),
      ...turn,
      silentSince: silent.get(speakerKey(speaker.session, speaker.agent)) ?? null,
    };
  });
}

/** Engine ms at which the oldest late request of each agent left, by the key of its speaker. */
function silentAttempts({ attempts }: EngineState): ReadonlyMap<string, number> {
  const silent = new Map<string, number>();
  each(attempts, ({ isSilent, purpose, session, agent = '', at }) => {
    const key = speakerKey(session, agent);
    if (isSilent && purpose === 'turn' && at !== undefined) silent.set(key, Math.min(at, silent.get(key) ?? at));
  });
  return silent;
}

function turnOf(state: EngineState, speaker: Speaker): Pick<SpeakerView, 'runningSince' | 'waitsFor'> {
  const session = get(state.sessions, speaker.session);
  const isRunning = speaker.status === 'working' && session?.agent === speaker.agent && !session.isIdle;
  return isRunning
    ? { runningSince: session.at, waitsFor: session.waitsFor ?? null }
    : { runningSince: null, waitsFor: null };
}

type Users = Readonly<{ model: ModelId; apart: Set<string> | null; agents: Set<string> }>;

function modelViews(state: EngineState, chains: readonly ChainView[], now: number): ModelView[] {
  const users = new Map<HealthKey, Users>();
  for (const { directory, agent, chain } of chains) {
    const scope = get(state.scopes, directory);
    for (const { model } of chain) {
      const key = keyBy(scope, model);
      const known = users.get(key) ?? { model, apart: key === model ? null : new Set<string>(), agents: new Set() };
      users.set(key, known);
      known.apart?.add(directory);
      known.agents.add(agent);
    }
  }
  for (const [key] of entries(state.models)) {
    // A book whose directory is not open has nobody who reads it.
    if (!users.has(key) && unbooked(key) === key) users.set(key, { model: key, apart: null, agents: new Set() });
  }
  const shown = shownIn(state);
  const views = [...users].map(([key, used]) => modelView(state, key, { used, now, shown: shown(key) }));
  return views.sort(
    (a, b) => SEVERITY[a.standing.state] - SEVERITY[b.standing.state] || b.calls - a.calls || (a.key < b.key ? -1 : 1),
  );
}

function modelView(
  state: EngineState,
  key: HealthKey,
  { used, now, shown }: Readonly<{ used: Users; now: number; shown: HealthKey }>,
): ModelView {
  const pair = pairOf(state, key);
  const { model, apart, agents } = used;
  const { calls, failed } = pair.model;
  const standing = standingOf(state, key, now);
  return {
    key,
    model: shown,
    apart: apart && [...apart],
    provider: providerOf(model),
    name: nameOf(model),
    standing,
    machine: machineBehind(pair, standing),
    failureThreshold: numbersOf(state, key, pair).breaker.failureThreshold,
    calls,
    failed,
    last: pair.model.last,
    agents: [...agents].sort(),
  };
}

/** Whose word it is that a model stands as it does, or who asks it at the moment. */
function machineBehind({ model, provider }: Pair, { state, until }: Standing): string | null {
  const { breaker, rest } = model;
  if (state === 'probing') return (breaker.kind === 'halfOpen' && breaker.probe?.machine) || null;
  const facts = [model.limit, provider.limit].map(
    (limit) => limit && { ...limit, ends: [limit.until, limit.preferAt] },
  );
  const [found] = [
    ...facts,
    rest && { ...rest, ends: [rest.until] },
    breaker.kind === 'open' ? { ...breaker, ends: [breaker.until] } : null,
  ].filter((fact) => until !== null && fact?.ends.includes(until));
  return found?.machine ?? null;
}
