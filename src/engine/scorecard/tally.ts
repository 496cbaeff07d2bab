/** Flat pairs `key, count` with rising keys. Exact in any order: a range equals the sum of its hours. */
export type Tally = readonly number[];

export const emptyTally: Tally = [];

function positionOf(tally: Tally, key: number): number {
  let low = 0;
  let high = tally.length >>> 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tally[2 * middle] ?? 0) < key) low = middle + 1;
    else high = middle;
  }
  return 2 * low;
}

export function tallied(tally: Tally, key: number, by: number): Tally {
  const at = positionOf(tally, key);
  const next = tally.slice();
  if (tally[at] === key) next[at + 1] = (tally[at + 1] ?? 0) + by;
  else next.splice(at, 0, key, by);
  return next;
}

export function countIn(tally: Tally, key: number): number {
  const at = positionOf(tally, key);
  return tally[at] === key ? (tally[at + 1] ?? 0) : 0;
}

export function mergeTallies(a: Tally, b: Tally): Tally {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const merged: number[] = [];
  let left = 0;
  let right = 0;
  while (left < a.length || right < b.length) {
    const keyLeft = a[left] ?? Number.MAX_SAFE_INTEGER;
    const keyRight = b[right] ?? Number.MAX_SAFE_INTEGER;
    const key = Math.min(keyLeft, keyRight);
    let count = 0;
    if (keyLeft === key) {
      count += a[left + 1] ?? 0;
      left += 2;
    }
    if (keyRight === key) {
      count += b[right + 1] ?? 0;
      right += 2;
    }
    merged.push(key, count);
  }
  return merged;
}
