import type { HealthKey } from '../base/ids';
import { providerOf } from '../base/ids';
import { each, mapSome, set, type Table } from '../base/table';
import { type CallPermit, type Health, lapsed, resetHealth } from '../health/health';
import { actOn, unflapped } from '../health/manual';
import { endOf, pinned } from '../health/pins';
import { isNamed, unbooked } from '../state/books';
import type { EventOf } from '../state/events';
import type { PersonFact } from '../state/facts';
import { revisionOf } from '../state/read';
import type { EngineState } from '../state/state';
import { type Ignored, ignored, type Work } from '../state/work';
import { forgetWindows } from './headroom';

type ByHand = EventOf<'health.isolated' | 'health.released' | 'health.held'>;

function isStale(state: EngineState, act: Readonly<{ model: HealthKey; rev?: number }>): boolean {
  return act.rev !== undefined && act.rev !== revisionOf(state, act.model);
}

const setBy = (event: ByHand): PersonFact['type'] & `manual.${string}` => {
  if (event.type === 'health.held') return `manual.${event.state ?? 'unheld'}`;
  return event.type === 'health.isolated' ? 'manual.isolated' : 'manual.released';
};

export function onManual(work: Work, event: ByHand): Ignored | undefined {
  const { state, now, facts } = work;
  const { actor } = event;
  // User actions apply to all partitions.
  const model = unbooked(event.model);
  if (isStale(state, event)) return ignored('manual.stale', event.model);
  const manual = actOn(state.manual, model, { ...event, now });
  if (manual === state.manual) return ignored('manual.idle', model);
  const forMs = event.type === 'health.held' && event.state !== null ? event.forMs : null;
  state.manual = manual;
  facts.push({ type: setBy(event), model, actor, forMs });
}

export function onPinned({ state, now, facts }: Work, event: EventOf<'agent.pinned'>): undefined {
  const { agent, model, forMs, actor } = event;
  state.pins = pinned(state.pins, event, now);
  facts.push(
    model === null ? { type: 'pin.ended', agent, actor, forMs } : { type: 'pin.set', agent, model, actor, forMs },
  );
}

export function onPaused({ state, now, facts }: Work, { actor, forMs }: EventOf<'switching.paused'>): undefined {
  state.pause = { until: endOf(forMs, now), by: actor, since: now };
  facts.push({ type: 'switching.paused', actor, forMs });
}

export function onResumed(work: Work, { actor }: EventOf<'switching.resumed'>): Ignored | undefined {
  if (!work.state.pause) return ignored('switching.idle', actor);
  work.state.pause = null;
  work.facts.push({ type: 'switching.resumed', actor });
}

export function onReset(work: Work, event: EventOf<'health.reset'>): Ignored | undefined {
  const { state, now, facts } = work;
  const { target, actor } = event;
  if ('model' in target && isStale(state, { ...event, ...target })) return ignored('manual.stale', target.model);
  facts.push({ type: 'health.reset', target, actor });
  const provider = 'all' in target ? null : 'model' in target ? providerOf(target.model) : target.provider;
  const isMeant = (key: HealthKey): boolean =>
    'model' in target ? isNamed(key, target.model) : provider === null || isNamed(providerOf(key), provider);
  const isProviderMeant = (name: string): boolean => provider === null || isNamed(name, provider);
  // Earlier requests prove nothing after the user's reset.
  const permitOf = (key: HealthKey, permit: CallPermit): CallPermit =>
    lapsed(permit, { model: isMeant(key), provider: isProviderMeant(providerOf(key)) });
  each(state.attempts, (attempt, id) => {
    const { model, key = model } = attempt;
    state.attempts = set(state.attempts, id, { ...attempt, permit: permitOf(key, attempt.permit) });
  });
  each(state.grants, (grant, key) => {
    state.grants = set(state.grants, key, { ...grant, permit: permitOf(key, grant.permit) });
  });
  state.flaps = mapSome(state.flaps, isMeant, () => []);
  state.manual = mapSome(state.manual, isMeant, unflapped);
  const resetAll = (health: Table<Health>, isReset: (key: HealthKey) => boolean): Table<Health> =>
    mapSome(health, isReset, (old, key) => {
      state.resets = set(state.resets, key, now);
      return resetHealth(old);
    });
  state.models = resetAll(state.models, isMeant);
  state.providers = resetAll(state.providers, isProviderMeant);
  forgetWindows(state, isProviderMeant);
}
