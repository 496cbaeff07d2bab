import type { Handlers, PanelHost, PushData, PushName } from '../../src/contract/contract';
import { registerFeatures } from '../../src/contract/feature-queries';
import type { Snapshot } from '../../src/contract/snapshot';
import type { OpenedCore } from '../../src/node/attach-core';
import { quietHandlers } from './quiet-handlers';

// As each process does that has a core.
registerFeatures();

/** A core that holds one snapshot and tells its listeners about each new one. */
export type FakeHost = PanelHost &
  Readonly<{
    publish(snapshot: Snapshot): void;
    push<P extends PushName>(name: P, data: PushData<P>): void;
    listenerCount(): number;
  }>;

/** Opens a fake core; `handlers` replaces single answers. */
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

/** A core that was opened, or attached to, as its shells get it; change what the test is about. */
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
