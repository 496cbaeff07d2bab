import { type Node, parseTree } from 'jsonc-parser';
import type { KeyPath } from '../config';
import { pathText } from '../config';
import { properties } from '../config/document';
import { type Document, nodeAt } from './edit';
import { append, rewriteItems } from './items';

export const documentOf = (text: string): Document => ({
  text,
  root: rootOf(text),
  refuse: (message) => ({ ok: false, message, line: null, column: null }),
});

function rootOf(text: string): Node {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) throw new TypeError('The written text is invalid.');
  return root;
}

export const nodeIn = (text: string, path: KeyPath): Node | null => nodeAt(documentOf(text), path);

export function there(text: string, path: KeyPath): Node {
  const node = nodeIn(text, path);
  if (node === null) throw new TypeError(`${pathText(path)} should be there by now.`);
  return node;
}

export function withAgent(text: string, agent: string, entry: string): string {
  const started = nodeIn(text, ['agents']) === null ? append(text, documentOf(text).root, '"agents": {}') : text;
  return append(started, there(started, ['agents']), `${JSON.stringify(agent)}: ${entry}`);
}

export function without(text: string, object: Node, names: readonly string[]): string {
  const others = properties(object).flatMap(({ key }, index) => (names.includes(String(key.value)) ? [] : [index]));
  return rewriteItems(text, object, others);
}
