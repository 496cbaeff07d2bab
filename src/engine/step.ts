import type { ScopeConfig } from './config';
import type { Decision, Fact } from './decision';
import type { EngineEvent, SyncedHealth } from './events';
import { type Health, nextChange, resetHealth, shiftHealth } from './health';
import { type ModelId, providerOf } from './ids';
import { type EngineState, pairOf, standingOf } from './state';
import { entries, fromEntries, get, set, type Table } from './table';
import {
  type Outcome,
  onAborted,
  onCarried,
  onClosed,
  onFailed,
  onIdle,
  onPrompt,
  onStarted,
  onSucceeded,
} from './turns';

export type Step = Readonly<{
  state: EngineState;
  decisions: readonly Decision[];
  facts: readonly Fact[];
  /** Engine ms at which something changes by itself and a `tick` is due; null when nothing will. */
  wakeAt: number | null;
}>;

/**
 * One event, one step: the whole engine.
 *
 * @param now monotonic milliseconds of the host.
 * @param random uniform sample in [0, 1): chance is an argument, so that a log replays to the same bytes.
 * @returns the next state, what to do, what became true, and when to call again.
 */
export function step(state: EngineState, event: EngineEvent, now: number, random: number): Step {
  if (!(random >= 0 && random < 1)) throw new RangeError(`random must be in [0, 1), got ${random}`);
  const outcome = dispatch(state, event, now);
  const announced = announce(state, outcome.state, event, now);
  return {
    state: announced.state,
    decisions: outcome.decisions,
    facts: announced.facts.length > 0 ? [...announced.facts, ...outcome.facts] : outcome.facts,
    wakeAt: wakeAt(announced.state, now),
  };
}

const only = (state: EngineState): Outcome => ({ state, decisions: [], facts: [] });

function dispatch(state: EngineState, event: EngineEvent, now: number): Outcome {
  switch (event.type) {
    case 'scope.configured':
      return only(configured(state, event.directory, event.config));
    case 'scope.closed':
      return only(state);
    case 'prompt.submitted':
      return onPrompt(state, event, now);
    case 'attempt.started':
      return onStarted(state, event, now);
    case 'attempt.failed':
      return onFailed(state, event, now);
    case 'attempt.succeeded':
      return onSucceeded(state, event.attempt);
    case 'attempt.aborted':
      return onAborted(state, event.attempt);
    case 'switch.carried':
      return onCarried(state, event);
    case 'session.idle':
      return onIdle(state, event.session, now);
    case 'session.closed':
      return only(onClosed(state, event.session));
    case 'health.reset':
      return only(reset(state, event.target));
    case 'health.synced':
      return only(synced(state, event.health, now));
    case 'tick':
      return only(state);
  }
}

/** A loaded configuration is a person's act: what waited for one may try again. */
function configured(state: EngineState, directory: string, config: ScopeConfig): EngineState {
  const models = new Set(Object.values(config.agents).flatMap((plan) => plan.chain));
  const providers = new Set([...models].map(providerOf));
  return {
    ...state,
    scopes: set(state.scopes, directory, config),
    models: mapSome(state.models, (model) => models.has(model), unblocked),
    providers: mapSome(state.providers, (provider) => providers.has(provider), unblocked),
  };
}

const unblocked = (health: Health): Health => (health.block ? { ...health, block: null } : health);

function reset(
  state: EngineState,
  target: Readonly<{ model: ModelId } | { provider: string } | { all: true }>,
): EngineState {
  if ('all' in target) {
    return {
      ...state,
      models: mapSome(state.models, () => true, resetHealth),
      providers: mapSome(state.providers, () => true, resetHealth),
    };
  }
  const provider = 'provider' in target ? target.provider : providerOf(target.model);
  const isMeant = (model: ModelId): boolean =>
    'provider' in target ? providerOf(model) === provider : model === target.model;
  return {
    ...state,
    models: mapSome(state.models, isMeant, resetHealth),
    providers: mapSome(state.providers, (name) => name === provider, resetHealth),
  };
}

