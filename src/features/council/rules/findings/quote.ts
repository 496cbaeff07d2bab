import { CHARS_AT_ONCE } from '../base/pieces';
import type { Checked } from '../said/calls';

/** Source: docs/council.md. */
export const NEAR_LINES = 3;
/** A shorter quote proves nothing. */
const QUOTE_MIN_CHARS = 5;

const LINE_END = 10;
const SPACE = 32;
const isBlank = (code: number): boolean =>
  code < 128 ? code === SPACE || (code > 8 && code < 14) : /\s/.test(String.fromCharCode(code));

/** Non-empty lines with white space collapsed; `starts` has an entry for every line. */
type FoldedText = Readonly<{ codes: Uint16Array; starts: Uint32Array }>;

export function* foldText(text: string): Generator<void, FoldedText> {
  const codes = new Uint16Array(text.length + 1);
  const starts = new Uint32Array(text.length + 1);
  let [size, lines, start, isGap] = [0, 1, 0, false];
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : LINE_END;
    if (code === LINE_END) {
      if (size > start) codes[size++] = LINE_END;
      start = size;
      if (at < text.length) starts[lines++] = start;
      isGap = false;
    } else if (isBlank(code)) isGap = size > start;
    else {
      if (isGap) codes[size++] = SPACE;
      codes[size++] = code;
      isGap = false;
    }
    if (at % CHARS_AT_ONCE === CHARS_AT_ONCE - 1) yield;
  }
  return { codes: codes.subarray(0, size), starts: starts.subarray(0, lines) };
}

/** Ignores white space. Linear time (Knuth, Morris and Pratt). */
export function* checkQuote(
  { codes, starts }: FoldedText,
  { quote, line }: Readonly<{ quote: string; line: number }>,
): Generator<void, Checked> {
  const wanted = (yield* foldText(quote)).codes.subarray(0, -1);
  const size = wanted.length;
  if (wanted.filter((code) => code !== SPACE && code !== LINE_END).length < QUOTE_MIN_CHARS)
    return { check: 'not_found', at: null };
  const borders = new Uint16Array(size);
  let [matched, before, found] = [0, 0, 0];
  // Indices below 0 read the quote itself.
  for (let at = 1 - size; at < codes.length && found < line; at++) {
    if (at === 0) matched = 0;
    const code = at < 0 ? wanted[at + size] : codes[at];
    while (matched > 0 && code !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (code === wanted[matched]) matched++;
    if (at < 0) borders[at + size] = matched;
    else if (matched === size) {
      before = found;
      while ((starts[found] ?? Number.POSITIVE_INFINITY) <= at - size + 1) found++;
    }
    if (at % CHARS_AT_ONCE === CHARS_AT_ONCE - 1) yield;
  }
  if (found === 0) return { check: 'not_found', at: null };
  const nearest = found > line && before > 0 && line - before <= found - line ? before : found;
  return { check: Math.abs(nearest - line) <= NEAR_LINES ? 'verified' : 'moved', at: nearest };
}
