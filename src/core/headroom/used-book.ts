export type UsedBook = Readonly<{
  add(at: number, tokens: number): void;
  /** Unix ms; `until` is excluded. */
  between(from: number, until: number): Readonly<{ requests: number; tokens: number }>;
  firstFrom(from: number): number | null;
}>;

/** Grows for weeks and is queried before each request: running totals make appending constant. */
export function createUsedBook(): UsedBook {
  const times: number[] = [];
  const upTo: number[] = [];
  const tokensBefore = (place: number): number => upTo[place - 1] ?? 0;
  return {
    add(at, tokens) {
      const place = placeAfter(times, at);
      times.splice(place, 0, at);
      upTo.splice(place, 0, tokensBefore(place));
      // Two processes that write at once, or a clock that was set back, add earlier requests.
      for (let later = place; later < upTo.length; later++) upTo[later] = (upTo[later] ?? 0) + tokens;
    },
    between(from, until) {
      const [first, next] = [placeFrom(times, from), placeFrom(times, until)];
      return { requests: Math.max(0, next - first), tokens: Math.max(0, tokensBefore(next) - tokensBefore(first)) };
    },
    firstFrom: (from) => times[placeFrom(times, from)] ?? null,
  };
}

export function placeFrom(times: readonly number[], from: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Searches from the end, because most times are newest. */
function placeAfter(times: readonly number[], at: number): number {
  let place = times.length;
  while (place > 0 && (times[place - 1] ?? 0) > at) place--;
  return place;
}
