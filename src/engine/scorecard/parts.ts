import { entries, fromEntries, get } from '../base/table';
import type { Scorecard, SessionEntry } from './card';
import { type Cell, emptyCell, mergeCells } from './cell';
import type { Ledger } from './ledger';
import { byText } from './ranking';

/** Null means all sessions. `serial` distinguishes a returning session from its removed entry; both count. */
export type CellRow = Readonly<{ session: string | null; serial: number; hour: number; model: string; cell: Cell }>;

/** A scorecard without its figures. */
export type OpenPart = Omit<Scorecard, 'hours' | 'sessions' | 'inFlight' | 'turns'> &
  Readonly<{
    sessions: readonly (readonly [session: string, entry: Omit<SessionEntry, 'ledger'>])[];
    inFlight: ReturnType<typeof entries<unknown>>;
    turns: ReturnType<typeof entries<unknown>>;
  }>;

export function changedCells(before: Scorecard, after: Scorecard): readonly CellRow[] {
  const rows = changedIn(before.hours, after.hours, { session: null, serial: 0 });
  if (before.sessions === after.sessions) return rows;
  for (const [session, { ledger, serial }] of entries(after.sessions)) {
    const old = get(before.sessions, session);
    rows.push(...changedIn(old?.serial === serial ? old.ledger : [], ledger, { session, serial }));
  }
  return rows;
}

/** Null session: overall. Null result: unknown session. */
export function cellsIn(card: Scorecard, session: string | null): readonly CellRow[] | null {
  if (session === null) return changedIn([], card.hours, { session, serial: 0 });
  const entry = get(card.sessions, session);
  return entry ? changedIn([], entry.ledger, { session, serial: entry.serial }) : null;
}

function changedIn(before: Ledger, after: Ledger, whose: Pick<CellRow, 'session' | 'serial'>): CellRow[] {
  if (before === after) return [];
  const old = new Map(before.map((entry) => [entry.hour, entry.cells]));
  return after.flatMap(({ hour, cells }) => {
    const previous = old.get(hour);
    if (previous === cells) return [];
    const was = new Map(previous);
    return cells.flatMap(([model, cell]) => (was.get(model) === cell ? [] : [{ ...whose, hour, model, cell }]));
  });
}

export function openPartOf(card: Scorecard): OpenPart {
  const { hours: _, ...rest } = card;
  return {
    ...rest,
    sessions: entries(card.sessions).map(([session, { ledger: _figures, ...entry }]) => [session, entry]),
    inFlight: entries(card.inFlight),
    turns: entries(card.turns),
  };
}

export function cardFrom(open: OpenPart, rows: readonly CellRow[]): Scorecard {
  const bySerial = new Map<number, CellRow[]>();
  for (const row of rows) {
    const sameSerial = bySerial.get(row.serial);
    if (sameSerial) sameSerial.push(row);
    else bySerial.set(row.serial, [row]);
  }
  return {
    ...open,
    hours: ledgerOf(bySerial.get(0) ?? []),
    sessions: fromEntries(
      open.sessions.map(([session, entry]) => [
        session,
        { ...entry, ledger: ledgerOf(bySerial.get(entry.serial) ?? []) },
      ]),
    ),
    inFlight: fromEntries(open.inFlight) as Scorecard['inFlight'],
    turns: fromEntries(open.turns) as Scorecard['turns'],
  };
}

export function ledgerOf(rows: readonly CellRow[]): Ledger {
  const hours = new Map<number, Map<string, Cell>>();
  for (const { hour, model, cell } of rows) {
    const cells = hours.get(hour) ?? new Map<string, Cell>();
    hours.set(hour, cells.set(model, mergeCells(cells.get(model) ?? emptyCell, cell)));
  }
  return [...hours]
    .sort(([a], [b]) => a - b)
    .map(([hour, cells]) => ({ hour, cells: [...cells].sort(([a], [b]) => byText(a, b)) }));
}
