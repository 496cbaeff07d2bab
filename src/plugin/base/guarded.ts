import { inTime } from '../../node/base/within';
import type { OwnBreaker } from './own-breaker';

/**
 * A hook that never throws into OpenCode: an error is logged by `fail`, and counted by the breaker or by `count`. Once the
 * breaker is open, only `whenOpen` runs: what requests under way still need.
 */
export function guarded<Args extends unknown[]>(
  fail: (message: string) => void,
  name: string,
  hook: (...args: Args) => void | Promise<void>,
  by: Readonly<{
    breaker?: OwnBreaker;
    count?: OwnBreaker['count'];
    whenOpen?: (...args: Args) => void | Promise<void>;
  }> = {},
): (...args: Args) => Promise<void> {
  const { breaker, count = breaker?.count, whenOpen } = by;
  return async (...args) => {
    try {
      await (breaker?.isOpen() ? whenOpen : hook)?.(...args);
    } catch (error) {
      count?.(name, error);
      fail(`${name}: ${stackOf(error)}`);
    }
  };
}

export const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** What the work gives within `limitMs`, else null; the wait keeps no process alive. @throws what the work throws. */
export const limited = <T>(work: Promise<T>, limitMs: number): Promise<T | null> => inTime(work, limitMs, null, false);
