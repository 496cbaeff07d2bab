import type { Handlers } from '../../contract/contract';
import type { ScorecardRange } from '../../contract/scorecard';
import type { SessionEntry, TimelineAxis } from '../../contract/sessions';
import type { SessionRow } from '../../contract/snapshot';
import type { Figures, ScorecardReport } from '../../engine/scorecard';
import type { Titles } from '../acts/titles';
import { EMPTY_STORE, type Store, type StoredSession, type StoredTurn } from '../base/store-rows';
import { NOT_KEPT } from '../scorecard/desk';
import { type AxisSources, axisOf } from './axis';
import { type TimelineSources, timelineOf } from './timeline';

export type SessionSources = Readonly<{
  /** Active ones first, newest first, without sub-sessions. */
  recent(): readonly SessionRow[];
  store: Store | null;
  familyOf(session: string): readonly string[];
  titles: Pick<Titles, 'of' | 'find'>;
  report(range: ScorecardRange): ScorecardReport;
  flush(): void;
  /** Unix ms. */
  wall(): number;
  /** A model with several health partitions has a display name in each. */
  keyOf(model: string, directory: string): string;
}> &
  Pick<TimelineSources, 'decisions'> &
  Pick<AxisSources, 'pulse' | 'events' | 'slots'>;

type Found = Readonly<{ session: string; stored: StoredSession | null; recent: SessionRow | null }>;

export function sessionHandlers(sources: SessionSources): Pick<Handlers, 'sessions.list' | 'sessions.timeline'> {
  const { store } = sources;
  const settle = async (): Promise<void> => {
    sources.flush();
    await store?.flush();
  };
  const entryOf = (found: Found): SessionEntry => {
    const { overall } = sources.report({ session: found.session });
    return { ...whatIsKnown(found, sources), ...figuresOf(overall), outcome: outcomeOf(found.recent, overall) };
  };
  const withStored = (recent: SessionRow): Found => ({
    session: recent.session,
    stored: store?.session(recent.session) ?? null,
    recent,
  });
  return {
    'sessions.list': async ({ search, before, limit }) => {
      await settle();
      const recent = sources.recent();
      const live = recent.filter((row) => (row.isLive || !store) && fits(row, search));
      const also = search === '' ? [] : sources.titles.find(search);
      const except = recent.filter(({ isLive }) => isLive).map(({ session }) => session);
      const found = store?.sessions({ search, also, before, except, limit }) ?? { sessions: [], total: 0 };
      const last = found.sessions.length === limit ? found.sessions.at(-1) : undefined;
      const stored = found.sessions.map((row) => ({ session: row.session, stored: row, recent: null }));
      return {
        entries: [...(before === null ? live.map(withStored) : []), ...stored].map(entryOf),
        next: last ? { at: last.lastAt, session: last.session } : null,
        total: live.length + found.total,
      };
    },
    'sessions.timeline': async ({ session, isAxisWanted, ...page }) => {
      if (!store) throw new Error(NOT_KEPT);
      await settle();
      const stored = store.session(session);
      const recent = sources.recent().find((row) => row.session === session) ?? null;
      const entry = stored || recent ? entryOf({ session, stored, recent }) : null;
      const family = sources.familyOf(session);
      const turns = store.turns(family);
      const axis = isAxisWanted ? axisFor({ session, stored, recent }, turns, sources) : null;
      return { entry, axis, ...timelineOf(turns, { store, decisions: sources.decisions, family }, page) };
    },
  };
}

function axisFor(
  { session, recent }: Found,
  turns: readonly StoredTurn[],
  sources: SessionSources,
): TimelineAxis | null {
  const { store, pulse, events, slots } = sources;
  return axisOf(turns, {
    store: store ?? EMPTY_STORE,
    pulse,
    events,
    slots,
    family: sources.familyOf(session),
    wall: sources.wall(),
    isOpen: recent?.isLive === true && !recent.isIdle,
    keyOf: (model) => sources.keyOf(model, recent?.directory ?? ''),
  });
}

function whatIsKnown({ session, stored, recent }: Found, { store, familyOf, titles }: SessionSources) {
  const agents = recent?.agents.map(({ agent }) => agent) ?? [];
  const family = familyOf(session);
  return {
    session,
    title: titles.of(session),
    firstModel: store?.modelsIn(family)[0]?.model ?? recent?.agents[0]?.lead ?? null,
    project: stored?.project ?? recent?.project ?? '',
    agents: [...new Set([...agents, ...(store?.agentsIn(family) ?? [])])],
    since: stored?.firstAt ?? null,
    until: Math.max(stored?.lastAt ?? 0, recent?.at ?? 0),
    isLive: recent?.isLive ?? false,
  };
}

const figuresOf = ({ totalCalls, turns, fallbacksOut, cost }: Figures) => ({
  turns: turns.total,
  answered: turns.answered,
  lost: turns.failed,
  saved: turns.saved + turns.spared,
  attempts: totalCalls,
  switches: fallbacksOut,
  cost: cost.total,
  pricedShare: cost.pricedShare,
});

function outcomeOf(recent: SessionRow | null, { turns }: Figures): SessionEntry['outcome'] {
  if (recent?.isLive && !recent.isIdle) return 'working';
  if (turns.failed > 0) return 'lost';
  if (turns.saved + turns.spared > 0) return 'saved';
  return turns.answered > 0 ? 'answered' : 'quiet';
}

function fits({ project, session, title = '', agents }: SessionRow, search: string): boolean {
  const names = [project, session, title, ...agents.flatMap(({ agent, active, lead }) => [agent, active, lead])];
  return names.some((name) => name.toLowerCase().includes(search.toLowerCase()));
}
