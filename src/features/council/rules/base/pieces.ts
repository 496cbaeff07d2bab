/** Characters that a piece of work reads until other work has its turn: some ms. */
export const CHARS_AT_ONCE = 65_536;

/** Does work in pieces: `turn` resolves when everything else has had its turn. */
export async function inPieces<T>(work: Generator<void, T>, turn: () => Promise<unknown>): Promise<T> {
  for (;;) {
    const piece = work.next();
    if (piece.done) return piece.value;
    await turn();
  }
}
