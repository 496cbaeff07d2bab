/** Resolves when the work is done, has failed, or has taken longer than `limitMs`. Never rejects. */
export async function within(work: Promise<unknown>, limitMs: number): Promise<void> {
  const ended = work.then(
    () => undefined,
    () => undefined,
  );
  await inTime(ended, limitMs, undefined);
}

/** What the work gives, or `late` when that takes longer than `limitMs`. @throws what the work throws in time. */
export async function inTime<T>(work: Promise<T>, limitMs: number, late: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
