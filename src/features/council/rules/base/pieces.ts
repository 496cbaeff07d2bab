/** Per piece of work, which takes some ms. */
export const CHARS_AT_ONCE = 65_536;

/** `turn` resolves after other work had its turn. */
export async function inPieces<T>(work: Generator<void, T>, turn: () => Promise<unknown>): Promise<T> {
  for (;;) {
    const piece = work.next();
    if (piece.done) return piece.value;
    await turn();
  }
}
