const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** Timers may fire this much early. */
const EARLY_MS = 5;

/**
 * A countdown's end in wall-clock ms, or null for an age in minutes. `everyMs` redraws at each multiple until the end.
 */
export type Watched = Readonly<{ until: number | null; everyMs?: number | undefined }>;

export interface Ticker {
  watch(watched: Watched, listener: () => void): () => void;
  /** Call it after a clock change. */
  wake(): void;
}

/** In ms; null for never. */
export function dueMs(now: number, { until, everyMs }: Watched): number | null {
  const leftMs = until === null ? Number.POSITIVE_INFINITY : until - now;
  if (leftMs <= 0) return null;
  if (everyMs !== undefined) return everyMs - (now % everyMs);
  if (leftMs <= MINUTE_MS) return leftMs % SECOND_MS || SECOND_MS;
  return Math.min(MINUTE_MS - (now % MINUTE_MS), leftMs - MINUTE_MS + 1);
}

type Watcher = Readonly<{ watched: Watched; listener: () => void }> & { dueAt: number };

/** One timer for all times; stops while the page is hidden. `now` is wall-clock ms. */
export function createTicker(now: () => number): Ticker {
  const watchers = new Set<Watcher>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let plannedAt = Number.POSITIVE_INFINITY;
  const dueOf = (at: number, watched: Watched): number => at + (dueMs(at, watched) ?? Number.POSITIVE_INFINITY);
  const plan = () => {
    clearTimeout(timer);
    plannedAt = Number.POSITIVE_INFINITY;
    if (document.hidden) return;
    for (const { dueAt } of watchers) plannedAt = Math.min(plannedAt, dueAt);
    if (plannedAt !== Number.POSITIVE_INFINITY) timer = setTimeout(tick, Math.max(0, plannedAt - now()));
  };
  const redraw = (isDue: (watcher: Watcher) => boolean) => {
    const at = now();
    for (const watcher of [...watchers]) {
      if (!isDue(watcher)) continue;
      watcher.dueAt = dueOf(at, watcher.watched);
      watcher.listener();
    }
    plan();
  };
  const tick = () => {
    const at = now() + EARLY_MS;
    redraw(({ dueAt }) => dueAt <= at);
  };
  const wake = () => (document.hidden ? plan() : redraw(() => true));
  return {
    watch(watched, listener) {
      const watcher = { watched, listener, dueAt: dueOf(now(), watched) };
      if (watchers.size === 0) document.addEventListener('visibilitychange', wake);
      watchers.add(watcher);
      // Only an earlier time moves the timer.
      if (watcher.dueAt < plannedAt) plan();
      return () => {
        watchers.delete(watcher);
        if (watchers.size > 0) return;
        document.removeEventListener('visibilitychange', wake);
        plan();
      };
    },
    wake,
  };
}
