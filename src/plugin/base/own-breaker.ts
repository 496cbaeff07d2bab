import { countError } from '../../core/base/internal-errors';
import { listen } from '../../core/base/listen';

const ERRORS_MAX = 5;
const WITHIN_MS = 60_000;

export type Opened = Readonly<{ place: string }>;

/** Once open, the companion passes everything through until the process ends. Source: ADR 0091. */
export type OwnBreaker = Readonly<{
  /** Never throws. */
  count(place: string, error: unknown): void;
  isOpen(): boolean;
  /** Calls back once, at once if open. */
  onOpen(listener: (opened: Opened) => void): () => void;
}>;

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
