import type { Boundaries } from '../base/catalogue';
import { DEFAULT_HEALTH, type HealthNumbers } from '../base/config';
import type { HealthKey } from '../base/ids';
import { type ModelId, providerOf } from '../base/ids';
import { emptyTable, get, set } from '../base/table';
import { flappingOf, isFlap, isFlapping, withFlap } from '../health/flapping';
import { initialHealth, type LastFailure, type Pair } from '../health/health';
import { isHeld, isTakenOut, type Manual, overruled } from '../health/manual';
import { type Pin, pinOf } from '../health/pins';
import { isClear, READY, type Standing, standing, UNSEEN } from '../health/standing';
import { keyIn, unbooked } from './books';
import { planIn } from './chain';
import type { Draft, EngineState, Turn } from './state';

export function pairOf(state: EngineState, key: HealthKey): Pair {
  return {
    model: get(state.models, key) ?? initialHealth,
    provider: get(state.providers, providerOf(key)) ?? initialHealth,
  };
}

/** Falls back to the provider's last failure. */
export function lastFailureOf(state: EngineState, key: HealthKey): LastFailure | null {
  const pair = pairOf(state, key);
  return pair.model.last ?? pair.provider.last;
}

export function putPair(state: Draft, key: HealthKey, pair: Pair): void {
  state.models = set(state.models, key, pair.model);
  state.providers = set(state.providers, providerOf(key), pair.provider);
}

/** No model's name has a line break. */
export const withinKey = (directory: string, key: HealthKey): string => `${directory}\n${key}`;

/** Without `agent`: the strictest of the directory's agents that use the model. Other directories never count. */
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

/** Numbers of the directory of the last failure. */
export const numbersOf = (state: EngineState, key: HealthKey, pair: Pair): HealthNumbers =>
  numbersFor(state, pair.model.directory ?? pair.provider.directory, key);

export function standingOf(state: EngineState, key: HealthKey, now: number, pair = pairOf(state, key)): Standing {
  const manual = manualOf(state, key, now);
  if (isClear(pair)) return overruled(pair.model.calls === 0 ? UNSEEN : READY, manual, now);
  const numbers = numbersOf(state, key, pair);
  const { model: own, provider } = numbers.shadow ? unlatched(pair) : pair;
  const seen = standing(own, provider, now, numbers);
  return overruled(seen.use === 'out' ? untilCalm(state, key, { seen, manual, now, numbers }) : seen, manual, now);
}

/** `until` includes a hold for flapping that would follow. */
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
  if (manual && (manual.isolatedBy.length > 0 || isHeld(manual.hold, until))) return seen;
  // The failure is announced after the decision.
  const isNews = isFlap(get(state.shown, key) ?? 'unseen', seen.state);
  const flapping = flappingOf(numbers);
  const changes = isNews ? withFlap(flaps, now, flapping) : flaps;
  const returns = isFlap(seen.state, 'ready') && isFlapping(withFlap(changes, until, flapping), flapping);
  const heldAt = isNews && isFlapping(changes, flapping) ? now : returns ? until : null;
  if (heldAt === null) return seen;
  return { ...seen, until: Math.max(until, heldAt + flapping.holdMs), source: 'estimate' };
}

export const standingIn = (state: EngineState, directory: string, model: ModelId, now: number): Standing =>
  standingOf(state, keyIn(state, directory, model), now);

/** The user's overrides, in all partitions; they take precedence over a flapping hold of one. */
export function manualOf({ manual }: Pick<EngineState, 'manual'>, key: HealthKey, now: number): Manual | undefined {
  if (manual === emptyTable()) return undefined;
  const model = unbooked(key);
  const override = get(manual, model);
  const own = key === model ? undefined : get(manual, key);
  return own && isHeld(own.hold, now) && !(override && (override.isolatedBy.length > 0 || isHeld(override.hold, now)))
    ? own
    : override;
}

function unlatched({ model, provider }: Pair): Pair {
  return {
    model: model.breaker.kind === 'closed' ? model : { ...model, breaker: initialHealth.breaker },
    provider: provider.breaker.kind === 'closed' ? provider : { ...provider, breaker: initialHealth.breaker },
  };
}

/** True if a user, not the flapping rule, excludes the model. */
export const isOutByHand = ({ manual }: Pick<EngineState, 'manual'>, model: ModelId, now: number): boolean =>
  isTakenOut(get(manual, model), now);

/** Null if the user has excluded the pinned model. */
export function pinFor(
  state: EngineState,
  { directory, agent }: Pick<Turn, 'directory' | 'agent'>,
  now: number,
): Pin | null {
  const pin = pinOf(state.pins, directory, agent, now);
  return pin && !isOutByHand(state, pin.model, now) ? pin : null;
}

/** Increases with each change of the displayed state; user actions refer to it. */
export const revisionOf = (state: EngineState, key: HealthKey): number => get(state.revisions, key) ?? 0;

export const boundariesOf = (state: EngineState, directory: string): Boundaries => get(state.scopes, directory) ?? {};

export function rootOf(state: EngineState, session: string): string {
  let at = session;
  for (let depth = 0; depth < 10; depth++) {
    const parent = get(state.sessions, at)?.parent;
    if (!parent || parent === at) break;
    at = parent;
  }
  return at;
}
