import { EventEmitter, once } from 'node:events';

/** Waits `ms`, or until the signal. The host uses it for every pause. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Pauses without duration; `asked` has the requested ms in order. */
export function skippedTime(): Readonly<{ sleep: Sleep; asked: readonly number[] }> {
  const asked: number[] = [];
  return {
    asked,
    async sleep(ms) {
      asked.push(ms);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

export function heldTime(): Readonly<{ sleep: Sleep; isAsked: Promise<void>; letGo: () => void }> {
  const ends = new EventEmitter();
  const isAsked = once(ends, 'asked').then(() => undefined);
  return {
    isAsked,
    letGo: () => void ends.emit('gone'),
    async sleep(_, signal) {
      const gone = once(ends, 'gone');
      signal.addEventListener('abort', () => ends.emit('gone'), { once: true });
      ends.emit('asked');
      await gone;
    },
  };
}

export const realTime: Sleep = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
  });
