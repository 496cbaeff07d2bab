import { parseJson } from '../base/parse-json';
import type { Role } from '../base/roles';
import type { BenchmarkValue } from '../base/values';
import { type Decision, type Headroom, KeptChange, type Part } from './change';

export type Kept = Readonly<{
  values: readonly BenchmarkValue[];
  matches: ReadonlyMap<string, string | null>;
  roles: ReadonlyMap<string, Role>;
  formulas: ReadonlyMap<Role, string>;
  decisions: ReadonlyMap<string, ReadonlyMap<string, Decision>>;
  headroom: ReadonlyMap<string, Headroom>;
  /** By agent of a project; its reader validates the JSON. */
  runs: ReadonlyMap<string, unknown>;
}>;

/** A null value removes it. */
export type KeptRow = Readonly<{ part: Part; name: string; value: string | null }>;

export function rowOf(
  change: KeptChange,
): Readonly<{ ok: true; row: KeptRow }> | Readonly<{ ok: false; reason: string }> {
  const checked = KeptChange.safeParse(change);
  if (checked.success) {
    const { part, value } = checked.data;
    const text = value === null ? null : JSON.stringify(value);
    return { ok: true, row: { part, name: nameOf(checked.data), value: text } };
  }
  const [issue] = checked.error.issues;
  const place = [change.part, ...(issue?.path ?? [])].join('.');
  return { ok: false, reason: `This cannot be stored: ${place}: ${issue?.message}.` };
}

/** Canonical: fields in the order of the schema. */
const nameOf = ({ part: _part, value: _value, ...name }: KeptChange): string => JSON.stringify(name);

/** Applies only changes of runs, which are stored often; null if rows change anything else. */
export function withRuns(before: Kept, rows: readonly KeptRow[]): Kept | null {
  const runs = new Map(before.runs);
  for (const row of rows) {
    const change = row.value === null ? null : heldIn(row);
    if (change?.part !== 'run') return null;
    runs.set(change.agent, change.value);
  }
  return { ...before, runs };
}

export type StoredRow = Readonly<Partial<Record<'part' | 'name' | 'value', unknown>>>;

/** Reads rows in order; `unread` counts the invalid ones, which are skipped. */
export function keptFrom(rows: Iterable<StoredRow>): Readonly<{ kept: Kept; unread: number }> {
  const found = nothing();
  let unread = 0;
  for (const row of rows) {
    const held = heldIn(row);
    if (held === null) unread++;
    else put(found, held);
  }
  return { kept: found, unread };
}

const nothing = () => ({
  values: [] as BenchmarkValue[],
  matches: new Map<string, string | null>(),
  roles: new Map<string, Role>(),
  formulas: new Map<Role, string>(),
  decisions: new Map<string, Map<string, Decision>>(),
  headroom: new Map<string, Headroom>(),
  runs: new Map<string, unknown>(),
});

type Held = KeptChange extends infer Change
  ? Change extends { value: unknown }
    ? Change & { value: NonNullable<Change['value']> }
    : never
  : never;

const isHeld = (change: KeptChange): change is Held => change.value !== null;

function heldIn(row: StoredRow): Held | null {
  const [name, value] = [jsonIn(row.name), jsonIn(row.value)];
  if (typeof name !== 'object') return null;
  const change = KeptChange.safeParse({ ...name, part: row.part, value }).data;
  // A row under another name could not be removed, and would hide behind its duplicate.
  return change && isHeld(change) && nameOf(change) === row.name ? change : null;
}

const jsonIn = (text: unknown): unknown => (typeof text === 'string' ? parseJson(text) : undefined);

function put(found: ReturnType<typeof nothing>, held: Held): void {
  switch (held.part) {
    case 'value': {
      const { part: _, value, ...key } = held;
      found.values.push({ ...key, ...value });
      return;
    }
    case 'match':
      found.matches.set(held.model, held.value.record);
      return;
    case 'role':
      found.roles.set(held.agent, held.value);
      return;
    case 'formula':
      found.formulas.set(held.role, held.value);
      return;
    case 'decision': {
      const ofAgent = found.decisions.get(held.agent) ?? new Map<string, Decision>();
      found.decisions.set(held.agent, ofAgent.set(held.model, held.value));
      return;
    }
    case 'headroom':
      found.headroom.set(held.provider, held.value);
      return;
    case 'run':
      found.runs.set(held.agent, held.value);
      return;
  }
}
