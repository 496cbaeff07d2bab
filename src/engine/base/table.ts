/**
 * A persistent map: a change copies one bucket. Plain arrays serialise directly, and the same history gives the same
 * bytes.
 */
export type Table<V> = readonly Bucket<V>[];
type Bucket<V> = readonly Entry<V>[];
type Entry<V> = readonly [key: string, value: V];

/** With 1,000 models a change copies about 16 entries. */
const BUCKETS = 64;

const EMPTY: Table<never> = Array.from({ length: BUCKETS }, () => []);

export function emptyTable<V>(): Table<V> {
  return EMPTY;
}

function bucketOf(key: string): number {
  let hash = 2166136261;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 16777619);
  return (hash >>> 0) % BUCKETS;
}

function indexIn<V>(bucket: Bucket<V>, key: string): number {
  const end = key.length - 1;
  const last = key.charCodeAt(end);
  for (let at = 0; at < bucket.length; at++) {
    const other = (bucket[at] as Entry<V>)[0];
    // Most other keys differ in their last character.
    if (other.length - 1 === end && (end < 0 || other.charCodeAt(end) === last) && other === key) return at;
  }
  return -1;
}

export function get<V>(table: Table<V>, key: string): V | undefined {
  // Most tables are empty: skip the hashing.
  const bucket = table === EMPTY ? undefined : table[bucketOf(key)];
  if (!bucket) return undefined;
  const at = indexIn(bucket, key);
  return at < 0 ? undefined : bucket[at]?.[1];
}

/** Returns the same table if nothing changes. */
export function set<V>(table: Table<V>, key: string, value: V): Table<V> {
  const slot = bucketOf(key);
  const old = table[slot] ?? [];
  const at = indexIn(old, key);
  if (at >= 0 && old[at]?.[1] === value) return table;
  if (at < 0) return replaceBucket(table, slot, old.concat([[key, value]]));
  const bucket = old.slice();
  bucket[at] = [key, value];
  return replaceBucket(table, slot, bucket);
}

export function remove<V>(table: Table<V>, key: string): Table<V> {
  if (table === EMPTY) return table;
  const slot = bucketOf(key);
  const bucket = table[slot] ?? [];
  const at = indexIn(bucket, key);
  if (at < 0) return table;
  return replaceBucket(
    table,
    slot,
    bucket.filter((_, index) => index !== at),
  );
}

function replaceBucket<V>(table: Table<V>, slot: number, bucket: Bucket<V>): Table<V> {
  const next = table.slice();
  next[slot] = bucket;
  return next;
}

export function each<V>(table: Table<V>, visit: (value: V, key: string) => void): void {
  for (const bucket of table) for (const entry of bucket) visit(entry[1], entry[0]);
}

/** The order depends only on the keys and their history. */
export function entries<V>(table: Table<V>): readonly Entry<V>[] {
  const all: Entry<V>[] = [];
  for (const bucket of table) for (const entry of bucket) all.push(entry);
  return all;
}

export function fromEntries<V>(list: readonly Entry<V>[], others: Table<V> = emptyTable()): Table<V> {
  return list.reduce((table, [key, value]) => set(table, key, value), others);
}

export function mapSome<V>(
  table: Table<V>,
  isMeant: (key: string) => boolean,
  change: (value: V, key: string) => V,
): Table<V> {
  let next = table;
  for (const [key, value] of entries(table)) if (isMeant(key)) next = set(next, key, change(value, key));
  return next;
}

/** Unchanged entries are the same object in both tables. */
export function changedKeys<V>(
  before: Table<V>,
  after: Table<V>,
  isNews: ((before: V | undefined, after: V) => boolean) | null,
): string[] {
  const keys: string[] = [];
  if (before === after) return keys;
  for (let slot = 0; slot < after.length; slot++) {
    const old = before[slot];
    const bucket = after[slot];
    if (old === bucket || !bucket) continue;
    for (let at = 0; at < bucket.length; at++) {
      const entry = bucket[at];
      if (!entry || entry === old?.[at]) continue;
      const earlier = old?.[at]?.[0] === entry[0] ? old[at]?.[1] : get(before, entry[0]);
      if (earlier !== entry[1] && (isNews === null || isNews(earlier, entry[1]))) keys.push(entry[0]);
    }
  }
  return keys;
}

/** Undefined for inherited names such as `toString`. */
export const ownValue = <V>(record: Readonly<Record<string, V>> | undefined, key: string): V | undefined =>
  record && Object.hasOwn(record, key) ? record[key] : undefined;
