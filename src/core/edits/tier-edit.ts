import type { Node } from 'jsonc-parser';
import type { KeyPath } from '../config';
import { pathText } from '../config';
import { plainValue, properties } from '../config/document';
import { listsOf, wrongKind } from './chain-lists';
import { type Change, type Document, type Edited, nodeAt, withoutValue, withValue } from './edit';
import { append, type CarriedItem, carriedItems, type ItemPlan, rewriteItems } from './items';
import { documentOf, nodeIn, there, withAgent, without } from './text';

/** `from` is the index in the file, null for a new tier. */
export type WantedTier = Readonly<{ from: number | null; name: string | null; models: readonly string[] }>;

export type WantedLists = Readonly<{ models: readonly string[]; tiers: readonly WantedTier[] }>;

/** Models move with the comments after them; other properties of a tier stay. */
export function changeTiers(agent: string, wanted: WantedLists): Change {
  return (document) => {
    const wrong = wrongKind(document, agent) ?? wrongTier(document, agent, wanted);
    if (wrong !== null) return wrong;
    const expected = withValue(plainValue(document.root), ['agents', agent], entryOf(document, agent, wanted));
    const steps = [withEntry, withLists, withNames, withOrder, withSingles];
    return { text: steps.reduce((text, step) => step(text, agent, wanted), document.text), expected };
  };
}

type Step = (text: string, agent: string, wanted: WantedLists) => string;

const entryPath = (agent: string, ...rest: KeyPath): KeyPath => ['agents', agent, ...rest];
const modelsText = (models: readonly string[]): string => `[${models.map((one) => JSON.stringify(one)).join(', ')}]`;

function wrongTier(document: Document, agent: string, { tiers }: WantedLists): Edited | null {
  const node = nodeAt(document, entryPath(agent, 'tiers'));
  const written = node?.children ?? [];
  for (const [index, tier] of written.entries())
    if (tier.type !== 'object' || nodeAt(document, entryPath(agent, 'tiers', index, 'models')) === null)
      return document.refuse(`${pathText(entryPath(agent, 'tiers', index))} must be an object with models`, tier);
  const sources = tiers.flatMap(({ from }) => (from === null ? [] : [from]));
  const isThere = sources.every((from, at) => from < written.length && sources.indexOf(from) === at);
  return isThere ? null : document.refuse(`the tiers of ${agent} have changed`, node);
}

type Entry = Readonly<Record<string, unknown> & { tiers?: readonly Readonly<Record<string, unknown>>[] }>;

function entryOf(document: Document, agent: string, { models, tiers }: WantedLists): unknown {
  const node = nodeAt(document, entryPath(agent));
  const old = (node === null ? {} : plainValue(node)) as Entry;
  const tierOf = ({ from, name, models }: WantedTier): unknown => {
    const was = (from === null ? undefined : old.tiers?.[from]) ?? {};
    if (name === null) return { ...(withoutValue(was, ['name']) as object), models };
    return Object.hasOwn(was, 'name') ? { ...was, name, models } : { name, ...was, models };
  };
  const isTiered = tiers.length > 0;
  const tiered = isTiered ? withValue(old, ['tiers'], tiers.map(tierOf)) : withoutValue(old, ['tiers']);
  const keepsSingle = models.length > 0 || !isTiered || hasComments(document, agent);
  return keepsSingle ? withValue(tiered, ['fallbackModels'], models) : withoutValue(tiered, ['fallbackModels']);
}

function hasComments(document: Document, agent: string): boolean {
  const node = nodeAt(document, entryPath(agent, 'fallbackModels'));
  if (node === null) return false;
  const empty = rewriteItems(document.text, node, []);
  const end = node.length - (document.text.length - empty.length);
  return empty.slice(node.offset + 1, node.offset + end - 1).trim() !== '';
}

const withEntry: Step = (text, agent) =>
  nodeIn(text, entryPath(agent)) === null ? withAgent(text, agent, '{}') : text;

/** Edits from last to first, because an edit moves the text after it. */
const withLists: Step = (text, agent, { models, tiers }) => {
  const lists = listsOf(documentOf(text), agent);
  const carried = new Map<string, CarriedItem>();
  for (const { node } of lists)
    for (const [index, item] of carriedItems(text, node).entries())
      carried.set(String(node.children?.[index]?.value), item);
  return lists
    .toSorted((one, other) => other.node.offset - one.node.offset)
    .reduce((edited, { path, node }) => {
      const at = path[3];
      const tier = at === undefined ? { models } : tiers.find(({ from }) => from === at);
      return tier === undefined ? edited : rewriteItems(edited, node, planOf(node, tier.models, carried));
    }, text);
};

function planOf(node: Node, models: readonly string[], carried: ReadonlyMap<string, CarriedItem>): ItemPlan {
  const old = (node.children ?? []).map(({ value }) => value as string);
  return models.map((model) =>
    old.includes(model) ? old.indexOf(model) : (carried.get(model) ?? JSON.stringify(model)),
  );
}

const withNames: Step = (text, agent, { tiers }) =>
  tiers.reduce((edited, { from, name }) => {
    if (from === null) return edited;
    const tier = there(edited, entryPath(agent, 'tiers', from));
    const all = properties(tier);
    const at = all.findIndex(({ key }) => key.value === 'name');
    const value = all[at]?.value;
    if (name === null) return value === undefined ? edited : without(edited, tier, ['name']);
    if (value === undefined) return rewriteItems(edited, tier, [`"name": ${JSON.stringify(name)}`, ...all.keys()]);
    if (value.value === name) return edited;
    return edited.slice(0, value.offset) + JSON.stringify(name) + edited.slice(value.offset + value.length);
  }, text);

const withOrder: Step = (text, agent, { tiers }) => {
  const node = nodeIn(text, entryPath(agent, 'tiers'));
  const entry = there(text, entryPath(agent));
  if (tiers.length === 0) return node === null ? text : without(text, entry, ['tiers']);
  const started = node === null ? append(text, entry, '"tiers": []') : text;
  const plan = tiers.map(({ from, ...tier }) => from ?? tierText(tier));
  return rewriteItems(started, there(started, entryPath(agent, 'tiers')), plan, node === null);
};

const tierText = ({ name, models }: Omit<WantedTier, 'from'>): string =>
  `{ ${name === null ? '' : `"name": ${JSON.stringify(name)}, `}"models": ${modelsText(models)} }`;

const withSingles: Step = (text, agent, { models, tiers }) => {
  const node = nodeIn(text, entryPath(agent, 'fallbackModels'));
  const entry = there(text, entryPath(agent));
  if (node !== null) {
    const isEmpty = text.slice(node.offset + 1, node.offset + node.length - 1).trim() === '';
    return isEmpty && tiers.length > 0 ? without(text, entry, ['fallbackModels']) : text;
  }
  if (models.length === 0 && tiers.length > 0) return text;
  return append(text, entry, `"fallbackModels": ${modelsText(models)}`);
};
