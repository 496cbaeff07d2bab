import type { CarriedData } from '../contract/contract';
import type { Snapshot } from '../contract/snapshot';
import { changeFrom } from '../contract/snapshot-change';

type Send = <P extends 'snapshot' | 'change'>(name: P, data: CarriedData<P>) => void;

export type SnapshotSender = Readonly<{
  send(snapshot: Snapshot): void;
  /** Sends the next snapshot whole, because the reader may have another base. */
  startOver(): void;
}>;

export function snapshotSender(send: Send): SnapshotSender {
  let last: Snapshot | null = null;
  return {
    send(snapshot) {
      const before = last;
      last = snapshot;
      if (before === null) send('snapshot', snapshot);
      else send('change', changeFrom(before, snapshot));
    },
    startOver() {
      last = null;
    },
  };
}
