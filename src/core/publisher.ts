import type { PushData, PushName } from '../contract/contract';
import type { Snapshot } from '../contract/snapshot';
import { listen, tellEach } from './base/listen';

export type PushListener = <P extends PushName>(name: P, data: PushData<P>) => void;

export type Publisher = Readonly<{
  rev(): number;
  /** One snapshot for all changes of this moment. */
  changed(): void;
  picture(): Snapshot;
  /** As of now: a model's state changes with time even without events. */
  fresh(): Snapshot;
  push: PushListener;
  onPush(listener: PushListener): () => void;
  onBefore(listener: () => void): () => void;
  close(): void;
}>;

/** @param isQuiet current changes are not published. */
export function createPublisher(draw: (rev: number) => Snapshot, isQuiet: () => boolean): Publisher {
  const viewers = new Set<PushListener>();
  const before = new Set<() => void>();
  let rev = 0;
  let cached: Snapshot | null = null;
  let isScheduled = false;

  const picture = (): Snapshot => {
    cached ??= draw(rev);
    return cached;
  };
  const push: PushListener = (name, data) => {
    tellEach(viewers, (listener) => listener(name, data));
  };
  return {
    rev: () => rev,
    changed() {
      rev++;
      cached = null;
      if (isScheduled || isQuiet()) return;
      isScheduled = true;
      void Promise.resolve().then(() => {
        isScheduled = false;
        tellEach(before, (listener) => listener());
        push('snapshot', picture());
      });
    },
    picture,
    fresh() {
      cached = null;
      return picture();
    },
    push,
    onPush: (listener) => listen(viewers, listener),
    onBefore: (listener) => listen(before, listener),
    close() {
      viewers.clear();
      before.clear();
    },
  };
}
