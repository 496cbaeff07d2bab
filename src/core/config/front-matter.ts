import { Composer, LineCounter, Parser } from 'yaml';
import type { Tree } from './foreign-reading';

/** Names and lists do not repeat themselves: a front matter with more aliases is made to keep us busy. */
const MAX_ALIASES = 20;
/** An agent's is some lines; YAML takes long to read. */
const MAX_CHARS = 8_192;
/** Levels of what has been parsed and not yet composed, two to a list or a map. */
const MAX_DEPTH = 64;

/** Reads the YAML between the first two lines `---`; a text without any holds nothing, null is what cannot be read. */
export function readFrontMatter(text: string): Tree | null {
  const matter = /^\ufeff?---[ \t]*\r?\n([\s\S]*?\r?\n)---[ \t]*(?:\r?\n|$)/.exec(text);
  const [all = '', body = ''] = matter ?? [];
  if (matter === null) return { value: null, positionOf: () => null };
  if (body.length > MAX_CHARS) return null;
  try {
    const lines = new LineCounter();
    const tokens = [...new Parser(lines.addNewLine).parse(body)];
    // Composing recurses: a text made for it ends the stack, where V8 may end the whole process instead of throwing.
    if (isTooDeep(tokens)) return null;
    const [document, second] = new Composer({ logLevel: 'silent' }).compose(tokens, true, body.length);
    if (document === undefined || second !== undefined || document.errors.length > 0) return null;
    const above = all.slice(0, all.indexOf(body)).split('\n').length - 1;
    return {
      value: document.toJS({ maxAliasCount: MAX_ALIASES }),
      positionOf(path) {
        const node = document.getIn(path, true) as { range?: readonly number[] } | undefined;
        const start = node?.range?.[0];
        if (start === undefined) return null;
        const { line, col } = lines.linePos(start);
        return { line: line + above, column: col };
      },
    };
  } catch {
    return null;
  }
}

/** What one token of YAML may hold others in. */
type Holder = Readonly<{ key?: unknown; value?: unknown; items?: readonly unknown[] }>;

function isTooDeep(tokens: readonly unknown[]): boolean {
  const left = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { token, depth } = next;
    if (depth > MAX_DEPTH) return true;
    if (typeof token !== 'object' || token === null) continue;
    const { key, value, items = [] } = token as Holder;
    for (const inner of [key, value, ...items]) left.push({ token: inner, depth: depth + 1 });
  }
  return false;
}
