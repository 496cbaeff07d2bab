import type { Checked } from '../said/calls';

/** A quote within so many lines of where it is said to stand counts as standing there. Source: docs/council.md. */
export const NEAR_LINES = 3;
/** Less than this stands everywhere and shows nothing, in characters that are no blanks. */
const QUOTE_MIN_CHARS = 5;

/** Looks whether a quote stands in a text where it is said to. White space is nobody's evidence: it does not count. */
export function checkQuote(text: string, { quote, line }: Readonly<{ quote: string; line: number }>): Checked {
  const wanted = quote
    .split('\n')
    .map(folded)
    .filter((each) => each !== '');
  if (wanted.join('').replaceAll(' ', '').length < QUOTE_MIN_CHARS) return { check: 'not_found', at: null };
  const lines = text.split(/\r?\n/).map(folded);
  const places = lines.flatMap((_, at) => (standsAt(lines, at, wanted) ? [at + 1] : []));
  const nearest = places.reduce<number | null>(
    (best, at) => (best === null || Math.abs(at - line) < Math.abs(best - line) ? at : best),
    null,
  );
  if (nearest === null) return { check: 'not_found', at: null };
  return { check: Math.abs(nearest - line) <= NEAR_LINES ? 'verified' : 'moved', at: nearest };
}

const folded = (line: string): string => line.replace(/\s+/g, ' ').trim();

/** Whether the lines of a quote follow each other from here, empty ones between them left out. */
function standsAt(lines: readonly string[], from: number, wanted: readonly string[]): boolean {
  let at = from;
  for (const [nth, want] of wanted.entries()) {
    while (nth > 0 && lines[at] === '') at++;
    if (!fits(lines[at] ?? '', want, { isFirst: nth === 0, isLast: nth === wanted.length - 1 })) return false;
    at++;
  }
  return true;
}

/** The first line may begin, and the last end, in the middle of one. */
function fits(
  line: string,
  want: string,
  { isFirst, isLast }: Readonly<{ isFirst: boolean; isLast: boolean }>,
): boolean {
  if (isFirst && isLast) return line.includes(want);
  if (isFirst) return line.endsWith(want);
  return isLast ? line.startsWith(want) : line === want;
}
