import * as z from 'zod';
import { Snapshot } from './snapshot';

/** First unchanged row in the earlier list, and their number. */
const Kept = z.tuple([z.int().nonnegative(), z.int().positive()]);
type Kept = z.infer<typeof Kept>;

const rowsOf = <Row extends z.ZodType>({ element }: z.ZodArray<Row>) => z.array(z.union([Kept, element])).optional();

/** Absent fields are unchanged; unchanged rows are ranges of the earlier list, which saves most of the bytes. */
export const SnapshotChange = Snapshot.partial().extend({
  base: z.int().nonnegative(),
  instances: rowsOf(Snapshot.shape.instances),
  sessions: rowsOf(Snapshot.shape.sessions),
  chains: rowsOf(Snapshot.shape.chains),
  others: rowsOf(Snapshot.shape.others.unwrap()),
  models: rowsOf(Snapshot.shape.models),
  events: rowsOf(Snapshot.shape.events),
  headroom: rowsOf(Snapshot.shape.headroom.unwrap()),
  budgets: rowsOf(Snapshot.shape.budgets.unwrap()),
  unknownHeaders: rowsOf(Snapshot.shape.unknownHeaders.unwrap()),
  config: rowsOf(Snapshot.shape.config),
  pins: rowsOf(Snapshot.shape.pins),
  questions: rowsOf(Snapshot.shape.questions),
  councils: rowsOf(Snapshot.shape.councils.unwrap()),
  // The schema's default would turn "unchanged" into "none".
  lastDrill: Snapshot.shape.lastDrill.unwrap().optional(),
});
export type SnapshotChange = z.infer<typeof SnapshotChange>;

type Fields = Record<string, unknown>;

export function changeFrom(before: Snapshot, after: Snapshot): SnapshotChange {
  const old: Fields = before;
  const change: Fields = { base: before.rev };
  for (const [name, value] of Object.entries(after)) {
    if (Array.isArray(value)) {
      const rows = rowsFrom(old[name] as readonly object[], value);
      if (rows !== null) change[name] = rows;
    } else if (JSON.stringify(value) !== JSON.stringify(old[name])) change[name] = value;
  }
  // TypeScript cannot follow the fields; the reader validates it.
  return change as SnapshotChange;
}

/** Null if the change has another base. */
export function applyChange(before: Snapshot, { base, ...change }: SnapshotChange): Snapshot | null {
  if (base !== before.rev) return null;
  const old: Fields = before;
  const after: Fields = { ...before };
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) continue;
    after[name] = Array.isArray(value) ? rowsAfter(old[name] as readonly unknown[], value) : value;
    if (Array.isArray(value) && after[name] === null) return null;
  }
  return after as Snapshot;
}

/** Every row is compared twice: as newer, then as older. */
const texts = new WeakMap<object, string>();

function textOf(row: object): string {
  const text = texts.get(row) ?? JSON.stringify(row);
  texts.set(row, text);
  return text;
}

/** Null if unchanged. */
function rowsFrom(before: readonly object[], after: readonly object[]): unknown[] | null {
  const places = new Map(before.map((row, place) => [textOf(row), place]));
  const rows: unknown[] = [];
  for (const row of after) {
    const place = places.get(textOf(row));
    const last = rows.at(-1);
    if (place === undefined) rows.push(row);
    else if (isKept(last) && last[0] + last[1] === place) last[1]++;
    else rows.push([place, 1]);
  }
  // One full range means no change.
  const isSame = after.length === before.length && (after.length === 0 || (rows.length === 1 && isKept(rows[0])));
  return isSame ? null : rows;
}

function rowsAfter(before: readonly unknown[], entries: readonly unknown[]): unknown[] | null {
  const rows: unknown[] = [];
  for (const row of entries) {
    if (!isKept(row)) rows.push(row);
    else if (row[0] + row[1] <= before.length) rows.push(...before.slice(row[0], row[0] + row[1]));
    else return null;
  }
  return rows;
}

/** Rows are objects, so a pair is always a range. */
const isKept = (row: unknown): row is Kept => Array.isArray(row);
