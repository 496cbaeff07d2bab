import type { Fact } from './decision';
import type { EngineEvent } from './events';
import { FLAP_WINDOW_MS, isFlapping, withFlap } from './flapping';
import type { Health } from './health';
import { type ModelId, providerOf } from './ids';
import type { ModelState } from './kinds';
import { actOn, FLAPPING, manualEnd } from './manual';
import { nextChange, type Standing } from './standing';
import { type Due, type EngineState, numbersOf, pairOf, revisionOf, standingOf } from './state';
import { entries, get, set, type Table } from './table';

/** A state whose changes have been told, what there was to tell, and when to look again. */
export type Announced = Readonly<{ state: EngineState; facts: readonly Fact[]; wakeAt: number | null }>;

/** Compares what each touched model shows with what was last announced, and says what changed. */
export function announce(before: EngineState, after: EngineState, event: EngineEvent, now: number): Announced {
  const models = touched(before, after, event, now);
  if (models.size === 0) return { state: after, facts: NONE, wakeAt: after.troubled[0]?.at ?? null };
  const facts: Fact[] = [];
  let state = after;
  for (const model of models) {
    let standing = standingOf(state, model, now);
    const from = get(state.shown, model) ?? 'unseen';
    if (from === standing.state) continue;
    state = shownAs(state, model, standing.state);
    // A first call is no news.
    if (isQuiet(from) && isQuiet(standing.state)) continue;
    if (isByItself(event)) state = watched(state, { model, from, to: standing.state, now });
    standing = standingOf(state, model, now);
    if (standing.state !== get(state.shown, model)) state = shownAs(state, model, standing.state);
    facts.push(changed(model, from, standing, now));
  }
  const troubled = rescheduled(state, models, now);
  if (troubled !== state.troubled) state = { ...state, troubled };
  return { state, facts, wakeAt: troubled[0]?.at ?? null };
}

const NONE: readonly Fact[] = [];

function shownAs(state: EngineState, model: ModelId, to: ModelState): EngineState {
  const revisions = set(state.revisions, model, revisionOf(state, model) + 1);
  return { ...state, shown: set(state.shown, model, to), revisions };
}

/** Whether a model changes of its own, not by a person's act or another host's word. */
const isByItself = ({ type }: EngineEvent): boolean => type === 'tick' || type.startsWith('attempt.');

const isOut = (state: ModelState): boolean => state === 'cooling' || state === 'open' || state === 'blocked';

/** A probe is a question, not a change; a hold is a person's, or the answer to flapping itself. */
const UNCOUNTED: readonly ModelState[] = ['probing', 'held'];

type Change = Readonly<{ model: ModelId; from: ModelState; to: ModelState; now: number }>;

/** Counts changes between usable and not; a model that flaps is held open for a while. */
function watched(state: EngineState, { model, from, to, now }: Change): EngineState {
  if (isOut(from) === isOut(to) || UNCOUNTED.includes(from) || UNCOUNTED.includes(to)) return state;
  const changes = withFlap(get(state.flaps, model) ?? [], now);
  if (!isFlapping(changes)) return { ...state, flaps: set(state.flaps, model, changes) };
  const hold = { act: 'hold', state: 'open', forMs: FLAP_WINDOW_MS, actor: FLAPPING, now } as const;
  return { ...state, flaps: set(state.flaps, model, []), manual: actOn(state.manual, model, hold) };
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
  if (BROAD.includes(event.type))
    return new Set([...keysOf(before.models), ...keysOf(after.models), ...keysOf(after.manual)]);
  const models = new Set(changedKeys(before.models, after.models, null));
  for (const model of changedKeys(before.manual, after.manual, null)) models.add(model);
  if (event.type === 'lease.granted') models.add(event.model);
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

/** Events after which every model has to be looked at. */
const BROAD: readonly EngineEvent['type'][] = [
  'health.synced',
  'health.reset',
  'scope.configured',
  'host.resumed',
  'host.identified',
];

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
  const own = nextChange(pair, now, numbersOf(state, pair).breaker.windowMs);
  const hold = manualEnd(get(state.manual, model), now);
  return own === null || hold === null ? (own ?? hold) : Math.min(own, hold);
}

/** A state that has just been taken in: what is due, reckoned anew from its health. */
export function announcedAgain(state: EngineState, now: number): EngineState {
  const models = new Set([...keysOf(state.models), ...keysOf(state.manual), ...keysOf(state.shown)]);
  const changed = [...models].filter(
    (model) => standingOf(state, model, now).state !== (get(state.shown, model) ?? 'unseen'),
  );
  const due = changed.map((model) => ({ model, at: now }));
  return { ...state, troubled: [...due, ...rescheduled({ ...state, troubled: [] }, models, now)] };
}
