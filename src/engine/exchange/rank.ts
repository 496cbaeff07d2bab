export type Rank = readonly (number | string)[];

/** Negative if the first ranks lower. */
export function compare(one: Rank, other: Rank): number {
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const [a = '', b = ''] = [one[at], other[at]];
    if (a !== b) return a < b ? -1 : 1;
  }
  return 0;
}
