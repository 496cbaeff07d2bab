import { LineCounter, parseDocument } from 'yaml';
import type { Tree } from './foreign';

/** Names and lists do not repeat themselves: a front matter with more aliases is made to keep us busy. */
const MAX_ALIASES = 20;
/** An agent's is some lines; YAML takes long to read. */
const MAX_CHARS = 16_384;

/** Reads the YAML between the first two lines `---`; a text without any holds nothing, null is what cannot be read. */
export function readFrontMatter(text: string): Tree | null {
  const matter = /^\ufeff?---[ \t]*\r?\n([\s\S]*?\r?\n)---[ \t]*(?:\r?\n|$)/.exec(text);
  const [all = '', body = ''] = matter ?? [];
  if (matter === null) return { value: null, positionOf: () => null };
  if (body.length > MAX_CHARS) return null;
  try {
    const lines = new LineCounter();
    const document = parseDocument(body, { lineCounter: lines, logLevel: 'silent' });
    if (document.errors.length > 0) return null;
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
