import type { Tree } from './foreign-reading';
import { readYaml } from './yaml-text';

/** Real front matter has a few lines, and YAML is slow to parse. */
const MAX_CHARS = 8_192;

export function readFrontMatter(text: string): Tree | null {
  const matter = /^\ufeff?---[ \t]*\r?\n([\s\S]*?\r?\n)---[ \t]*(?:\r?\n|$)/.exec(text);
  const [all = '', body = ''] = matter ?? [];
  if (matter === null) return { value: null, positionOf: () => null };
  if (body.length > MAX_CHARS) return null;
  const read = readYaml(body, '1.2');
  if (!read.ok) return null;
  const above = all.slice(0, all.indexOf(body)).split('\n').length - 1;
  return {
    value: read.tree.value,
    positionOf(path) {
      const position = read.tree.positionOf(path);
      return position && { ...position, line: position.line + above };
    },
  };
}
