import { createScanner } from 'jsonc-parser';
import { SCANNED } from './document';

const TOKEN = /\{(?:env|file):/g;
/** A variable with an unusual name may contain a quote. */
const PLAIN = /\{(?:env:\w+|file:[^{}]*)\}/y;

/** Unset variables become empty, as in OpenCode. */
export const withVariables = (text: string, env: Readonly<Record<string, string | undefined>>): string =>
  text.replaceAll(/\{env:(\w+)\}/g, (_, name: string) => (Object.hasOwn(env, name) && env[name]) || '');

const BETWEEN = new Set<number>([SCANNED.lineComment, SCANNED.blockComment, SCANNED.lineBreak, SCANNED.blank]);

/**
 * OpenCode replaces placeholders before it parses the text, also in keys and comments; inside a value or a one-line
 * comment they are safe. Source: `packages/opencode/src/config/variable.ts`.
 */
export function hidesKeys(text: string): boolean {
  const tokens = [...text.matchAll(TOKEN)].map(({ index }) => index);
  if (tokens.length === 0) return false;
  const scanner = createScanner(text, false);
  let next = 0;
  let isStringReplaced = false;
  for (let kind: number = scanner.scan(); kind !== SCANNED.end; kind = scanner.scan()) {
    // The token after a string shows whether it is a key.
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
