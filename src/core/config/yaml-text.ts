import { Composer, LineCounter, Parser } from 'yaml';
import type { Tree } from './foreign-reading';
import type { Position } from './problem';

/** More aliases are an attack on our time. */
const MAX_ALIASES = 20;
/** Of parsed tokens, two for a list or a map. */
const MAX_DEPTH = 64;

export type YamlRead =
  | Readonly<{ ok: true; tree: Tree }>
  | Readonly<{ ok: false; reason: string; at: Position | null }>;

/**
 * Null for an empty document. Never throws. @param text of a checked size: YAML is slow to parse. @param version 1.1,
 * as in Python, has `yes` and `no` as booleans, and `<<` merges.
 */
export function readYaml(text: string, version: '1.1' | '1.2'): YamlRead {
  const lines = new LineCounter();
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  try {
    const tokens = [...new Parser(lines.addNewLine).parse(text)];
    // Composing recurses: a crafted text exhausts the stack, and V8 may end the process.
    if (isTooDeep(tokens)) return refused('it is nested too deep');
    const [document, second] = new Composer({ logLevel: 'silent', version }).compose(tokens, true, text.length);
    if (document === undefined) return refused('it cannot be read as YAML');
    if (second !== undefined) return refused('it holds more than one document');
    const [fault] = document.errors;
    if (fault !== undefined) return refused(`this is not YAML: ${firstLine(fault.message)}`, positionAt(fault.pos[0]));
    return {
      ok: true,
      tree: {
        value: document.toJS({ maxAliasCount: MAX_ALIASES }),
        positionOf(path) {
          const node = document.getIn(path, true) as { range?: readonly number[] } | undefined;
          const start = node?.range?.[0];
          return start === undefined ? null : positionAt(start);
        },
      },
    };
  } catch (error) {
    return refused(whyNot(error));
  }
}

const refused = (reason: string, at: Position | null = null): YamlRead => ({ ok: false, reason, at });

function whyNot(error: unknown): string {
  if (!(error instanceof ReferenceError)) return 'it cannot be read as YAML';
  return /alias count/i.test(error.message)
    ? 'it repeats parts of itself too often'
    : 'an alias has no anchor above it';
}

const firstLine = (message: string): string => (message.split('\n')[0] ?? '').replace(/[.:]$/, '');

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
