/** A hook that never throws into OpenCode: what goes wrong in it is logged by `fail`, and OpenCode goes on without us. */
export function guarded<Args extends unknown[]>(
  fail: (message: string) => void,
  name: string,
  hook: (...args: Args) => void | Promise<void>,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    try {
      await hook(...args);
    } catch (error) {
      fail(`${name}: ${stackOf(error)}`);
    }
  };
}

/** What went wrong and where, for the log. */
export const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** How often a limit is looked at, in ms. */
const TICK_MS = 250;

/**
 * What the work gives within `limitMs`, else null; the timers keep no process alive. Time in which the process itself was held
 * up, or the machine slept, does not count: what it waits for could not be heard of either. @throws what the work throws.
 */
export async function limited<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  const tickMs = Math.min(TICK_MS, limitMs / 2);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    const wait = (leftMs: number): void => {
      if (leftMs <= 0) {
        resolve(null);
        return;
      }
      timer = setTimeout(() => wait(leftMs - tickMs), Math.min(tickMs, leftMs));
      timer.unref();
    };
    wait(limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
