import { type HealthKey, type ModelId, providerOf } from '../base/ids';
import { entries, get, set } from '../base/table';
import { type Permit, refusalOf } from '../health/breaker';
import type { Health } from '../health/health';
import type { SyncedHealth } from './events';
import { numbersOf, pairOf, standingOf } from './read';
import { shifted } from './shift';
import type { EngineState } from './state';

/** After a limit, the first machine to request the model has it for so long. Source: docs/fleet.md. */
const FIRST_ASK_MS = 5_000;

export function isProbeDue(state: EngineState, model: ModelId, now: number): boolean {
  const pair = pairOf(state, model);
  if (pair.model.breaker.kind === 'closed' && pair.provider.breaker.kind === 'closed') return false;
  return !numbersOf(state, model, pair).shadow && standingOf(state, model, now).use !== 'out';
}

/** The ended limit that the next request would test. */
export function returnDue(state: EngineState, model: HealthKey, now: number): HealthKey | null {
  const pair = pairOf(state, model);
  const limited = pair.provider.limit ? providerOf(model) : pair.model.limit ? model : null;
  return limited !== null && standingOf(state, model, now).use === 'first' ? limited : null;
}

export function leftToAnother(
  state: EngineState,
  model: HealthKey,
  now: number,
): Pick<SyncedHealth, 'models' | 'providers'> {
  const { model: own, provider } = pairOf(state, model);
  const resting = (key: HealthKey, health: Health): SyncedHealth['models'] =>
    health.limit ? [[key, { ...health, limit: { ...health.limit, preferAt: now + FIRST_ASK_MS } }]] : [];
  return shifted({ models: resting(model, own), providers: resting(providerOf(model), provider) }, -now);
}

/** The run of another host has not used its granted probe. */
export function isGranted(state: EngineState, model: ModelId, epoch: string, now: number): boolean {
  const pair = pairOf(state, model);
  const isOut = (refusalOf(pair.model.breaker, now) ?? refusalOf(pair.provider.breaker, now)) !== null;
  return isOut && get(state.grants, model)?.epoch === epoch;
}

/** Shows this run of another host its granted probes as unused. */
export function asSeenBy(state: EngineState, epoch: string): EngineState {
  let { models, providers } = state;
  for (const [model, grant] of entries(state.grants)) {
    if (grant.epoch !== epoch) continue;
    const provider = providerOf(model);
    const pair = pairOf({ ...state, models, providers }, model);
    const { calls } = pair.model;
    models = set(models, model, { ...beforeProbe(pair.model, grant.permit.model), calls: calls - 1 });
    providers = set(providers, provider, beforeProbe(pair.provider, grant.permit.provider));
  }
  return models === state.models && providers === state.providers ? state : { ...state, models, providers };
}

function beforeProbe(health: Health, permit: Permit): Health {
  const { breaker } = health;
  if (breaker.kind !== 'halfOpen' || breaker.probe?.serial !== permit.serial) return health;
  const { generation, serial, trips } = breaker;
  const due = { kind: 'halfOpen', generation: generation - 1, serial: serial - 1, probe: null, trips } as const;
  return { ...health, breaker: due };
}
