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

/** Everything the views share. */
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

/** Connects a panel to its core. */
export function createPanel(api: PanelApi): Panel {
  const store = createPanelStore();
  const ticker = createTicker(() => coreNow(store.getState()));
  // What showed a time by the old clock would show a wrong one until its next tick.
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

/** A piece of what the core last told us. */
export function usePanelState<T>(select: (state: PanelState) => T): T {
  return useStore(usePanel().store, select);
}

/** Whether what is shown may be out of date, why, and as of when (wall-clock ms). */
export function useStale(): Readonly<{ cause: ReturnType<typeof staleCause>; asOf: number }> {
  return { cause: usePanelState(staleCause), asOf: usePanelState(asOf) };
}

/** The snapshot, for views that are only drawn once there is one. @throws TypeError before the first. */
export function useSnapshot(): Snapshot {
  const snapshot = usePanelState((state) => state.snapshot);
  if (!snapshot) throw new TypeError('useSnapshot is used before the first snapshot.');
  return snapshot;
}

/**
 * The core's clock, redrawn as often as the text needs it.
 *
 * @param until end of a countdown in wall-clock ms; null for an age; undefined to stand still.
 * @param everyMs redraws at each multiple of it instead, until the end.
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
