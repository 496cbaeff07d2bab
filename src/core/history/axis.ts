import type { QueryOutput } from '../../contract/contract';
import type { TimelineAxis } from '../../contract/sessions';
import type { EventRow } from '../../contract/snapshot';
import { providerOf } from '../../engine';
import type { Store, StoredModel, StoredTurn } from '../base/store-rows';
import type { EventDesk } from './event-desk';
import { HISTORY_MS, type Pulse } from './pulse';

export type AxisSources = Readonly<{
  store: Pick<Store, 'modelsIn'>;
  pulse: Pick<Pulse, 'history'>;
  events: Pick<EventDesk, 'page'>;
  slots(models: Iterable<string>): ReadonlyMap<string, number>;
  /** A model with several health partitions has a display name in each. */
  keyOf(model: string): string;
  wall: number;
  family: readonly string[];
  isOpen: boolean;
}>;

type State = TimelineAxis['models'][number]['states'][number];
type Span = Readonly<{ since: number; until: number }>;

const MARKS_MAX = 240;
const EVENTS_READ = 500;

export function axisOf(turns: readonly StoredTurn[], sources: AxisSources): TimelineAxis | null {
  const [first] = turns;
  if (!first) return null;
  const last = Math.max(...turns.map(({ until }) => until));
  const span: Span = { since: first.at, until: Math.max(first.at + 1, sources.isOpen ? sources.wall : last) };
  const modelRows = sources.store.modelsIn(sources.family);
  const models = modelRows.map(({ model }) => model);
  const slots = sources.slots(models);
  return {
    ...span,
    marks: marksOf(turns, span),
    models: modelRows.map((row, at) => ({
      model: row.model,
      slot: slots.get(row.model) ?? at,
      states: sinceAnswered(row, statesOf(row.model, span, sources)),
    })),
    resets: resetsIn(span, models, sources),
  };
}

function marksOf(turns: readonly StoredTurn[], { since, until }: Span): TimelineAxis['marks'] {
  const widthMs = turns.length <= MARKS_MAX ? 1 : (until - since) / MARKS_MAX;
  const marks: TimelineAxis['marks'] = [];
  for (const { at, isTroubled } of turns) {
    const last = marks.at(-1);
    const isSame = last !== undefined && at < last.at + widthMs;
    const mark = isSame ? last : { at, turns: 0, troubled: 0 };
    mark.turns++;
    if (isTroubled) mark.troubled++;
    if (!isSame) marks.push(mark);
  }
  return marks;
}

function statesOf(model: string, { since, until }: Span, { pulse, events, keyOf, wall }: AxisSources): State[] {
  const key = keyOf(model);
  const lately = pulse.history(key, wall).states;
  const [first] = lately;
  // Memory has every change of the last day; events cover earlier times.
  const earlier = first !== undefined && first.at <= since ? [] : toldStates(key, { since, until }, events);
  const states = [...earlier.filter(({ at }) => first === undefined || at < first.at), ...lately];
  const before = states.findLast(({ at }) => at <= since);
  const later = states.filter(({ at }, place) => at > since && at <= until && at !== states[place + 1]?.at);
  return [...(before ? [{ state: before.state, at: since }] : []), ...later];
}

/** A model that is always available never changes its state: its first answer shows that it is. */
function sinceAnswered({ answeredAt }: StoredModel, states: State[]): State[] {
  const [first] = states;
  if (answeredAt === null || (first !== undefined && first.at <= answeredAt)) return states;
  return [{ state: 'ready', at: answeredAt }, ...(first?.state === 'ready' ? states.slice(1) : states)];
}

function toldStates(key: string, { since, until }: Span, events: AxisSources['events']): State[] {
  const filter = { model: key, sinceMs: Math.max(0, since - HISTORY_MS), untilMs: until + 1 };
  const { events: rows } = events.page({ filter, offset: 0, limit: EVENTS_READ, isBrief: true });
  return rows
    .toReversed()
    .flatMap(({ model, state, at, kind }) =>
      model === key && state !== 'info' ? [{ state, at, ...(kind === null ? {} : { kind }) }] : [],
    )
    .filter(({ state }, at, all) => all[at - 1]?.state !== state);
}

function resetsIn(
  { since, until }: Span,
  models: readonly string[],
  { events, keyOf }: AxisSources,
): TimelineAxis['resets'] {
  const filter = { codes: ['reset'], sinceMs: since, untilMs: until + 1 };
  const { events: rows }: QueryOutput<'events.page'> = events.page({
    filter,
    offset: 0,
    limit: EVENTS_READ,
    isBrief: true,
  });
  const keys = new Map(models.map((model) => [keyOf(model), model]));
  return rows.toReversed().flatMap((row) => {
    const provider = row.code === 'reset.provider' ? row.detail : null;
    const model =
      row.model === null ? null : (keys.get(row.model) ?? models.find((each) => each === row.model) ?? null);
    return isOfModels(row, model, models) ? [{ at: row.at, event: row.id, model, provider }] : [];
  });
}

function isOfModels({ code, detail }: EventRow, model: string | null, models: readonly string[]): boolean {
  if (code === 'reset.all') return true;
  return code === 'reset.provider' ? models.some((each) => providerOf(each) === detail) : model !== null;
}
