import type { PushData, PushName } from '../contract/contract';
import type { Snapshot } from '../contract/snapshot';
import { listen, tellEach } from './base/listen';

/** Told of everything that is pushed to viewers. */
export type PushListener = <P extends PushName>(name: P, data: PushData<P>) => void;

/** The picture that viewers have, and who is told when there is a new one. */
export type Publisher = Readonly<{
  /** Grows with each change. */
  rev(): number;
  /** Something is another than in the last picture: one new picture for everything that happens in this moment. */
  changed(): void;
  /** The picture as of the last change. */
  picture(): Snapshot;
  /** The picture as of now: a model's state is a matter of time, also when nothing happens. */
  fresh(): Snapshot;
  push: PushListener;
  /** Calls back with what is pushed, or before each new picture. @returns what ends it. */
  onPush(listener: PushListener): () => void;
  onBefore(listener: () => void): () => void;
  /** Nobody is told any more. */
  close(): void;
}>;

/** @param draw draws the picture of a revision. @param isQuiet whether what changes now is told to nobody. */
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
