import type { ModelId } from '../base/ids';
import { type Cell, type CellDraft, draftOf, emptyCell } from './cell';

type HourCells = Readonly<{ hour: number; cells: readonly (readonly [model: ModelId, cell: Cell])[] }>;

/** By hour, oldest first, then by model. */
export type Ledger = readonly HourCells[];

export function amended(ledger: Ledger, hour: number, model: ModelId, edit: (cell: CellDraft) => void): Ledger {
  let at = ledger.length;
  while (at > 0 && (ledger[at - 1]?.hour ?? hour) > hour) at--;
  const previous = ledger[at - 1];
  const next = ledger.slice();
  if (previous?.hour === hour) next[at - 1] = { hour, cells: withCell(previous.cells, model, edit) };
  else next.splice(at, 0, { hour, cells: withCell([], model, edit) });
  return next;
}

function withCell(cells: HourCells['cells'], model: ModelId, edit: (cell: CellDraft) => void): HourCells['cells'] {
  const next = cells.slice();
  let at = 0;
  while (at < cells.length && cells[at]?.[0] !== model) at++;
  const draft = draftOf(cells[at]?.[1] ?? emptyCell);
  edit(draft);
  next[at] = [model, draft];
  return next;
}

export function pruned(ledger: Ledger, oldest: number): Ledger {
  const first = ledger[0];
  return first === undefined || first.hour >= oldest ? ledger : ledger.filter(({ hour }) => hour >= oldest);
}
