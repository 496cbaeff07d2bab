import type { EventRow } from '../../contract/snapshot';
import type { Store, StoredEvents, TimeQuery } from '../base/store-rows';
import type { DraftRow } from './event-rows';

const EVENTS_KEPT = 500;
const DRILL_PASSED = 'drill.passed';
const DETAIL_MAX_CHARS = 500;

export type History = Readonly<{
  note(draft: DraftRow, at: number): void;
  timeSwitch(turn: string, durationMs: number): void;
  rows(latest?: number): EventRow[];
  forget(): void;
  /** The last drill with a successful fallback, of any age. */
  lastDrill(): EventRow | null;
  count(): number;
}>;

export type Archive = Readonly<{
  events: Pick<StoredEvents, 'kept' | 'page'> | null;
  /** Whether the event is a replay that the archive already has. */
  isKnown(): boolean;
  tell(row: EventRow): void;
  time(id: number, durationMs: number): void;
}>;

export const NO_ARCHIVE: Archive = {
  events: null,
  isKnown: () => false,
  tell: () => undefined,
  time: () => undefined,
};

/** Row numbers continue over all runs, so that each one means the same event. */
export function createHistory({ events: stored, isKnown, tell, time }: Archive): History {
  let count = stored?.kept().newest ?? 0;
  const latest = { filter: {}, before: count + 1, after: 0, offset: 0, limit: EVENTS_KEPT };
  const drills = { ...latest, filter: { codes: [DRILL_PASSED] }, limit: 1 };
  let lastDrill: EventRow | null = stored?.page(drills)[0] ?? null;
  const events: (EventRow & { turn: string | null })[] = (stored?.page(latest) ?? [])
    .toReversed()
    .map((row) => ({ ...row, turn: null }));
  return {
    note(draft, at) {
      if (isKnown()) return;
      count++;
      const { turn, agoMs = 0, ...fields } = draft;
      const detail = draft.detail?.slice(0, DETAIL_MAX_CHARS) ?? null;
      const row = { ...fields, detail, id: count, at: at - Math.round(agoMs) };
      events.push({ ...row, turn });
      if (row.code === DRILL_PASSED) lastDrill = row;
      tell(row);
      if (events.length > EVENTS_KEPT) events.splice(0, events.length, ...latestOf(events, EVENTS_KEPT));
    },
    timeSwitch(turn, durationMs) {
      const row = events.findLast((event) => event.turn === turn && event.to !== null);
      if (!row || isKnown()) return;
      row.durationMs = durationMs;
      time(row.id, durationMs);
    },
    rows: (latest = EVENTS_KEPT) => latestOf(events, latest).map(({ turn: _, ...row }) => row),
    forget() {
      events.splice(0);
      lastDrill = null;
    },
    lastDrill: () => lastDrill,
    count: () => count,
  };
}

const MODELS_SHARE = 0.2;

/** A fleet's hundreds of changing models must not displace the machine's own turns. */
function latestOf<Row extends Pick<EventRow, 'code'>>(rows: readonly Row[], count: number): readonly Row[] {
  if (rows.length <= count) return rows;
  const isOfModel = ({ code }: Row): boolean => code.startsWith('model.');
  const others = rows.filter((row) => !isOfModel(row)).length;
  let room = Math.max(Math.floor(count * MODELS_SHARE), count - others);
  return rows
    .toReversed()
    .filter((row) => !isOfModel(row) || room-- > 0)
    .slice(0, count)
    .toReversed();
}

export function rowsIn({ sinceMs, untilMs }: TimeQuery, recent: readonly EventRow[], store: Store | null): EventRow[] {
  const memoryMs = recent[0]?.at ?? Number.MAX_SAFE_INTEGER;
  const older = store && sinceMs < memoryMs ? store.transitions({ sinceMs, untilMs: Math.min(untilMs, memoryMs) }) : [];
  return [...older, ...recent.filter(({ at }) => at >= sinceMs && at < untilMs)];
}
