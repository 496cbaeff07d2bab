import type { Node } from 'jsonc-parser';
import type { KeyPath } from '../config';
import { pathText } from '../config';
import { plainValue, type ValueChange } from '../config/document';
import { type Change, type Document, type Edited, editDocument, nodeAt, withoutValue, withValue } from './edit';
import { append, rewriteItems } from './items';
import { without } from './text';

/** In order; rejects all changes if one is impossible. */
export function setValues(text: string, changes: readonly ValueChange[]): Edited {
  return inTurn(text, changes, changeTo);
}

export function addItems(text: string, path: readonly string[], items: readonly unknown[]): Edited {
  return inTurn(text, items, (item) => addTo(path, item));
}

function inTurn<Step>(text: string, steps: readonly Step[], change: (step: Step) => Change): Edited {
  const start: Edited = { ok: true, text };
  return steps.reduce<Edited>((edited, step) => (edited.ok ? editDocument(edited.text, change(step)) : edited), start);
}

function changeTo({ path, value }: ValueChange): Change {
  return (document) => {
    const obstacle = obstacleOn(document, path);
    if (obstacle !== null) return obstacle;
    const node = nodeAt(document, path);
    const before = plainValue(document.root);
    if (value === undefined) {
      if (node === null) return { ok: true, text: document.text };
      return {
        text: without(document.text, nodeAt(document, path.slice(0, -1)) ?? document.root, path.slice(-1)),
        expected: withoutValue(before, path),
      };
    }
    const expected = withValue(before, path, value);
    if (node === null) return { text: withProperty(document, path, value), expected };
    return { text: replaced(document.text, node, value), expected };
  };
}

function addTo(path: readonly string[], item: unknown): Change {
  return (document) => {
    const node = nodeAt(document, path);
    if (node === null) return changeTo({ path, value: [item] })(document);
    if (node.type !== 'array') return document.refuse(`${pathText(path)} must be a list`, node);
    const list = [...(plainValue(node) as readonly unknown[]), item];
    const expected = withValue(plainValue(document.root), path, list);
    return { text: append(document.text, node, written(item)), expected };
  };
}

function obstacleOn(document: Document, path: KeyPath): Edited | null {
  for (let length = 1; length < path.length; length += 1) {
    const node = nodeAt(document, path.slice(0, length));
    if (node !== null && node.type !== 'object')
      return document.refuse(`${pathText(path.slice(0, length))} must be an object`, node);
  }
  return null;
}

/** A list keeps its existing items with their comments. */
function replaced(text: string, node: Node, value: unknown): string {
  if (node.type === 'array' && Array.isArray(value) && new Set(value).size === value.length) {
    const old = (node.children ?? []).map(({ value: item }) => item as unknown);
    return rewriteItems(
      text,
      node,
      value.map((item) => (old.includes(item) ? old.indexOf(item) : written(item))),
    );
  }
  return text.slice(0, node.offset) + written(value) + text.slice(node.offset + node.length);
}

function withProperty(document: Document, path: readonly string[], value: unknown): string {
  const depth = path.findIndex((_, index) => nodeAt(document, path.slice(0, index + 1)) === null);
  const parent = nodeAt(document, path.slice(0, depth)) ?? document.root;
  const [key = '', ...rest] = path.slice(depth);
  const inner = rest.reduceRight<unknown>((held, name) => Object.fromEntries([[name, held]]), value);
  return append(document.text, parent, `${JSON.stringify(key)}: ${written(inner)}`);
}

function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, held]) => `${JSON.stringify(key)}: ${written(held)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
