const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** Redraws what shows a time, as seldom as possible. */
export interface Ticker {
  /**
   * Calls back whenever a time on screen should be drawn anew.
   *
   * @param until end of a countdown in wall-clock ms, or null for an age that grows by the minute.
   * @returns a function that ends it.
   */
  watch(until: number | null, listener: () => void): () => void;
}

/**
 * Milliseconds to the next redraw: every second while a countdown is in its last minute, else at the full minute, else
 * null for never.
 */
export function nextTickMs(now: number, untils: readonly (number | null)[]): number | null {
  let next: number | null = null;
  const propose = (ms: number) => {
    next = next === null ? ms : Math.min(next, ms);
  };
  for (const until of untils) {
    const leftMs = until === null ? Number.POSITIVE_INFINITY : until - now;
    if (leftMs <= 0) continue;
    if (leftMs <= MINUTE_MS) propose(leftMs % SECOND_MS || SECOND_MS);
    else propose(Math.min(MINUTE_MS - (now % MINUTE_MS), leftMs - MINUTE_MS + 1));
  }
  return next;
}

/** One timer for every countdown of the page; it rests while the page is hidden. `now` is wall-clock ms. */
export function createTicker(now: () => number): Ticker {
  const watchers = new Set<Readonly<{ until: number | null; listener: () => void }>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = () => {
    clearTimeout(timer);
    if (document.hidden) return;
    const ms = nextTickMs(
      now(),
      Array.from(watchers, (watcher) => watcher.until),
    );
    if (ms !== null) timer = setTimeout(tick, ms);
  };
  const tick = () => {
    for (const watcher of [...watchers]) watcher.listener();
    plan();
  };
  const wake = () => (document.hidden ? clearTimeout(timer) : tick());
  return {
    watch(until, listener) {
      const watcher = { until, listener };
      if (watchers.size === 0) document.addEventListener('visibilitychange', wake);
      watchers.add(watcher);
      plan();
      return () => {
        watchers.delete(watcher);
        if (watchers.size === 0) document.removeEventListener('visibilitychange', wake);
        plan();
      };
    },
  };
}
