import type { Handlers, PanelHost, PushData, PushName } from '../../src/contract/contract';
import { registerFeatures } from '../../src/contract/feature-queries';
import type { Snapshot } from '../../src/contract/snapshot';
import type { OpenedCore } from '../../src/node/attach-core';
import { quietHandlers } from './quiet-handlers';

// As in each process with a core.
registerFeatures();

export type FakeHost = PanelHost &
  Readonly<{
    publish(snapshot: Snapshot): void;
    push<P extends PushName>(name: P, data: PushData<P>): void;
    listenerCount(): number;
  }>;

export function fakeHost(first: Snapshot, handlers: Partial<Handlers> = {}): FakeHost {
  let present = first;
  const listeners = new Set<Parameters<PanelHost['subscribe']>[0]>();
  const push: FakeHost['push'] = (name, data) => {
    for (const listener of listeners) listener(name, data);
  };
  return {
    handlers: {
      ...quietHandlers(() => present),
      ...handlers,
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish(snapshot) {
      present = snapshot;
      push('snapshot', snapshot);
    },
    push,
    listenerCount: () => listeners.size,
  };
}

export function openedOn(host: PanelHost, change: Partial<OpenedCore> = {}): OpenedCore {
  return {
    role: 'viewer',
    host,
    otherPanelUrl: null,
    announcePanel: async () => {},
    woken: () => {},
    updateReady: () => {},
    isReadOnly: false,
    close: async () => {},
    ...change,
  };
}
