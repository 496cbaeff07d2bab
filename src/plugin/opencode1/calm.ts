/**
 * OpenCode decides whether to ask again by a pattern over the message *and body* of an error, so that a limit of
 * "65000" reads as status 500. Source: observed on 1.18.33, soft-switch.md section 1.7.
 */
const RETRY_PATTERN =
  /429|500|502|503|504|524|529|rate.?limit|overloaded|unavailable|terminated|exhausted|time.?out|timed.?out|server.?error|internal.?error|too.?many.?requests|try.?again|at.?capacity|network.?error|fetch.?failed|connection|econn|socket|reset/gi;

/** U+2060: joins words and shows nothing. */
const WORD_JOINER = '\u2060';

/** The same visible text, in which none of OpenCode's retry patterns matches. */
export function calm(text: string): string {
  return text.replace(RETRY_PATTERN, (match) => match.charAt(0) + WORD_JOINER + match.slice(1));
}

/** An error body that OpenCode shows once instead of asking again: every string in it is calm. */
export function calmBody(body: string): string {
  try {
    return JSON.stringify(calmValue(JSON.parse(body)));
  } catch {
    return calm(body);
  }
}

function calmValue(value: unknown): unknown {
  if (typeof value === 'string') return calm(value);
  if (typeof value === 'number') return calm(String(value)) === String(value) ? value : calm(String(value));
  if (Array.isArray(value)) return value.map(calmValue);
  if (value && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, calmValue(item)]));
  }
  return value;
}
