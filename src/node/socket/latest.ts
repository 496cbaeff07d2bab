/** A stream of which only the newest value matters. */
export type Latest<T> = Readonly<{
  /** Sets the newest value; sends it now, or when the interval and the receiver allow it. */
  offer(value: T): void;
  /** Signals that the receiver may be ready again. */
  poke(): void;
  close(): void;
}>;

/** Target and interval of the newest value. If `isReady` returns false, it waits until `poke`. */
export type LatestOptions<T> = Readonly<{ intervalMs: number; isReady(): boolean; send(value: T): void }>;

/** Sends the first value immediately and then at most one every `intervalMs`, always the newest. */
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
