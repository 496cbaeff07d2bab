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

/** What the work gives within `limitMs`, else null; the timer keeps no process alive. @throws what the work throws. */
export async function limited<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), limitMs);
    timer.unref();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
