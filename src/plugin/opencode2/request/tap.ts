/** A body whose chunks are also collected. */
export type Tap = Readonly<{
  body: ReadableStream<Uint8Array>;
  /** Returns the chunks read since the last call. */
  take(): Uint8Array[];
  /** Returns an incomplete chunk, to be taken first next time. */
  putBack(piece: Uint8Array): void;
}>;

/** Never reads ahead of the reader of `body`. */
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
