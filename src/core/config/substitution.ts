import { createScanner } from 'jsonc-parser';

/** What OpenCode puts other text in the place of: the worth of a variable, or the text of a file. */
const TOKEN = /\{(?:env|file):/g;
/** One that ends where it seems to end; a variable whose name is not plain may hold a quote. */
const PLAIN = /\{(?:env:\w+|file:[^{}]*)\}/y;

/** What jsonc-parser's scanner calls these; its names are gone when it is built. */
const COLON = 6;
const STRING = 10;
const LINE_COMMENT = 12;
const END = 17;
const IGNORED = new Set([12, 13, 14, 15]);

/**
 * Whether a file of OpenCode's may hold keys that its text does not show: OpenCode replaces `{env:…}` and `{file:…}` in the
 * text before it reads it, in keys and in comments as well. What lies wholly in a value or in a comment of one line stays there.
 * Source: `packages/opencode/src/config/variable.ts`.
 */
export function hidesKeys(text: string): boolean {
  const tokens = [...text.matchAll(TOKEN)].map(({ index }) => index);
  if (tokens.length === 0) return false;
  const scanner = createScanner(text, false);
  let next = 0;
  let isInString = false;
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    // What follows a string tells whether it is a key.
    if (kind === COLON && isInString) return true;
    if (!IGNORED.has(kind)) isInString = false;
    const end = scanner.getTokenOffset() + scanner.getTokenLength();
    for (; (tokens[next] ?? end) < end; next++) {
      PLAIN.lastIndex = tokens[next] ?? end;
      if (!PLAIN.test(text) || PLAIN.lastIndex > end) return true;
      if (kind !== STRING && kind !== LINE_COMMENT) return true;
      isInString ||= kind === STRING;
    }
  }
  return next < tokens.length;
}
