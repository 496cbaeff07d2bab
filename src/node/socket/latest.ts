/** A stream of which only the newest value matters. */
export type Latest<T> = Readonly<{
  /** Takes the newest value; it is sent now, or when the interval and the receiver allow it. */
  offer(value: T): void;
  /** Says that the receiver may be ready again. */
  poke(): void;
  close(): void;
}>;

/** Where the newest value goes, and how often. `isReady` false holds it back until `poke`. */
export type LatestOptions<T> = Readonly<{ intervalMs: number; isReady(): boolean; send(value: T): void }>;

/** Sends the first value at once and then at most one every `intervalMs`, always the newest. */
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
