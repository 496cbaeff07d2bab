import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LinkState, PanelApi } from '../../contract/contract';
import type { Snapshot } from '../../contract/snapshot';
import { shareUnchanged } from './share';
import { whileVisible } from './visible';

export type PanelState = Readonly<{
  snapshot: Snapshot | null;
  /** Monotonic ms. */
  receivedAtMs: number;
  link: LinkState;
  /** The core did not respond although the link seems open. */
  isSilent: boolean;
  heard: number;
}>;

export type PanelStore = StoreApi<PanelState>;

/** The panel lost its core, or the core lost OpenCode. */
export type StaleCause = 'link' | 'opencode';

export const QUIET_LIMIT_MS = 10_000;

/** In ms; larger means a changed clock or sleep. */
const JUMP_MS = 2_000;

export function createPanelStore(): PanelStore {
  return createStore<PanelState>(() => ({
    snapshot: null,
    receivedAtMs: 0,
    link: 'connecting',
    isSilent: false,
    heard: 0,
  }));
}

/** Runs while the page is visible. */
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
      // A push may have overtaken this response.
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
    // Sleep stops one clock and not the other: the data is older than it seems.
    const offsetMs = Date.now() - performance.now();
    const hasSlept = Math.abs(offsetMs - clockOffsetMs) >= JUMP_MS;
    clockOffsetMs = offsetMs;
    const isQuiet = hasSlept || isSilent || !snapshot || performance.now() - receivedAtMs >= QUIET_LIMIT_MS;
    if (link === 'open' && isQuiet) void check();
  };
  const hearLink = (link: LinkState) => {
    // A reconnecting stream has not lost the core yet.
    if (link === 'connecting') return;
    store.setState({ link });
    checkWhenQuiet();
  };
  const listen = () => {
    const isReturn = store.getState().snapshot !== null;
    const timer = setInterval(checkWhenQuiet, QUIET_LIMIT_MS / 2);
    const hear = () => store.setState(({ heard: noticeCount }) => ({ heard: noticeCount + 1 }));
    const ends = [api.on('snapshot', receive), api.on('notice', hear), api.onLink(hearLink)];
    // Pushes were missed while the page was hidden.
    if (isReturn) void check();
    return () => {
      clearInterval(timer);
      for (const end of ends) end();
    };
  };
  return whileVisible(listen);
}

/** Null while current. */
export function staleCause(state: PanelState): StaleCause | null {
  if (!state.snapshot) return null;
  if (state.link !== 'open' || state.isSilent) return 'link';
  return state.snapshot.connection.status === 'lost' ? 'opencode' : null;
}

/** Wall-clock ms. */
export function asOf(state: PanelState): number {
  if (!state.snapshot) return 0;
  return staleCause(state) === 'opencode' ? state.snapshot.connection.since : state.snapshot.at;
}

export function hasJumped(last: PanelState, next: PanelState): boolean {
  if (!last.snapshot || !next.snapshot || last.receivedAtMs === next.receivedAtMs) return false;
  const expected = last.snapshot.at + next.receivedAtMs - last.receivedAtMs;
  return Math.abs(next.snapshot.at - expected) >= JUMP_MS;
}

/** Independent of this computer's wall clock. */
export function coreNow(state: PanelState): number {
  return (state.snapshot?.at ?? 0) + performance.now() - state.receivedAtMs;
}
