/**
 * OpenCode raises one signal for the user's stop and for a provider's limits (`timeout`, `headerTimeout`,
 * `chunkTimeout`). Names read in 1.18.33.
 */
const LIMIT_NAMES: ReadonlySet<string> = new Set([
  'TimeoutError',
  'ProviderHeaderTimeoutError',
  'ProviderResponseStreamError',
]);

/** Counts as the model's failure. */
export const isTimeLimit = (reason: unknown): reason is Error =>
  reason instanceof Error && LIMIT_NAMES.has(reason.name);

export const isStopped = (signal: AbortSignal | null): boolean =>
  signal?.aborted === true && !isTimeLimit(signal.reason);

/** Null without a limit, also after the user's stop. */
export const limitOf = (signal: AbortSignal | null): Error | null =>
  signal?.aborted && isTimeLimit(signal.reason) ? signal.reason : null;

/** @throws the user's reason. */
export function throwIfStopped(signal: AbortSignal | null): void {
  if (isStopped(signal)) throw signal?.reason;
}

/** Rejects with the user's reason if they stop the turn. */
export function wait(durationMs: number, signal: AbortSignal | null): Promise<void> {
  const due = performance.now() + durationMs;
  return new Promise((resolve, reject) => {
    if (isStopped(signal)) return reject(signal?.reason);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      // Timers drop fractions: the model could still be unavailable.
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
