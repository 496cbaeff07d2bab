import { MAX_COOLDOWN_MS } from '../base/config';
import { type HealthKey, providerOf } from '../base/ids';
import { each, entries, fromEntries, get, mapSome, set, type Table } from '../base/table';
import type { UnderWay, Window } from '../base/window';
import type { EventOf, SyncedHealth } from '../state/events';
import { shifted } from '../state/shift';
import type { EngineState } from '../state/state';
import type { Work } from '../state/work';
import { onHeardOf } from './headroom';

/** The app's view replaces this host's. */
export function onSynced({ state, now }: Work, { health }: EventOf<'health.synced'>): undefined {
  const { models, providers, manual, pins, pause, windows, underWay } = shifted(health, now);
  state.models = fromEntries(models);
  state.providers = fromEntries(providers);
  boundCircuits(state, now);
  if (manual) state.manual = fromEntries(manual);
  if (pins) state.pins = fromEntries(pins);
  if (pause !== undefined) state.pause = pause;
  if (windows) state.windows = fromEntries(windows);
  // This host has newer data on its own requests.
  if (underWay) state.elsewhere = underWay.filter(({ attempt }) => !get(state.attempts, attempt));
}

export function onHeard(work: Work, { health, windows = [], forgotten = [] }: EventOf<'fleet.heard'>): undefined {
  const { state, now } = work;
  const { models, providers, windows: held = [] } = shifted(health, now);
  for (const [account, machine] of forgotten) {
    const isOther = (window: Window): boolean => window.machine !== machine;
    state.windows = mapSome(
      state.windows,
      (key) => key === account,
      (all) => all.filter(isOther),
    );
  }
  for (const [account, all] of windows) onHeardOf(work, account, all);
  state.windows = fromEntries(held, state.windows);
  state.models = fromEntries(models, state.models);
  state.providers = fromEntries(providers, state.providers);
  boundCircuits(state, now);
}

/** Bounds received breakers to this host's longest open time. */
export function boundCircuits(state: Pick<Work['state'], 'scopes' | 'models' | 'providers'>, now: number): void {
  const longest = entries(state.scopes).flatMap(([, { health, agents }]) => [
    ...[health.breaker, health.network, ...Object.values(agents).map(({ breaker }) => breaker)].map(
      (numbers) => numbers?.cooldownMs ?? 0,
    ),
    health.breaker.maxCooldownMs ?? 0,
  ]);
  const until = now + Math.max(MAX_COOLDOWN_MS, ...longest);
  for (const lane of ['models', 'providers'] as const)
    for (const [key, one] of entries(state[lane]))
      if (one.breaker.kind === 'open' && one.breaker.until > until)
        state[lane] = set(state[lane], key, { ...one, breaker: { ...one.breaker, until } });
}

export const aged = (health: SyncedHealth, ageMs: number): SyncedHealth => shifted(health, -ageMs);

/** Times are relative to `now`. */
export function exportHealth(state: EngineState, now: number): SyncedHealth {
  const { models, providers, manual, pins, pause, windows } = state;
  return shifted(
    {
      models: entries(models),
      providers: entries(providers),
      manual: entries(manual),
      pins: entries(pins),
      pause,
      windows: entries(windows),
      underWay: underWayIn(state),
    },
    -now,
  );
}

/** Times are relative to `now`. */
export function reportedHealth({ models, providers, windows }: EngineState, keys: readonly HealthKey[], now: number) {
  const present = <T>(table: Table<T>): readonly (readonly [key: HealthKey, value: T])[] =>
    keys.flatMap((key) => {
      const value = get(table, key);
      return value === undefined ? [] : [[key, value] as const];
    });
  return shifted({ models: present(models), providers: present(providers), windows: present(windows) }, -now);
}

/** Other hosts must reserve their use. */
function underWayIn({ attempts, windows, counted }: EngineState): readonly UnderWay[] {
  const all: UnderWay[] = [];
  each(attempts, ({ attempt, model, key = model, at = 0, spend, isSeen }) => {
    const account = providerOf(key);
    if (all.length >= UNDER_WAY_MAX || !(get(windows, account) ?? get(counted, account))) return;
    all.push({ attempt, account, model, at, ...(spend ? { spend } : {}), ...(isSeen ? { isSeen } : {}) });
  });
  return all;
}

/** Fits into one message. */
const UNDER_WAY_MAX = 500;
