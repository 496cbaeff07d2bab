import type { Fact } from './decision';
import type { EngineEvent } from './events';
import type { Health } from './health';
import { type ModelId, providerOf } from './ids';
import { nextChange, type Standing } from './standing';
import { type Due, type EngineState, numbersOf, pairOf, standingOf } from './state';
import { entries, get, set, type Table } from './table';

/** A state whose changes have been told, what there was to tell, and when to look again. */
export type Announced = Readonly<{ state: EngineState; facts: readonly Fact[]; wakeAt: number | null }>;

/** Compares what each touched model shows with what was last announced, and says what changed. */
export function announce(before: EngineState, after: EngineState, event: EngineEvent, now: number): Announced {
  const models = touched(before, after, event, now);
  const troubled = models.size === 0 ? after.troubled : rescheduled(after, models, now);
  const wakeAt = troubled[0]?.at ?? null;
  const facts: Fact[] = [];
  let shown = after.shown;
  for (const model of models) {
    const standing = standingOf(after, model, now);
    const from = get(shown, model) ?? 'unseen';
    if (from === standing.state) continue;
    shown = set(shown, model, standing.state);
    // A first call is no news.
    if (!isQuiet(from) || !isQuiet(standing.state)) facts.push(changed(model, from, standing, now));
  }
  const isSame = shown === after.shown && troubled === after.troubled;
  return { state: isSame ? after : { ...after, shown, troubled }, facts, wakeAt };
}

/** What is due, soonest first, with the touched models at their new moments. */
function rescheduled(state: EngineState, models: ReadonlySet<ModelId>, now: number): readonly Due[] {
  const kept = state.troubled.filter(({ model }) => !models.has(model));
  const isUntouched = kept.length === state.troubled.length;
  const next: Due[] = [];
  for (const model of models) {
    const at = changeOf(state, model, now);
    if (at !== null) next.push({ model, at });
  }
  if (next.length === 0) return isUntouched ? state.troubled : kept;
  return [...kept, ...next].sort((a, b) => a.at - b.at);
}

function changed(model: ModelId, from: Standing['state'], standing: Standing, now: number): Fact {
  const { state: to, code, kind, until } = standing;
  return { type: 'model.changed', model, from, to, code, kind, forMs: until === null ? null : until - now };
}

const isQuiet = (state: string): boolean => state === 'unseen' || state === 'ready';

/** Models whose standing may differ from what was announced: what the event changed, and what has become due. */
function touched(before: EngineState, after: EngineState, event: EngineEvent, now: number): ReadonlySet<ModelId> {
  const isBroad = event.type === 'health.synced' || event.type === 'health.reset' || event.type === 'scope.configured';
  if (isBroad) return new Set([...keysOf(before.models), ...keysOf(after.models)]);
  const models = new Set(changedKeys(before.models, after.models, null));
  const providers = changedKeys(before.providers, after.providers, speaksForAll);
  if (providers.length > 0) {
    for (const model of keysOf(after.models)) if (providers.includes(providerOf(model))) models.add(model);
  }
  for (const { model, at } of before.troubled) {
    if (at > now) break;
    models.add(model);
  }
  return models;
}

const keysOf = <V>(table: Table<V>): ModelId[] => entries(table).map(([key]) => key);

/** Whether a provider changed in a way that all its models show. */
function speaksForAll(before: Health | undefined, after: Health): boolean {
  if (!before) return after.block !== null || after.limit !== null || after.breaker.kind !== 'closed';
  return (
    before.block !== after.block ||
    before.limit !== after.limit ||
    (before.breaker !== after.breaker && (before.breaker.kind !== 'closed' || after.breaker.kind !== 'closed'))
  );
}

/** Keys whose value is another one than before. Entries that did not change are the same object in both tables. */
function changedKeys<V>(
  before: Table<V>,
  after: Table<V>,
  isNews: ((before: V | undefined, after: V) => boolean) | null,
): string[] {
  const keys: string[] = [];
  if (before === after) return keys;
  for (let slot = 0; slot < after.length; slot++) {
    const old = before[slot];
    const bucket = after[slot];
    if (old === bucket || !bucket) continue;
    for (let at = 0; at < bucket.length; at++) {
      const entry = bucket[at];
      if (!entry || entry === old?.[at]) continue;
      const known = get(before, entry[0]);
      if (known !== entry[1] && (isNews === null || isNews(known, entry[1]))) keys.push(entry[0]);
    }
  }
  return keys;
}

/** The next moment at which a model changes by itself; null when it will not. */
function changeOf(state: EngineState, model: ModelId, now: number): number | null {
  const pair = pairOf(state, model);
  return nextChange(pair, now, numbersOf(state, pair).breaker.windowMs);
}
