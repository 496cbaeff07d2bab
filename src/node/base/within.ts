import { settled } from '../../core/base/settled';
/** Never rejects. */
export async function within(work: Promise<unknown>, limitMs: number): Promise<void> {
  const ended = settled(work);
  await inTime(ended, limitMs, undefined);
}

const TICK_MS = 250;

/**
 * Does not count time in which the process was blocked or the machine slept.
 * @throws the work's error.
 * @param staysFor whether the wait keeps the process alive.
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
