import type { Node } from 'jsonc-parser';
import { parseTree } from 'jsonc-parser';
import type { KeyPath } from '../config';
import { ConfigFile, pathText } from '../config';
import { plainValue } from '../config/document';
import { type Change, type Document, type Edited, editDocument, nodeAt, withValue } from './edit';
import { append, type ItemPlan, rewriteItems } from './items';

const refusal = (message: string): Edited => ({ ok: false, message, line: null, column: null });

/**
 * The text of `model-fallback.json` with another chain for one agent; an empty chain means "no fallback". A chain written
 * in several lists (tiers) can be put in another order within each of them, and is refused otherwise: which tier a new
 * model belongs to is for people to say.
 */
export function setChain(text: string, agent: string, models: readonly string[]): Edited {
  const checked = ConfigFile.safeParse({ agents: { [agent]: { fallbackModels: models } } });
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const at = issue?.path.at(-1);
    const subject = typeof at === 'number' ? models[at] : agent;
    return refusal(`${JSON.stringify(subject)} ${issue?.message ?? 'cannot be written'}`);
  }
  const twice = models.find((model, index) => models.indexOf(model) !== index);
  if (twice !== undefined) return refusal(`${twice} is in the chain twice`);
  return editDocument(text, changeTo(agent, models));
}

function changeTo(agent: string, models: readonly string[]): Change {
  return (document) => {
    const wrong = wrongKind(document, agent);
    if (wrong !== null) return wrong;
    const lists = listsOf(document, agent);
    if (lists.length === 0) return addChain(document, agent, models);
    const [only] = lists;
    if (lists.length === 1 && only !== undefined) return rewriteLists(document, [{ ...only, models }]);
    return reorderTiers(document, { agent, lists, models });
  };
}

type List = Readonly<{ path: KeyPath; node: Node }>;

/** What stands in the way of an edit: a value that is not what it should be. */
function wrongKind(document: Document, agent: string): Edited | null {
  const shouldBe: readonly (readonly [KeyPath, Node['type']])[] = [
    [['agents'], 'object'],
    [['agents', agent], 'object'],
    [['agents', agent, 'fallbackModels'], 'array'],
    [['agents', agent, 'tiers'], 'array'],
  ];
  for (const [path, type] of shouldBe) {
    const node = nodeAt(document, path);
    if (node !== null && node.type !== type)
      return document.refuse(`${pathText(path)} must be ${type === 'array' ? 'a list' : 'an object'}`, node);
  }
  for (const { path, node } of listsOf(document, agent)) {
    if (node.type !== 'array') return document.refuse(`${pathText(path)} must be a list`, node);
    const strange = node.children?.find(({ type }) => type !== 'string');
    if (strange !== undefined) return document.refuse(`${pathText(path)} must hold models only`, strange);
  }
  return null;
}

function listsOf(document: Document, agent: string): List[] {
  const paths: KeyPath[] = [['agents', agent, 'fallbackModels']];
  const tiers = nodeAt(document, ['agents', agent, 'tiers'])?.children ?? [];
  for (const index of tiers.keys()) paths.push(['agents', agent, 'tiers', index, 'models']);
  return paths.flatMap((path) => {
    const node = nodeAt(document, path);
    return node === null ? [] : [{ path, node }];
  });
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
    `the chain of ${agent} is written in tiers: models can change places within a tier; anything else is for you to write`,
    lists[0]?.node ?? null,
  );
}

/** From the last list to the first: an edit moves only what stands behind it. */
function rewriteLists(
  document: Document,
  lists: readonly (List & Readonly<{ models: readonly string[] }>)[],
): ReturnType<Change> {
  let { text } = document;
  let expected = plainValue(document.root);
  for (const { path, node, models } of lists.toReversed()) {
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

/** Adds the chain, and the entries it stands in where they are missing. */
function addChain(document: Document, agent: string, models: readonly string[]): ReturnType<Change> {
  const list = `"fallbackModels": [${models.map((model) => JSON.stringify(model)).join(', ')}]`;
  const expected = withValue(plainValue(document.root), ['agents', agent, 'fallbackModels'], models);
  const entry = nodeAt(document, ['agents', agent]);
  if (entry !== null) return { text: append(document.text, entry, list), expected };
  const withAgents =
    nodeAt(document, ['agents']) === null ? append(document.text, document.root, '"agents": {}') : null;
  const text = withAgents ?? document.text;
  const agents = withAgents === null ? nodeAt(document, ['agents']) : agentsIn(withAgents);
  if (agents === null) throw new TypeError('The entry that has just been added is not there.');
  return { text: append(text, agents, `${JSON.stringify(agent)}: { ${list} }`), expected };
}

function agentsIn(text: string): Node | null {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root === undefined ? null : nodeAt({ text, root, refuse: refusal }, ['agents']);
}
