import { settled } from '../../core/base/settled';
/** Resolves when the work is done, has failed, or has taken longer than `limitMs`. Never rejects. */
export async function within(work: Promise<unknown>, limitMs: number): Promise<void> {
  const ended = settled(work);
  await inTime(ended, limitMs, undefined);
}

/** How often a limit is looked at, in ms. */
const TICK_MS = 250;

/**
 * What the work gives, or `late` when that takes longer than `limitMs`. Time in which the process itself was held up, or the
 * machine slept, does not count: what it waits for could not be heard of either. @throws what the work throws in time.
 *
 * @param staysFor whether the process lives on for the wait alone.
 */
export async function inTime<T, Late = T>(
  work: Promise<T>,
  limitMs: number,
  late: Late,
  staysFor = true,
): Promise<T | Late> {
  const tickMs = Math.min(TICK_MS, limitMs / 2);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<Late>((resolve) => {
    const wait = (leftMs: number): void => {
      if (leftMs <= 0) {
        resolve(late);
        return;
      }
      timer = setTimeout(() => wait(leftMs - tickMs), Math.min(tickMs, leftMs));
      if (!staysFor) timer.unref();
    };
    wait(limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
