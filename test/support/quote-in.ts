import { checkQuote, foldText } from '../../src/features/council/rules/findings/quote';
import type { Checked } from '../../src/features/council/rules/said/calls';

export function quoteIn(text: string, place: Readonly<{ quote: string; line: number }>): Checked {
  return ended(checkQuote(ended(foldText(text)), place));
}

export function ended<T>(work: Generator<void, T>): T {
  for (;;) {
    const piece = work.next();
    if (piece.done) return piece.value;
  }
}
