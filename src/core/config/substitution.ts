import { createScanner } from 'jsonc-parser';
import { SCANNED } from './document';

/** What OpenCode puts other text in the place of: the worth of a variable, or the text of a file. */
const TOKEN = /\{(?:env|file):/g;
/** One that ends where it seems to end; a variable whose name is not plain may hold a quote. */
const PLAIN = /\{(?:env:\w+|file:[^{}]*)\}/y;

/** A text in which each `{env:NAME}` is what that variable holds; nothing, where it is not set. As in OpenCode's own file. */
export const withVariables = (text: string, env: Readonly<Record<string, string | undefined>>): string =>
  text.replaceAll(/\{env:(\w+)\}/g, (_, name: string) => (Object.hasOwn(env, name) && env[name]) || '');

const BETWEEN = new Set<number>([SCANNED.lineComment, SCANNED.blockComment, SCANNED.lineBreak, SCANNED.blank]);

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
  let isStringReplaced = false;
  for (let kind: number = scanner.scan(); kind !== SCANNED.end; kind = scanner.scan()) {
    // What follows a string tells whether it is a key.
    if (kind === SCANNED.colon && isStringReplaced) return true;
    if (!BETWEEN.has(kind)) isStringReplaced = false;
    const end = scanner.getTokenOffset() + scanner.getTokenLength();
    for (; (tokens[next] ?? end) < end; next++) {
      PLAIN.lastIndex = tokens[next] ?? end;
      if (!PLAIN.test(text) || PLAIN.lastIndex > end) return true;
      if (kind === SCANNED.string) isStringReplaced = true;
      else if (kind !== SCANNED.lineComment) return true;
    }
  }
  return next < tokens.length;
}
