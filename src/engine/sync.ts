import type { EventOf, SyncedHealth } from './events';
import { type Health, shiftHealth } from './health';
import { type Manual, shiftManual } from './manual';
import { type Pin, shiftPin } from './pins';
import type { EngineState } from './state';
import { entries, fromEntries } from './table';
import type { Work } from './work';

type Listed<V> = readonly (readonly [key: string, value: V])[];

const shifted = <V>(list: Listed<V>, shift: (value: V, deltaMs: number) => V, deltaMs: number): Listed<V> =>
  list.map(([key, value]) => [key, shift(value, deltaMs)]);

/** The app's view replaces this host's; what the app has not heard yet is stepped again by the host. */
export function onSynced({ state, now }: Work, { health }: EventOf<'health.synced'>): void {
  state.models = fromEntries(shifted<Health>(health.models, shiftHealth, now));
  state.providers = fromEntries(shifted<Health>(health.providers, shiftHealth, now));
  if (health.manual) state.manual = fromEntries(shifted<Manual>(health.manual, shiftManual, now));
  if (health.pins) state.pins = fromEntries(shifted<Pin>(health.pins, shiftPin, now));
  if (health.pause !== undefined) state.pause = health.pause && shiftPin(health.pause, now);
}

/** Health as another host can take it in: every time relative to `now`. */
export function exportHealth(state: EngineState, now: number): SyncedHealth {
  return {
    models: shifted<Health>(entries(state.models), shiftHealth, -now),
    providers: shifted<Health>(entries(state.providers), shiftHealth, -now),
    manual: shifted<Manual>(entries(state.manual), shiftManual, -now),
    pins: shifted<Pin>(entries(state.pins), shiftPin, -now),
    pause: state.pause && shiftPin(state.pause, -now),
  };
}
