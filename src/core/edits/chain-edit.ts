import type { Node } from 'jsonc-parser';
import { writtenModel } from '../../contract/written-model';
import type { KeyPath } from '../config';
import { ConfigFile } from '../config';
import { plainValue, properties } from '../config/document';
import { asWritten, type List, listsOf, wrongKind } from './chain-lists';
import { type Change, type Document, type Edited, editDocument, nodeAt, withoutValue, withValue } from './edit';
import { append, type ItemPlan, rewriteItems } from './items';
import { there, withAgent, without } from './text';
import { changeTiers, type WantedLists } from './tier-edit';

const refusal = (message: string): Edited => ({ ok: false, message, line: null, column: null });

/**
 * An empty chain disables fallback. Without `tiers`, models may only be reordered within each list: users decide which
 * tier a new model belongs to. A model without a variant keeps the file's unless `isExact`.
 */
export function setChain(
  text: string,
  agent: string,
  models: readonly string[],
  { tiers = null, isExact = false }: ChainForm = {},
): Edited {
  const names = (tiers ?? []).flatMap(({ name }) => (name === null ? [] : [{ name, models: [] }]));
  const checked = ConfigFile.safeParse({ agents: { [agent]: { fallbackModels: models, tiers: names } } });
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const at = issue?.path.at(-1);
    const subject = at === 'name' ? 'a tier' : typeof at === 'number' ? models[at] : agent;
    return refusal(`${JSON.stringify(subject)} ${issue?.message ?? 'cannot be written'}`);
  }
  const plain = models.map((written) => writtenModel(written).model);
  const twice = plain.find((model, index) => plain.indexOf(model) !== index);
  if (twice !== undefined) return refusal(`${twice} is in the chain twice`);
  const writtenIn = (document: Document) => (isExact ? models : asWritten(document, agent, models));
  const varied = editDocument(
    text,
    (document) => wrongKind(document, agent) ?? withVariants(document, agent, writtenIn(document)),
  );
  if (!varied.ok) return varied;
  return editDocument(varied.text, (document) => {
    const written = writtenIn(document);
    const change = tiers === null ? changeTo(agent, written) : changeTiers(agent, listed(written, tiers));
    return change(document);
  });
}

function withVariants(document: Document, agent: string, models: readonly string[]): ReturnType<Change> {
  const wanted = new Map(models.map((model) => [writtenModel(model).model, model]));
  let { text } = document;
  let expected = plainValue(document.root);
  const items = listsOf(document, agent).flatMap(({ path, node }) =>
    (node.children ?? []).map((item, at) => ({ ...item, path: [...path, at] })),
  );
  for (const { path, offset, length, value } of items.toSorted((one, other) => other.offset - one.offset)) {
    const model = wanted.get(writtenModel(value).model);
    if (model === undefined || models.includes(value)) continue;
    text = text.slice(0, offset) + JSON.stringify(model) + text.slice(offset + length);
    expected = replaced(expected, path, model);
  }
  return { text, expected };
}

export type ChainForm = Readonly<{
  tiers?: readonly TierSize[] | null;
  /** Removes the file's variant of a model that is given without one. */
  isExact?: boolean;
}>;

/** `from` is the index in the file, null for a new tier. */
export type TierSize = Readonly<{ from: number | null; name: string | null; size: number }>;

function listed(models: readonly string[], tiers: readonly TierSize[]): WantedLists {
  let at = models.length - tiers.reduce((sum, { size }) => sum + size, 0);
  const single = models.slice(0, Math.max(0, at));
  return {
    models: single,
    tiers: tiers.map(({ from, name, size }) => {
      at += size;
      return { from, name, models: models.slice(Math.max(0, at - size), Math.max(0, at)) };
    }),
  };
}

/** The default chain then applies, if any. Keeps the agent's other settings. */
export function removeChain(text: string, agent: string): Edited {
  return editDocument(text, (document) => {
    const entry = nodeAt(document, ['agents', agent]);
    const all = entry?.type === 'object' ? properties(entry) : [];
    const others = all.filter(({ key }) => !CHAIN_KEYS.includes(String(key.value)));
    if (entry === null || others.length === all.length) return document.refuse(`${agent} has no chain in this file`);
    const value = plainValue(document.root);
    const own = ['agents', agent];
    if (others.length === 0)
      return {
        text: without(document.text, there(document.text, ['agents']), [agent]),
        expected: withoutValue(value, own),
      };
    const expected = CHAIN_KEYS.reduce((held, key) => withoutValue(held, [...own, key]), value);
    return { text: without(document.text, entry, CHAIN_KEYS), expected };
  });
}

const CHAIN_KEYS: readonly string[] = ['fallbackModels', 'tiers'];

function changeTo(agent: string, models: readonly string[]): Change {
  return (document) => {
    const lists = listsOf(document, agent);
    if (lists.length === 0) return addChain(document, agent, models);
    const [only] = lists;
    if (lists.length === 1 && only !== undefined) return rewriteLists(document, [{ ...only, models }]);
    return reorderTiers(document, { agent, lists, models });
  };
}

function reorderTiers(
  document: Document,
  { agent, lists, models }: Readonly<{ agent: string; lists: readonly List[]; models: readonly string[] }>,
): ReturnType<Change> {
  let at = 0;
  const parts = lists.map((list) => {
    const length = list.node.children?.length ?? 0;
    at += length;
    return { ...list, models: models.slice(at - length, at) };
  });
  const isSame = ({ node, models: wanted }: (typeof parts)[number]): boolean =>
    node.children?.every(({ value }) => wanted.includes(value as string)) ?? false;
  if (at === models.length && parts.every(isSame)) return rewriteLists(document, parts);
  return document.refuse(
    `the chain of ${agent} is written in tiers: models can only be reordered within a tier; edit the file for any other change`,
    lists[0]?.node ?? null,
  );
}

/** Edits from last to first, because an edit moves only the text after it. */
function rewriteLists(
  document: Document,
  lists: readonly (List & Readonly<{ models: readonly string[] }>)[],
): ReturnType<Change> {
  let { text } = document;
  let expected = plainValue(document.root);
  for (const { path, node, models } of lists.toSorted((one, other) => other.node.offset - one.node.offset)) {
    text = rewriteItems(text, node, planOf(node, models));
    expected = replaced(expected, path, models);
  }
  return { text, expected };
}

function planOf(node: Node, models: readonly string[]): ItemPlan {
  const old = (node.children ?? []).map(({ value }) => value as string);
  return models.map((model) => (old.includes(model) ? old.indexOf(model) : JSON.stringify(model)));
}

function replaced(value: unknown, [key, ...rest]: KeyPath, next: unknown): unknown {
  if (key === undefined) return next;
  if (Array.isArray(value)) return value.with(Number(key), replaced(value[Number(key)], rest, next));
  return withValue(value, [key], replaced((value as Record<string, unknown>)[String(key)], rest, next));
}

function addChain(document: Document, agent: string, models: readonly string[]): ReturnType<Change> {
  const list = `"fallbackModels": [${models.map((model) => JSON.stringify(model)).join(', ')}]`;
  const expected = withValue(plainValue(document.root), ['agents', agent, 'fallbackModels'], models);
  const entry = nodeAt(document, ['agents', agent]);
  const text = entry === null ? withAgent(document.text, agent, `{ ${list} }`) : append(document.text, entry, list);
  return { text, expected };
}
