/** Only the newest value matters. */
export type Latest<T> = Readonly<{
  offer(value: T): void;
  poke(): void;
  close(): void;
}>;

/** If not `isReady`, the value waits for `poke`. */
export type LatestOptions<T> = Readonly<{ intervalMs: number; isReady(): boolean; send(value: T): void }>;

export function latest<T>({ intervalMs, isReady, send }: LatestOptions<T>): Latest<T> {
  let held: { value: T } | null = null;
  let timer: NodeJS.Timeout | null = null;

  const flush = (): void => {
    if (held === null || timer !== null || !isReady()) return;
    const { value } = held;
    held = null;
    timer = setTimeout(() => {
      timer = null;
      flush();
    }, intervalMs);
    timer.unref();
    send(value);
  };

  return {
    offer(value) {
      held = { value };
      flush();
    },
    poke: flush,
    close() {
      held = null;
      if (timer) clearTimeout(timer);
      timer = null;
    },
  };
}
