/** What one account has used: its requests in the order of time, and the tokens of each and of all before it. */
export type UsedBook = Readonly<{
  add(at: number, tokens: number): void;
  /** What was used from one moment on until before another, both Unix ms. */
  between(from: number, until: number): Readonly<{ requests: number; tokens: number }>;
  /** When the first request from a moment on was counted; null where none was. */
  firstFrom(from: number): number | null;
}>;

/**
 * A book without entries. It is asked before each request and grows for weeks: nothing is added up anew, and what comes in order,
 * as nearly all does, costs the same however long it is.
 */
export function createUsedBook(): UsedBook {
  const times: number[] = [];
  const upTo: number[] = [];
  const tokensBefore = (place: number): number => upTo[place - 1] ?? 0;
  return {
    add(at, tokens) {
      const place = placeAfter(times, at);
      times.splice(place, 0, at);
      upTo.splice(place, 0, tokensBefore(place));
      // Of two processes that write at once, or after a clock was put back, what is later moves up.
      for (let later = place; later < upTo.length; later++) upTo[later] = (upTo[later] ?? 0) + tokens;
    },
    between(from, until) {
      const [first, next] = [placeFrom(times, from), placeFrom(times, until)];
      return { requests: Math.max(0, next - first), tokens: Math.max(0, tokensBefore(next) - tokensBefore(first)) };
    },
    firstFrom: (from) => times[placeFrom(times, from)] ?? null,
  };
}

/** Where the first of these stands that is not before a moment. */
export function placeFrom(times: readonly number[], from: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where a moment belongs after all that are not later: most come last. */
function placeAfter(times: readonly number[], at: number): number {
  let place = times.length;
  while (place > 0 && (times[place - 1] ?? 0) > at) place--;
  return place;
}
