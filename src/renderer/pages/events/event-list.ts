import { createStore, type StoreApi } from 'zustand/vanilla';
import type { PanelApi } from '../../../contract/contract';
import type { EventFilter } from '../../../contract/events';
import type { EventRow } from '../../../contract/snapshot';
import { reasonOf } from '../../app/asked';

export const CHUNK = 100;
/** The least recently used chunk is dropped. */
const CHUNKS_KEPT = 40;

/** Concurrent queries. */
const ASKED_MAX = 2;

/** Positions count from the newest event at the start. */
export type ListState = Readonly<{
  /** Null before the first response. */
  total: number | null;
  newest: number;
  newer: number;
  kept: Readonly<{ sinceMs: number | null; isDurable: boolean }>;
  chunks: ReadonlyMap<number, readonly EventRow[]>;
  failure: string | null;
}>;

const NOTHING: ListState = {
  total: null,
  newest: 0,
  newer: 0,
  kept: { sinceMs: null, isDurable: true },
  chunks: new Map(),
  failure: null,
};

export type EventList = Readonly<{
  store: StoreApi<ListState>;
  /** Both positions are inclusive. */
  need(first: number, last: number): void;
  look(): Promise<void>;
  begin(): Promise<void>;
  at(place: number): EventRow | undefined;
}>;

type Place = Readonly<{ before?: number; after?: number; offset?: number; limit: number }>;

export function createEventList(api: PanelApi, filter: EventFilter): EventList {
  const store = createStore<ListState>(() => NOTHING);
  const asking = new Set<number>();
  /** Only visible events are requested. */
  let wanted = { first: 0, last: 0 };
  /** Responses from before a restart have other positions. */
  let life = 0;
  const ask = async (place: Place) => {
    const lifeAtRequest = life;
    try {
      const page = await api.ask('events.page', { filter, isBrief: true, ...place });
      return lifeAtRequest === life ? page : null;
    } catch (error) {
      if (lifeAtRequest === life) store.setState({ failure: reasonOf(error) });
      return null;
    }
  };
  const fetch = async (chunk: number): Promise<void> => {
    asking.add(chunk);
    const page = await ask({ before: store.getState().newest + 1, offset: chunk * CHUNK, limit: CHUNK });
    asking.delete(chunk);
    if (!page) return;
    const chunks = withChunk(store.getState().chunks, chunk, page.events);
    store.setState({ total: page.total, chunks, failure: null });
    fill();
  };
  const fill = (): void => {
    const missing = missingOf(store.getState(), wanted).filter((chunk) => !asking.has(chunk));
    for (const chunk of missing.slice(0, Math.max(0, ASKED_MAX - asking.size))) void fetch(chunk);
  };
  return {
    store,
    async begin() {
      life++;
      asking.clear();
      const page = await ask({ limit: CHUNK });
      if (!page) return;
      const { total, newest, kept: retention, events } = page;
      store.setState({ total, newest, kept: retention, newer: 0, chunks: new Map([[0, events]]), failure: null });
    },
    need(first, last) {
      wanted = { first, last };
      fill();
    },
    async look() {
      const { total, newest } = store.getState();
      const page = total === null ? null : await ask({ after: newest, limit: 0 });
      if (page) store.setState({ newer: page.total });
    },
    at: (place) => store.getState().chunks.get(Math.floor(place / CHUNK))?.[place % CHUNK],
  };
}

type Chunks = ListState['chunks'];

function withChunk(chunks: Chunks, chunk: number, events: readonly EventRow[]): Chunks {
  const next = new Map(chunks).set(chunk, events);
  const [oldest] = next.keys();
  if (next.size > CHUNKS_KEPT && oldest !== undefined) next.delete(oldest);
  return next;
}

/** Both positions are inclusive. */
function missingOf({ total, chunks }: ListState, { first, last }: Readonly<{ first: number; last: number }>): number[] {
  if (total === null || total === 0) return [];
  const start = Math.floor(first / CHUNK);
  const end = Math.floor(Math.min(last, total - 1) / CHUNK);
  const all = Array.from({ length: Math.max(0, end - start + 1) }, (_, at) => start + at);
  return all.filter((chunk) => !chunks.has(chunk));
}
