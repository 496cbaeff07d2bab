import { inTime } from '../../node/base/within';
import type { OwnBreaker } from './own-breaker';

/** Never throws into OpenCode. With the breaker open only `whenOpen` runs, for requests in progress. */
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

/** Null after `limitMs`; the timer does not keep the process alive. */
export const limited = <T>(work: Promise<T>, limitMs: number): Promise<T | null> => inTime(work, limitMs, null, false);
