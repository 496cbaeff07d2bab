import { inTime } from '../node/base/within';

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

export const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** What the work gives within `limitMs`, else null; the wait keeps no process alive. @throws what the work throws. */
export const limited = <T>(work: Promise<T>, limitMs: number): Promise<T | null> => inTime(work, limitMs, null, false);
