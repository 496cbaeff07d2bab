/** A body whose pieces are kept as they come by, until they are taken. */
export type Tap = Readonly<{
  body: ReadableStream<Uint8Array>;
  /** The pieces read since the last time, as they came. */
  take(): Uint8Array[];
  /** A piece that waits for what follows: it is taken first. */
  putBack(piece: Uint8Array): void;
}>;

/** Listens in on a body. Nothing is read before somebody reads `body`, and never more than that. */
export function tapped(source: ReadableStream<Uint8Array>): Tap {
  const reader = source.getReader();
  let pieces: Uint8Array[] = [];
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        pieces.push(value);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return {
    body,
    take() {
      const taken = pieces;
      pieces = [];
      return taken;
    },
    putBack(piece) {
      pieces.unshift(piece);
    },
  };
}
