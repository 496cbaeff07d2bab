import { onPush, type PanelHost } from '../contract/contract';
import type { Snapshot } from '../contract/snapshot';

type Wait = Readonly<{
  /** Subject of the message, before "within 30 s.". */
  what: string;
  limitMs: number;
  signal: AbortSignal;
}>;

/**
 * Resolves with the first matching snapshot, including the current one; rejects with a message for people after
 * `limitMs`, or with the reason of `signal`.
 */
export function untilSnapshot(host: PanelHost, fits: (snapshot: Snapshot) => boolean, wait: Wait): Promise<Snapshot> {
  return new Promise((resolve, reject) => {
    const leave = (settle: () => void): void => {
      unsubscribe();
      clearTimeout(timer);
      wait.signal.removeEventListener('abort', giveUp);
      settle();
    };
    const look = (snapshot: Snapshot): void => {
      if (fits(snapshot)) leave(() => resolve(snapshot));
    };
    const giveUp = (): void => leave(() => reject(wait.signal.reason));
    const tooLate = (): void =>
      leave(() => reject(new Error(`${wait.what} within ${Math.round(wait.limitMs / 1_000)} s.`)));
    const timer = setTimeout(tooLate, wait.limitMs);
    const unsubscribe = onPush(host, 'snapshot', look);
    wait.signal.addEventListener('abort', giveUp);
    if (wait.signal.aborted) giveUp();
    else void presentOf(host).then(look, (error: unknown) => leave(() => reject(error)));
  });
}

export async function presentOf(host: PanelHost): Promise<Snapshot> {
  return host.handlers['snapshot.get'](null);
}
