import type { QueryInput, QueryOutput } from '../../contract/contract';
import { type EventCounts, type EventFilter, RULES_ACTOR } from '../../contract/events';
import type { EventRow } from '../../contract/snapshot';
import { providerOf } from '../../engine';
import type { EventGroup, EventsQuery, StoredEvents } from '../base/store-rows';

type PageQuery = QueryInput<'events.page'>;
type Page = QueryOutput<'events.page'>;

export type EventDesk = Readonly<{
  page(query: PageQuery): Page;
  counts(filter: EventFilter): EventCounts;
  recent(): readonly EventRow[];
  stored: StoredEvents | null;
}>;

/** In characters: the socket takes 1 MiB, and JSON escapes some characters. */
const PAGE_MAX_CHARS = 700_000;

export function createEventDesk(recent: () => readonly EventRow[], stored: StoredEvents | null): EventDesk {
  const look = () => {
    const extent = stored?.kept() ?? { newest: 0, sinceMs: null };
    const fresh = recent().filter(({ id }) => id > extent.newest);
    return { extent, fresh: fresh.toReversed() };
  };
  return {
    page(pageQuery) {
      const { filter = {}, before = Number.MAX_SAFE_INTEGER, after = 0, offset = 0, limit = 100, isBrief } = pageQuery;
      const { extent, fresh } = look();
      const isWanted = fits(filter);
      const found = fresh.filter((event) => event.id < before && event.id > after && isWanted(event));
      const first = found.slice(offset, offset + limit);
      const query: EventsQuery = {
        filter,
        before,
        after,
        offset: Math.max(0, offset - found.length),
        limit: limit - first.length,
      };
      const events = [...first, ...((query.limit > 0 && stored?.page(query)) || [])];
      return {
        events: shortened(isBrief ? events.map((event) => ({ ...event, trace: [] })) : events),
        total: found.length + (stored?.count(query) ?? 0),
        newest: Math.max(extent.newest, fresh[0]?.id ?? 0),
        kept: { sinceMs: extent.sinceMs ?? fresh.at(-1)?.at ?? null, isDurable: stored !== null },
      };
    },
    counts(filter) {
      const { session, text, sinceMs, untilMs } = filter;
      // The rest is small enough to count here.
      const base = { session, text, sinceMs, untilMs };
      const { fresh } = look();
      const groups = [...fresh.filter(fits(base)).map(groupOf), ...(stored?.groups(base) ?? [])];
      return countsOf(groups, filter);
    },
    recent,
    stored,
  };
}

function shortened(events: readonly EventRow[]): EventRow[] {
  let chars = 0;
  const end = events.findIndex((event, index) => {
    chars += JSON.stringify(event).length;
    return index > 0 && chars > PAGE_MAX_CHARS;
  });
  return end < 0 ? [...events] : events.slice(0, end);
}

const groupOf = ({ code, kind, agent, model, to, actor }: EventRow): EventGroup => ({
  code,
  kind,
  agent,
  model,
  to,
  actor: actor ?? null,
  count: 1,
});

const familyOf = (code: string): string => code.split('.', 1)[0] ?? code;
const modelsOf = ({ model, to }: Pick<EventGroup, 'model' | 'to'>): string[] => [
  ...new Set([model, to].filter((each) => each !== null)),
];
const providersOf = (group: Pick<EventGroup, 'model' | 'to'>): string[] => [
  ...new Set(modelsOf(group).map(providerOf)),
];
const actorOf = ({ actor }: Readonly<{ actor?: string | null | undefined }>): string => actor ?? RULES_ACTOR;

type ClaimedEvent = Pick<EventRow, 'code' | 'kind' | 'agent' | 'model' | 'to'> &
  Readonly<{ actor?: string | null | undefined }>;

const CLAIMS: Readonly<Record<string, (event: ClaimedEvent, filter: EventFilter) => boolean>> = {
  codes: ({ code }, { codes }) => !codes?.length || codes.some((each) => code === each || code.startsWith(`${each}.`)),
  kinds: ({ kind }, { kinds }) => !kinds?.length || (kind !== null && kinds.includes(kind)),
  agent: (event, { agent }) => agent === undefined || event.agent === agent,
  model: (event, { model }) => model === undefined || modelsOf(event).includes(model),
  provider: (event, { provider }) => provider === undefined || providersOf(event).includes(provider),
  actor: (event, { actor }) => actor === undefined || actorOf(event) === actor,
};

function fits(filter: EventFilter): (event: EventRow) => boolean {
  const { session, text = '', sinceMs = Number.NEGATIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY } = filter;
  const sought = text.toLowerCase();
  return (event) =>
    event.at >= sinceMs &&
    event.at < untilMs &&
    (session === undefined || event.session === session) &&
    [event.code, event.agent, event.model, event.to, event.session, event.detail]
      .join(' ')
      .toLowerCase()
      .includes(sought) &&
    Object.values(CLAIMS).every((claim) => claim(event, filter));
}

function countsOf(groups: readonly EventGroup[], filter: EventFilter): EventCounts {
  const by = (own: string, valuesOf: (group: EventGroup) => readonly (string | null)[]) => {
    const others = Object.entries(CLAIMS).flatMap(([name, claim]) => (name === own ? [] : [claim]));
    const counts = new Map<string, number>();
    for (const group of groups) {
      if (!others.every((claim) => claim(group, filter))) continue;
      for (const value of valuesOf(group))
        if (value !== null) counts.set(value, (counts.get(value) ?? 0) + group.count);
    }
    return [...counts]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  };
  return {
    families: by('codes', ({ code }) => [familyOf(code)]),
    codes: by('codes', ({ code }) => [code]),
    kinds: by('kinds', ({ kind }) => [kind]),
    agents: by('agent', ({ agent }) => [agent]),
    models: by('model', modelsOf),
    providers: by('provider', providersOf),
    actors: by('actor', (group) => [actorOf(group)]),
  };
}
