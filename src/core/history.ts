import type { EventRow } from '../contract';
import type { DraftRow } from './event-rows';
import type { Store, TimeQuery } from './store-rows';

/** Rows of "what happened" kept in memory. */
const EVENTS_KEPT = 500;
/** What the contract lets a row say. */
const DETAIL_MAX_CHARS = 500;

/** What happened, oldest first. */
export type History = Readonly<{
  /** Adds a row. @param at wall clock in ms. */
  note(draft: DraftRow, at: number): void;
  /** Adds to the row of a turn's latest switch how long it took. */
  timeSwitch(turn: string, durationMs: number): void;
  rows(): EventRow[];
  /** Drops all rows; their numbers go on. */
  forget(): void;
  /** Number of rows ever noted. */
  count(): number;
}>;

/** A history without rows. @param onRow hears of each new row. */
export function createHistory(onRow: (row: EventRow) => void): History {
  const events: (EventRow & { turn: string | null })[] = [];
  let count = 0;
  return {
    note(draft, at) {
      count++;
      const { turn, ...told } = draft;
      const row = { ...told, detail: draft.detail?.slice(0, DETAIL_MAX_CHARS) ?? null, id: count, at };
      events.push({ ...row, turn });
      onRow(row);
      if (events.length > EVENTS_KEPT) events.shift();
    },
    timeSwitch(turn, durationMs) {
      const row = events.findLast((event) => event.turn === turn && event.to !== null);
      if (row) row.durationMs = durationMs;
    },
    rows: () => events.map(({ turn: _, ...row }) => row),
    forget: () => void events.splice(0),
    count: () => count,
  };
}

/** Rows of a range: what memory no longer has comes from the store. */
export function rowsIn({ sinceMs, untilMs }: TimeQuery, recent: readonly EventRow[], store: Store | null): EventRow[] {
  const memoryMs = recent[0]?.at ?? Number.MAX_SAFE_INTEGER;
  const older = store && sinceMs < memoryMs ? store.transitions({ sinceMs, untilMs: Math.min(untilMs, memoryMs) }) : [];
  return [...older, ...recent.filter(({ at }) => at >= sinceMs && at < untilMs)];
}
