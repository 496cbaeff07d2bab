/**
 * OpenCode retries by a pattern over message *and body*, so that "65000" reads as status 500. Wider than its own list,
 * which changes. Source: the retry patterns of 1.18.33.
 */
const RETRY_WORDS =
  /429|500|502|503|504|524|529|rate.?limit|rate.?increased|overloaded|unavailable|terminated|exhausted|time.?out|timed.?out|server.?error|internal.?error|provider.?returned|too.?many.?requests|try.?again|(?:try|retry).?your|at.?capacity|network.?error|fetch.?failed|failed.?to.?fetch|upstream.?connect|connection|econn|enotfound|eai.?again|getaddrinfo|socket|reset/;

/** Matches may overlap: "50429" is a 504 and a 429. */
const RETRY_STARTS = new RegExp(`(?=${RETRY_WORDS.source}).`, 'gis');

/** U+2060, invisible. */
const WORD_JOINER = '\u2060';

export function calm(text: string): string {
  return text.replace(RETRY_STARTS, (first) => first + WORD_JOINER);
}

/** OpenCode shows such an error without a retry. */
export function calmBody(body: string): string {
  try {
    return JSON.stringify(calmValue(JSON.parse(body)));
  } catch {
    // silent: a body that is no JSON, or is nested too deep to walk, is calmed as text
    return calm(body);
  }
}

function calmValue(value: unknown): unknown {
  if (typeof value === 'string') return calm(value);
  if (typeof value === 'number') return calm(String(value)) === String(value) ? value : calm(String(value));
  if (Array.isArray(value)) return value.map(calmValue);
  if (value && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [calm(key), calmValue(item)]));
  }
  return value;
}
