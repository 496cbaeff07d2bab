import { countError } from '../../core/base/internal-errors';
import { listen } from '../../core/base/listen';

/** Internal errors that open the breaker. */
const ERRORS_MAX = 5;
/** Time in which they occur, in ms. */
const WITHIN_MS = 60_000;

/** What opened the breaker: the last error's place in our code. */
export type Opened = Readonly<{ place: string }>;

/**
 * The companion's breaker for its own errors. Once it is open, the companion passes requests, responses and events through
 * until the process ends. Source: ADR 0091.
 */
export type OwnBreaker = Readonly<{
  /** Counts an unexpected error where the companion decides or runs a hook. Never throws. */
  count(place: string, error: unknown): void;
  isOpen(): boolean;
  /** Calls back once, when the breaker opens; at once if it is open. @returns the function that ends it. */
  onOpen(listener: (opened: Opened) => void): () => void;
}>;

/** @param now monotonic time in ms. */
export function createOwnBreaker(now: () => number): OwnBreaker {
  const times: number[] = [];
  const listeners = new Set<(opened: Opened) => void>();
  let opened: Opened | null = null;
  const notify = (listener: (opened: Opened) => void, why: Opened): void => {
    // After the step or hook that failed: a listener may dispatch.
    queueMicrotask(() => {
      try {
        listener(why);
      } catch (error) {
        countError('breaker.listener', error);
      }
    });
  };
  return {
    count(place, error) {
      countError(place, error);
      if (opened) return;
      times.push(now());
      const [first = 0] = times;
      if (times.length < ERRORS_MAX) return;
      times.shift();
      if (now() - first > WITHIN_MS) return;
      opened = { place };
      for (const listener of listeners) notify(listener, opened);
    },
    isOpen: () => opened !== null,
    onOpen(listener) {
      if (opened) notify(listener, opened);
      return listen(listeners, listener);
    },
  };
}
