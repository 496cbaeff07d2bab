import type { HealthNumbers } from '../base/config';
import { type ModelId, providerOf } from '../base/ids';
import type { ModelState } from '../base/kinds';
import { changedKeys, entries, get, set, type Table } from '../base/table';
import { flappingOf, isFlap, isFlapping, withFlap } from '../health/flapping';
import { type Health, initialHealth, type Pair } from '../health/health';
import { actOn, FLAPPING, manualEnd } from '../health/manual';
import { isClear, nextChange } from '../health/standing';
import { shownAs, unbooked } from '../state/books';
import type { EngineEvent } from '../state/events';
import type { FactOf } from '../state/facts';
import { manualOf, numbersOf, pairOf, revisionOf, standingOf } from '../state/read';
import type { Draft, Due, EngineState } from '../state/state';
import type { Work } from '../state/work';

/** Reports state changes; returns the time of the next change without an event, engine ms. */
export function announce(before: EngineState, work: Work, event: EngineEvent): number | null {
  const { state, now, facts } = work;
  const models = touched(before, state, event, now);
  const due = state.troubled;
  if (models.length === 0) return due[0]?.at ?? null;
  const changes: Changed[] = [];
  const later: Due[] = [];
  const past = dueBy(due, now);
  let moved = past.length === 0 ? null : new Set(past);
  const tell = (model: ModelId, pair: Pair, at: number): void => {
    const fact = announced(work, { model, pair, event, at });
    if (fact) changes.push(fact);
  };
  for (const model of models) {
    const pair = pairOf(state, model);
    // Changes in between are reported too, at their own times.
    let since = isTime(event) ? (due.find((each) => each.model === model)?.at ?? null) : null;
    for (; since !== null && since < now; since = changeOf(state, model, since, pair)) tell(model, pair, since);
    tell(model, pair, now);
    const at = changeOf(state, model, now, pair);
    // Most models stay available, and the list has an entry per model in trouble.
    const isSame = at === null ? changeOf(before, model, now) === null : isIn(due, model, at);
    if (isSame && !moved?.has(model)) continue;
    moved = (moved ?? new Set()).add(model);
    if (at !== null) later.push({ model, at });
  }
  if (changes.length > 0) facts.push(...changes.sort((one, other) => (other.agoMs ?? 0) - (one.agoMs ?? 0)));
  if (moved) state.troubled = inOrder(moved.size === past.length ? due.slice(moved.size) : without(due, moved), later);
  return state.troubled[0]?.at ?? null;
}

type Changed = FactOf<'model.changed'>;
type Touched = Readonly<{ model: ModelId; pair: Pair; event: EngineEvent; at: number }>;

function announced({ state, now }: Work, { model, pair, event, at }: Touched): Changed | null {
  const from = get(state.shown, model) ?? 'unseen';
  let standing = standingOf(state, model, at, pair);
  if (from === standing.state) return null;
  show(state, model, standing.state);
  if (isQuiet(from) && isQuiet(standing.state)) return null;
  // Other machines' limits do not count as flapping: replaying a log, which has fewer of them, would hold other
  // models.
  const isReported = (pair.model.limit ?? pair.provider.limit)?.machine;
  const isHeld =
    isByItself(event) &&
    !isReported &&
    isFlap(from, standing.state) &&
    holdFlapping(state, { model, now: at, numbers: numbersOf(state, model, pair) });
  // Showing and counting the change may alter its end.
  if (isHeld || get(state.flaps, model)?.length) standing = standingOf(state, model, at, pair);
  if (isHeld) show(state, model, standing.state);
  const { state: to, code, kind, until } = standing;
  const shown = shownAs(state, model);
  const named = shown === model ? { model } : { model: shown, key: model };
  const ago = at < now ? { agoMs: now - at } : {};
  return { type: 'model.changed', ...named, from, to, code, kind, forMs: until === null ? null : until - at, ...ago };
}

function show(state: Draft, model: ModelId, to: ModelState): void {
  state.shown = set(state.shown, model, to);
  state.revisions = set(state.revisions, model, revisionOf(state, model) + 1);
}

export const isTime = ({ type }: EngineEvent): boolean => type === 'tick' || type === 'host.resumed';

const isByItself = ({ type }: EngineEvent): boolean => type === 'tick' || type.startsWith('attempt.');

