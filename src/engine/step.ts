import { announce } from './announce';
import { askedUntil } from './ask';
import { onAnswered, onRetried, settled, unasked } from './asking';
import type { ScopeConfig } from './config';
import type { Decision, Fact, Note } from './decision';
import type { EngineEvent, SyncedHealth } from './events';
import { onAborted, onCarried, onFailed, onSucceeded } from './finish';
import { type Health, resetHealth, shiftHealth } from './health';
import { isOfHost, onHost } from './host';
import { type ModelId, providerOf } from './ids';
import { shiftManual, unflapped } from './manual';
import { ignored, type Outcome, silent } from './outcome';
import { isStale, onPerson } from './people';
import { shiftPin } from './pins';
import { onPrompt } from './prompt';
import { onClosed, onIdle } from './sessions';
import { onStarted } from './start';
import type { EngineState } from './state';
import { emptyTable, entries, fromEntries, get, set, type Table } from './table';

export type Step = Readonly<{
  state: EngineState;
  decisions: readonly Decision[];
  facts: readonly Fact[];
  /** Everything else worth telling. */
  notes: readonly Note[];
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
  const outcome = finished(dispatch(state, event, now, random), now);
  const announced = announce(state, outcome.state, event, now);
  return {
    state: announced.state,
    decisions: outcome.decisions,
    facts: announced.facts.length > 0 ? [...announced.facts, ...outcome.facts] : outcome.facts,
    notes: outcome.notes ?? NO_NOTES,
    wakeAt: wakeAt(announced.state, announced.wakeAt, now),
  };
}

const NO_NOTES: readonly Note[] = [];

/** The queue of questions moves on with every event. */
function finished(outcome: Outcome, now: number): Outcome {
  if (outcome.state.questions.length === 0) return outcome;
  const gone = unasked(outcome.state, (turn) => get(outcome.state.turns, turn) === undefined, now);
  const next = settled(gone.state, now);
  return {
    state: next.state,
    decisions: [...outcome.decisions, ...next.decisions],
    facts: outcome.facts,
    notes: [...(outcome.notes ?? NO_NOTES), ...gone.notes, ...(next.notes ?? NO_NOTES)],
  };
}

/** The next moment at which anything changes by itself. */
function wakeAt(state: EngineState, models: number | null, now: number): number | null {
  let soonest = models;
  const consider = (at: number | null): void => {
    if (at !== null && at > now && (soonest === null || at < soonest)) soonest = at;
  };
  consider(askedUntil(state.questions));
  if (state.pause) consider(state.pause.until);
  return soonest;
}

function dispatch(state: EngineState, event: EngineEvent, now: number, random: number): Outcome {
  switch (event.type) {
    case 'scope.configured':
      return silent(configured(state, event.directory, event.config));
    case 'scope.closed':
      return silent(state);
    case 'prompt.submitted':
      return onPrompt(state, event, now);
    case 'attempt.started':
      return onStarted(state, event, now);
    case 'attempt.failed':
      return onFailed(state, event, now, random);
    case 'attempt.succeeded':
      return onSucceeded(state, event.attempt, now);
    case 'attempt.aborted':
      return onAborted(state, event.attempt, now);
    case 'switch.carried':
      return onCarried(state, event);
    case 'session.idle':
      return onIdle(state, event.session, now);
    case 'session.closed':
      return silent(onClosed(state, event.session));
    case 'health.reset':
      return 'model' in event.target && isStale(state, { ...event, ...event.target })
        ? ignored(state, 'manual.stale', event.target.model)
        : silent(reset(state, event.target));
    case 'health.synced':
      return silent(synced(state, event.health, now));
    case 'tick':
      return silent(state);
    case 'question.answered':
      return onAnswered(state, event, now);
    case 'speaker.retried':
      return onRetried(state, event);
    default:
      return isOfHost(event) ? onHost(state, event, now) : onPerson(state, event, now);
  }
}

/** A loaded configuration is a person's act: what waited for one may try again. */
function configured(state: EngineState, directory: string, config: ScopeConfig): EngineState {
  const models = new Set(Object.values(config.agents).flatMap((plan) => plan.chain));
  if (config.backupModel !== null) models.add(config.backupModel);
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
      flaps: emptyTable(),
      manual: mapSome(state.manual, () => true, unflapped),
      models: mapSome(state.models, () => true, resetHealth),
      providers: mapSome(state.providers, () => true, resetHealth),
    };
  }
  const provider = 'provider' in target ? target.provider : providerOf(target.model);
  const isMeant = (model: ModelId): boolean =>
    'provider' in target ? providerOf(model) === provider : model === target.model;
  return {
    ...state,
    flaps: mapSome(state.flaps, isMeant, () => []),
    manual: mapSome(state.manual, isMeant, unflapped),
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
    ...(health.manual
      ? { manual: fromEntries(health.manual.map(([name, value]) => [name, shiftManual(value, now)] as const)) }
      : {}),
    ...(health.pins
      ? { pins: fromEntries(health.pins.map(([key, value]) => [key, shiftPin(value, now)] as const)) }
      : {}),
    ...(health.pause === undefined ? {} : { pause: health.pause && shiftPin(health.pause, now) }),
  };
}

/** Health as another host can take it in: every time relative to `now`. */
export function exportHealth(state: EngineState, now: number): SyncedHealth {
  return {
    models: entries(state.models).map(([model, value]) => [model, shiftHealth(value, -now)] as const),
    providers: entries(state.providers).map(([name, value]) => [name, shiftHealth(value, -now)] as const),
    manual: entries(state.manual).map(([name, value]) => [name, shiftManual(value, -now)] as const),
    pins: entries(state.pins).map(([key, value]) => [key, shiftPin(value, -now)] as const),
    pause: state.pause && shiftPin(state.pause, -now),
  };
}
