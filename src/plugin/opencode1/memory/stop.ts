/**
 * OpenCode raises one signal for the user's stop and for the limits a provider may be given (`timeout`, `headerTimeout`,
 * `chunkTimeout`); only the reason tells them apart. Names read in 1.18.33.
 */
const LIMIT_NAMES: ReadonlySet<string> = new Set([
  'TimeoutError',
  'ProviderHeaderTimeoutError',
  'ProviderResponseStreamError',
]);

/** Whether a request was ended by a time limit of OpenCode's, which is its model's failure. */
export const isTimeLimit = (reason: unknown): reason is Error =>
  reason instanceof Error && LIMIT_NAMES.has(reason.name);

/** Whether the user has stopped the turn. */
export const isStopped = (signal: AbortSignal | null): boolean =>
  signal?.aborted === true && !isTimeLimit(signal.reason);

/** The limit of OpenCode's that a signal was raised for; null while it was not, or when the user raised it. */
export const limitOf = (signal: AbortSignal | null): Error | null =>
  signal?.aborted && isTimeLimit(signal.reason) ? signal.reason : null;

/** Throws the user's own reason when they have stopped the turn. */
export function throwIfStopped(signal: AbortSignal | null): void {
  if (isStopped(signal)) throw signal?.reason;
}

/** Waits `durationMs`, unless the user stops the turn first: then it rejects with their reason. */
export function wait(durationMs: number, signal: AbortSignal | null): Promise<void> {
  const due = performance.now() + durationMs;
  return new Promise((resolve, reject) => {
    if (isStopped(signal)) return reject(signal?.reason);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      // Timers drop fractions, and a model that is due in one would still be out.
      const leftMs = due - performance.now();
      if (leftMs > 0) timer = setTimeout(look, Math.ceil(leftMs));
      else end(resolve);
    };
    const stop = (): void => {
      if (isStopped(signal)) end(() => reject(signal?.reason));
    };
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      settle();
    };
    signal?.addEventListener('abort', stop);
    look();
  });
}
