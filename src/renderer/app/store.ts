import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LinkState, PanelApi } from '../../contract/contract';
import type { Snapshot } from '../../contract/snapshot';
import { shareUnchanged } from './share';
import { whileVisible } from './visible';

/** What the core last told us; nothing here is computed from it but its age. */
export type PanelState = Readonly<{
  snapshot: Snapshot | null;
  /** Monotonic milliseconds at which `snapshot` arrived. */
  receivedAtMs: number;
  link: LinkState;
  /** A question of ours went unanswered although the link seems open. */
  isSilent: boolean;
  /** How many notices, or ends of them, the panel has heard of. */
  heard: number;
}>;

export type PanelStore = StoreApi<PanelState>;

/** Why what is shown may no longer be so: the panel lost its core, or the core lost OpenCode. */
export type StaleCause = 'link' | 'opencode';

/** An open link without news for this long is asked whether it still lives. */
export const QUIET_LIMIT_MS = 10_000;

/** Clocks that come apart by this much, in ms, have been set, or the computer has slept. */
const JUMP_MS = 2_000;

/** An empty store, before the first word of the core. */
export function createPanelStore(): PanelStore {
  return createStore<PanelState>(() => ({
    snapshot: null,
    receivedAtMs: 0,
    link: 'connecting',
    isSilent: false,
    heard: 0,
  }));
}

/** Feeds the store from the core while the page can be seen. @returns a function that ends it. */
export function connectStore(store: PanelStore, api: PanelApi): () => void {
  const receive = (news: Snapshot) =>
    store.setState((last) => ({
      snapshot: shareUnchanged(last.snapshot, news),
      receivedAtMs: performance.now(),
      isSilent: false,
    }));
  let isAsking = false;
  const check = async () => {
    if (isAsking) return;
    isAsking = true;
    try {
      const snapshot = await api.ask('snapshot.get', null);
      // A push may have overtaken this answer.
      if (snapshot.rev >= (store.getState().snapshot?.rev ?? 0)) receive(snapshot);
      else store.setState({ isSilent: false });
    } catch {
      // silent: the page shows that nothing answers
      store.setState({ isSilent: true });
    } finally {
      isAsking = false;
    }
  };
  let clockOffsetMs = Date.now() - performance.now();
  const checkWhenQuiet = () => {
    const { link, snapshot, receivedAtMs, isSilent } = store.getState();
    // A computer that slept has stopped the one clock and not the other: all that is shown is older than it seems.
    const offsetMs = Date.now() - performance.now();
    const hasSlept = Math.abs(offsetMs - clockOffsetMs) >= JUMP_MS;
    clockOffsetMs = offsetMs;
    const isQuiet = hasSlept || isSilent || !snapshot || performance.now() - receivedAtMs >= QUIET_LIMIT_MS;
    if (link === 'open' && isQuiet) void check();
  };
  const hearLink = (link: LinkState) => {
    // A stream that is begun anew has not lost the core yet.
    if (link === 'connecting') return;
    store.setState({ link });
    checkWhenQuiet();
  };
  const listen = () => {
    const isReturn = store.getState().snapshot !== null;
    const timer = setInterval(checkWhenQuiet, QUIET_LIMIT_MS / 2);
    const hear = () => store.setState(({ heard }) => ({ heard: heard + 1 }));
    const ends = [api.on('snapshot', receive), api.on('notice', hear), api.onLink(hearLink)];
    // What was pushed while nobody listened went unheard.
    if (isReturn) void check();
    return () => {
      clearInterval(timer);
      for (const end of ends) end();
    };
  };
  return whileVisible(listen);
}

/** @returns why the snapshot may be out of date, or null while it is the truth. */
export function staleCause(state: PanelState): StaleCause | null {
  if (!state.snapshot) return null;
  if (state.link !== 'open' || state.isSilent) return 'link';
  return state.snapshot.connection.status === 'lost' ? 'opencode' : null;
}

/** Wall-clock milliseconds of the last moment the snapshot was known to be true. */
export function asOf(state: PanelState): number {
  if (!state.snapshot) return 0;
  return staleCause(state) === 'opencode' ? state.snapshot.connection.since : state.snapshot.at;
}

/** Whether the core's wall clock moved between two states otherwise than by time going by. */
export function hasJumped(last: PanelState, next: PanelState): boolean {
  if (!last.snapshot || !next.snapshot || last.receivedAtMs === next.receivedAtMs) return false;
  const expected = last.snapshot.at + next.receivedAtMs - last.receivedAtMs;
  return Math.abs(next.snapshot.at - expected) >= JUMP_MS;
}

/** The core's wall clock now, whatever this computer's own clock says. */
export function coreNow(state: PanelState): number {
  return (state.snapshot?.at ?? 0) + performance.now() - state.receivedAtMs;
}
