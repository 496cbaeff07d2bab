import type { CarriedData } from '../contract/contract';
import type { Snapshot } from '../contract/snapshot';
import { changeFrom } from '../contract/snapshot-change';

/** Carries a push to one reader, in order and without loss. */
type Send = <P extends 'snapshot' | 'change'>(name: P, data: CarriedData<P>) => void;

/** Tells one reader of snapshots: the first whole, of later ones what has changed. */
export type SnapshotSender = Readonly<{
  send(snapshot: Snapshot): void;
  /** The reader knows nothing, or may know something else. */
  startOver(): void;
}>;

export function snapshotSender(send: Send): SnapshotSender {
  let told: Snapshot | null = null;
  return {
    send(snapshot) {
      const before = told;
      told = snapshot;
      if (before === null) send('snapshot', snapshot);
      else send('change', changeFrom(before, snapshot));
    },
    startOver() {
      told = null;
    },
  };
}
