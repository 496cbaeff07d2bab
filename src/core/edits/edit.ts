import type { Node } from 'jsonc-parser';
import { findNodeAtLocation } from 'jsonc-parser';
import type { KeyPath, Position } from '../config';
import { pathText } from '../config';
import { createLocator, openDocument, plainValue, properties } from '../config/document';

/** Line and column count from 1. */
export type Edited =
  | Readonly<{ ok: true; text: string }>
  | Readonly<{ ok: false; message: string; line: number | null; column: number | null }>;

export type Document = Readonly<{ text: string; root: Node; refuse(message: string, at?: Node | null): Edited }>;

const BOM = '\ufeff';

export type Change = (document: Document) => Edited | Readonly<{ text: string; expected: unknown }>;

/**
 * Edits JSON with comments. Rejects malformed text, duplicate keys, which are ambiguous, and an unexpected result.
 * Keeps a byte order mark. Never throws.
 */
export function editDocument(text: string, change: Change, maxValues = Number.POSITIVE_INFINITY): Edited {
  const mark = text.startsWith(BOM) ? BOM : '';
  const opened = open(text.slice(mark.length), maxValues);
  if (!('root' in opened)) return opened;
  const changed = change(opened);
  if ('ok' in changed) return changed.ok ? { ok: true, text: mark + changed.text } : changed;
  const after = open(changed.text);
  if ('root' in after && JSON.stringify(plainValue(after.root)) === JSON.stringify(changed.expected))
    return { ok: true, text: mark + changed.text };
  return opened.refuse('the change would affect other parts of the file');
}

function open(text: string, maxValues = Number.POSITIVE_INFINITY): Document | Extract<Edited, { ok: false }> {
  const locate = createLocator(text);
  const refuseAt = (message: string, position: Position | null) =>
    ({ ok: false, message, line: position?.line ?? null, column: position?.column ?? null }) as const;
  const opened = openDocument(text, maxValues);
  if (!opened.ok) return refuseAt(opened.message, locate(opened.offset));
  const twice = findDuplicate(opened.root, []);
  if (twice !== null) return refuseAt(`${pathText(twice.path)} is written twice`, locate(twice.node.offset));
  const refuse: Document['refuse'] = (message, at = null) => refuseAt(message, at && locate(at.offset));
  return { text, root: opened.root, refuse };
}

function findDuplicate(node: Node, path: KeyPath): { node: Node; path: KeyPath } | null {
  if (node.type === 'array')
    return firstOf((node.children ?? []).entries(), ([index, item]) => findDuplicate(item, [...path, index]));
  if (node.type !== 'object') return null;
  const seen = new Set<string>();
  return firstOf(properties(node), ({ key, value }) => {
    const here = [...path, String(key.value)];
    if (seen.has(String(key.value))) return { node: key, path: here };
    seen.add(String(key.value));
    return findDuplicate(value, here);
  });
}

function firstOf<Item, Found>(items: Iterable<Item>, find: (item: Item) => Found | null): Found | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}

export function nodeAt({ root }: Document, path: KeyPath): Node | null {
  return findNodeAtLocation(root, [...path]) ?? null;
}

/** Creates missing objects; copies keep their order. */
export function withValue(value: unknown, path: KeyPath, next: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return next;
  const entries = new Map<string, unknown>(Object.entries((value ?? {}) as object));
  entries.set(String(key), withValue(entries.get(String(key)), rest, next));
  return Object.fromEntries(entries);
}

export function withoutValue(value: unknown, [key, ...rest]: readonly string[]): unknown {
  const entries = Object.entries(value as object);
  if (rest.length === 0) return Object.fromEntries(entries.filter(([name]) => name !== key));
  return Object.fromEntries(entries.map(([name, held]) => [name, name === key ? withoutValue(held, rest) : held]));
}
