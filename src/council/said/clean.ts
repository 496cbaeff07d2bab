import { redact } from '../../engine';

/** Longer pieces are cut by `redact`, in characters. */
const PIECE_CHARS = 400;

/**
 * Text of a participant, safe to keep: keys, tokens, addresses and names of people's folders removed. Unlike a message of a failure it keeps its
 * length, its lines and what they are indented by.
 */
export const cleanText = (text: string): string => text.split('\n').map(cleanLine).join('\n');

function cleanLine(line: string): string {
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  return indent + piecesOf(line.slice(indent.length)).map(redact).join(' ');
}

/** Cut where words end, so that no key is halved into two that nobody knows. */
function piecesOf(line: string): readonly string[] {
  if (line.length <= PIECE_CHARS) return [line];
  const cut = line.lastIndexOf(' ', PIECE_CHARS);
  const at = cut > 0 ? cut : line.indexOf(' ', PIECE_CHARS);
  if (at < 0) return [line.slice(0, PIECE_CHARS)];
  return [line.slice(0, at), ...piecesOf(line.slice(at + 1))];
}

/** The same of every text in a value, however deep. */
export function cleanDeep<T>(value: T): T {
  if (typeof value === 'string') return cleanText(value) as T;
  if (Array.isArray(value)) return value.map(cleanDeep) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, cleanDeep(held)])) as T;
}