type Change = Readonly<{ model: ModelId; now: number; numbers: HealthNumbers }>;

/** Returns true if the model is held for flapping from now on. */
function holdFlapping(state: Draft, { model, now, numbers }: Change): boolean {
  const flapping = flappingOf(numbers);
  const changes = withFlap(get(state.flaps, model) ?? [], now, flapping);
  const isHeld = isFlapping(changes, flapping);
  state.flaps = set(state.flaps, model, isHeld ? [] : changes);
  if (isHeld) {
    const hold = { type: 'health.held', state: 'open', forMs: flapping.holdMs, actor: FLAPPING, now } as const;
    state.manual = actOn(state.manual, model, hold);
  }
  return isHeld;
}

function changeOf(state: EngineState, model: ModelId, now: number, pair = pairOf(state, model)): number | null {
  const own = isClear(pair) ? null : nextChange(pair, now, numbersOf(state, model, pair).breaker.windowMs);
  const hold = manualEnd(manualOf(state, model, now), now);
  return own === null ? hold : Math.min(own, hold ?? own);
}

function inOrder(due: Due[], more: readonly Due[]): readonly Due[] {
  for (const each of more) {
    let place = due.length;
    for (; place > 0 && (due[place - 1] as Due).at > each.at; place--) due[place] = due[place - 1] as Due;
    due[place] = each;
  }
  return due;
}

function isIn(due: readonly Due[], model: ModelId, at: number): boolean {
  for (const each of due) {
    if (each.at > at) return false;
    if (each.at === at && each.model === model) return true;
  }
  return false;
}

function without(due: readonly Due[], models: ReadonlySet<ModelId>): Due[] {
  const [first] = models;
  return due.filter(({ model }) => model !== first && (models.size === 1 || !models.has(model)));
}

function dueBy(troubled: readonly Due[], now: number): readonly ModelId[] {
  const models: ModelId[] = [];
  for (const { model, at } of troubled) {
    if (at > now) break;
    models.push(model);
  }
  return models;
}

const isQuiet = (state: string): boolean => state === 'unseen' || state === 'ready';

function touched(before: EngineState, after: EngineState, event: EngineEvent, now: number): readonly ModelId[] {
  if (BROAD.includes(event.type))
    return [...new Set([...keysOf(before.models), ...keysOf(after.models), ...keysOf(after.manual)])];
  const changed = changedKeys(before.models, after.models, null);
  const overrides = changedKeys(before.manual, after.manual, null);
  const providers = changedKeys(before.providers, after.providers, speaksForAll);
  const past = dueBy(before.troubled, now);
  if (overrides.length + providers.length + past.length === 0) return changed;
  const models = new Set(changed);
  for (const model of overrides) models.add(model);
  // User overrides apply to all partitions.
  if (overrides.length > 0)
    for (const key of keysOf(after.models)) if (overrides.includes(unbooked(key))) models.add(key);
  if (providers.length > 0) {
    for (const model of keysOf(after.models)) if (providers.includes(providerOf(model))) models.add(model);
  }
  for (const model of past) models.add(model);
  return [...models];
}

/** Events that may affect every model. */
const BROAD: readonly EngineEvent['type'][] = [
  'health.synced',
  'health.reset',
  'scope.configured',
  'scope.closed',
  'host.resumed',
];

const keysOf = <V>(table: Table<V>): ModelId[] => entries(table).map(([key]) => key);

function speaksForAll(before: Health | undefined, after: Health): boolean {
  const { block, limit, breaker } = before ?? initialHealth;
  return (
    block !== after.block ||
    limit !== after.limit ||
    (breaker !== after.breaker && (breaker.kind !== 'closed' || after.breaker.kind !== 'closed'))
  );
}

export function announcedAgain(state: EngineState, now: number): EngineState {
  const models = new Set([...keysOf(state.models), ...keysOf(state.manual), ...keysOf(state.shown)]);
  const changed: Due[] = [];
  const due: Due[] = [];
  for (const model of models) {
    const pair = pairOf(state, model);
    const { state: shows } = standingOf(state, model, now, pair);
    const at = shows === (get(state.shown, model) ?? 'unseen') ? changeOf(state, model, now, pair) : now;
    if (at !== null) (at === now ? changed : due).push({ model, at });
  }
  return { ...state, troubled: inOrder(changed, due) };
}