function mapSome<V>(table: Table<V>, isMeant: (key: string) => boolean, change: (value: V) => V): Table<V> {
  let next = table;
  for (const [key, value] of entries(table)) {
    const changed = isMeant(key) ? change(value) : value;
    if (changed !== value) next = set(next, key, changed);
  }
  return next;
}

/** The app's view replaces this host's; what the app has not heard yet is stepped again by the host. */
function synced(state: EngineState, health: SyncedHealth, now: number): EngineState {
  return {
    ...state,
    models: fromEntries(health.models.map(([model, value]) => [model, shiftHealth(value, now)] as const)),
    providers: fromEntries(health.providers.map(([name, value]) => [name, shiftHealth(value, now)] as const)),
  };
}

/** Health as another host can take it in: every time relative to `now`. */
export function exportHealth(state: EngineState, now: number): SyncedHealth {
  return {
    models: entries(state.models).map(([model, value]) => [model, shiftHealth(value, -now)] as const),
    providers: entries(state.providers).map(([name, value]) => [name, shiftHealth(value, -now)] as const),
  };
}

/** Compares what each touched model shows with what was last announced, and says what changed. */
function announce(
  before: EngineState,
  after: EngineState,
  event: EngineEvent,
  now: number,
): { state: EngineState; facts: Fact[] } {
  const isBroad = event.type === 'health.synced' || event.type === 'health.reset' || event.type === 'scope.configured';
  const providers = isBroad ? [] : changedKeys(before.providers, after.providers);
  const isTouched = (model: ModelId): boolean => isBroad || providers.includes(providerOf(model));
  const touched = new Set([...changedKeys(before.models, after.models), ...before.troubled]);
  if (isBroad || providers.length > 0)
    for (const [model] of entries(after.models)) if (isTouched(model)) touched.add(model);
  const facts: Fact[] = [];
  const troubled: ModelId[] = [];
  let shown = after.shown;
  for (const model of touched) {
    const standing = standingOf(after, model, now);
    const from = get(shown, model) ?? 'unseen';
    if (hasClock(after, model, now)) troubled.push(model);
    if (from === standing.state) continue;
    shown = set(shown, model, standing.state);
    // A first call, or one more counted failure of many, is no news.
    if (isQuiet(from) && isQuiet(standing.state)) continue;
    const forMs = standing.until === null ? null : standing.until - now;
    facts.push({
      type: 'model.changed',
      model,
      from,
      to: standing.state,
      code: standing.code,
      kind: standing.kind,
      forMs,
    });
  }
  return { state: { ...after, shown, troubled }, facts };
}

const isQuiet = (state: string): boolean => state === 'unseen' || state === 'ready';

function changedKeys<V>(before: Table<V>, after: Table<V>): string[] {
  if (before === after) return [];
  const keys: string[] = [];
  for (let slot = 0; slot < after.length; slot++) {
    if (before[slot] === after[slot]) continue;
    for (const [key, value] of after[slot] ?? []) {
      if (before[slot]?.find((entry) => entry[0] === key)?.[1] !== value) keys.push(key);
    }
  }
  return keys;
}

function hasClock(state: EngineState, model: ModelId, now: number): boolean {
  const pair = pairOf(state, model);
  return nextChange(pair.model, now) !== null || nextChange(pair.provider, now) !== null;
}

/** The next moment at which a model changes by itself; null when none will. */
function wakeAt(state: EngineState, now: number): number | null {
  let soonest: number | null = null;
  for (const model of state.troubled) {
    const pair = pairOf(state, model);
    for (const at of [nextChange(pair.model, now), nextChange(pair.provider, now)]) {
      if (at !== null && (soonest === null || at < soonest)) soonest = at;
    }
  }
  return soonest;
}
