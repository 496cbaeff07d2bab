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

/** Times are engine ms. */
export type ModelView = Readonly<{
  key: HealthKey;
  /** The key if several open partitions store its health. */
  model: HealthKey;
  /** Directories with their own partition; null if all share it. */
  apart: readonly string[] | null;
  provider: string;
  name: string;
  standing: Standing;
  /** The reporting machine; null for this one. */
  machine: string | null;
  failureThreshold: number;
  calls: number;
  failed: number;
  last: LastFailure | null;
  agents: readonly string[];
}>;

/** `isEarly`: called next although an estimate excludes it. */
export type ChainLink = Readonly<{ model: ModelId; standing: Standing; isEarly?: true }>;
export type SpeakerView = Speaker &
  Readonly<{
    chain: readonly ChainLink[];
    position: number;
    /** When time alone makes the primary the first choice again; the next message returns to it. */
    homeAt: number | null;
    /** Fallback is on, but there is no fallback model. */
    isAlone: boolean;
    /** Engine ms; null without a turn. */
    runningSince: number | null;
    silentSince: number | null;
    waitsFor: Session['waitsFor'] | null;
  }>;
export type ChainView = Readonly<{
  directory: string;
  agent: string;
  chain: readonly ChainLink[];
  /** Null if absent or in the chain. */
  backup: ChainLink | null;
  isAlone: boolean;
}>;

export type OtherView = Readonly<{
  directory: string;
  agent: string;
  /** Null if unknown. */
  lead: ModelId | null;
  /** Protected by the default chain, not at all, or not while fallback is off. */
  by: 'rest' | 'nobody' | 'off';
}>;

export type EngineView = Readonly<{
  models: readonly ModelView[];
  sessions: readonly Session[];
  speakers: readonly SpeakerView[];
  chains: readonly ChainView[];
  others: readonly OtherView[];
}>;

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

/** Null if first choice now, or unknown. */
export function preferredAtIn(state: EngineState, key: HealthKey, now: number): number | null {
  const pair = pairOf(state, key);
  const { state: shown, use, until } = standingOf(state, key, now, pair);
  // The user holds it in use, or time alone does not help.
  if (use === 'first' || (use === 'out' && until === null)) return null;
  const own = preferredAt(pair.model, pair.provider, now);
  if (shown === 'held') return Math.max(until ?? now, own ?? now);
  // A hold may follow the return; a probe's result is open.
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
  // Only if fallback would protect an agent.
  const isOff = !scope.enabled && all.some(({ isCovered }) => isCovered);
  return all.map(({ isCovered, ...other }) => ({ ...other, by: isOff ? 'off' : isCovered ? 'rest' : 'nobody' }));
}

const isBare = (scope: ScopeConfig | undefined, agent: string, chain: readonly ModelId[]): boolean =>
  scope?.enabled === true && (planIn(scope, agent) === null || isAlone(scope, chain));

const isAlone = ({ backupModel: spare }: ScopeConfig, chain: readonly ModelId[]): boolean =>
  chain.length <= 1 && (spare === null || spare === (chain[0] ?? null));

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
    // Without its model in the chain, an agent returns to its primary, unless a turn or a pin holds it.
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

/** Engine ms, by agent. */
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
      const user = users.get(key) ?? { model, apart: key === model ? null : new Set<string>(), agents: new Set() };
      users.set(key, user);
      user.apart?.add(directory);
      user.agents.add(agent);
    }
  }
  for (const [key] of entries(state.models)) {
    // Partitions without an open directory are hidden.
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

/** The reporting or probing machine. */
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
