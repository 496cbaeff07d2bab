import { createContext, useContext, useEffect, useReducer } from 'react';
import { useStore } from 'zustand';
import type { PanelApi } from '../../contract/contract';
import type { Snapshot } from '../../contract/snapshot';
import { createRegistry, type Registry } from './commands/registry';
import { createDrafts, createPolicyDrafts, type Drafts, type PolicyDrafts } from './drafts';
import { createNotices, type Notices } from './notices';
import { createSharedTime, type SharedTime } from './shared-time';
import { createSingleKeys, type SingleKeys } from './single-keys';
import {
  asOf,
  connectStore,
  coreNow,
  createPanelStore,
  hasJumped,
  type PanelState,
  type PanelStore,
  staleCause,
} from './store';
import { createTicker, type Ticker } from './ticker';

export type Panel = Readonly<{
  api: PanelApi;
  store: PanelStore;
  ticker: Ticker;
  notices: Notices;
  drafts: Drafts;
  commands: Registry;
  singleKeys: SingleKeys;
  policyDrafts: PolicyDrafts;
  time: SharedTime;
  dispose: () => void;
}>;

export function createPanel(api: PanelApi): Panel {
  const store = createPanelStore();
  const ticker = createTicker(() => coreNow(store.getState()));
  // Otherwise times would be wrong until their next tick.
  store.subscribe((next, last) => {
    if (hasJumped(last, next)) ticker.wake();
  });
  return {
    api,
    store,
    ticker,
    notices: createNotices(),
    drafts: createDrafts(),
    policyDrafts: createPolicyDrafts(),
    commands: createRegistry(),
    singleKeys: createSingleKeys(),
    time: createSharedTime(),
    dispose: connectStore(store, api),
  };
}

export const PanelContext = createContext<Panel | null>(null);

/** @throws TypeError outside a PanelContext. */
export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (!panel) throw new TypeError('usePanel is used outside a PanelContext.');
  return panel;
}

export function usePanelState<T>(select: (state: PanelState) => T): T {
  return useStore(usePanel().store, select);
}

/** `asOf` is wall-clock ms. */
export function useStale(): Readonly<{ cause: ReturnType<typeof staleCause>; asOf: number }> {
  return { cause: usePanelState(staleCause), asOf: usePanelState(asOf) };
}

/** @throws TypeError before the first snapshot. */
export function useSnapshot(): Snapshot {
  const snapshot = usePanelState((state) => state.snapshot);
  if (!snapshot) throw new TypeError('useSnapshot is used before the first snapshot.');
  return snapshot;
}

/**
 * Returns the core's clock and rerenders as needed.
 * @param until a countdown's end in wall-clock ms; null for an age; undefined never rerenders.
 * @param everyMs rerenders at each multiple.
 */
export function useCoreNow(until: number | null | undefined, everyMs?: number): number {
  const { store, ticker } = usePanel();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(
    () => (until === undefined ? undefined : ticker.watch({ until, everyMs }, redraw)),
    [ticker, until, everyMs],
  );
  return coreNow(store.getState());
}
