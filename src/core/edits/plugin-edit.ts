import { findNodeAtLocation, type Node, stripComments } from 'jsonc-parser';
import { parseJson } from '../../contract/parse-json';
import { plainValue } from '../config/document';
import { neighbourIn } from '../providers/neighbours';
import { type Change, type Document, type Edited, editDocument, nodeAt, withoutValue, withValue } from './edit';
import { append, rewriteItems } from './items';
import { without } from './text';

/** OpenCode 1 reads only the first list, OpenCode 2 both. */
const KEYS = ['plugin', 'plugins'] as const;
export type PluginKey = (typeof KEYS)[number];
const OURS = /(?:^|[\\/])opencode-understudy(?:\.js|\/)?(?:@[^/]*)?$/;
const PACKAGE = /^opencode-understudy(?:@[^/\\]+)?$/;
/** OpenCode 1 lists its terminal parts in a separate file. */
const TERMINAL = /(?:^|[\\/])opencode-understudy-tui\.js$/;

/** Whether this is our npm package, which OpenCode installs itself. */
export const isCompanionPackage = (address: string): boolean => PACKAGE.test(address);
const isCompanion = (address: string): boolean => OURS.test(address);
/** OpenCode's own command lists the package in that file too. */
const isTerminalPart = (address: string): boolean => TERMINAL.test(address) || isCompanionPackage(address);

/** Whether the file contains no more than install writes into a new one. */
export function isBlank(text: string): boolean {
  const json = parseJson(text);
  if (typeof json !== 'object' || json === null) return false;
  const isEmptyList = (key: string, value: unknown): boolean =>
    KEYS.some((list) => list === key) && Array.isArray(value) && value.length === 0;
  return Object.entries(json).every(([key, value]) => key === '$schema' || isEmptyList(key, value));
}

export type PluginFinding = Readonly<{
  addresses: readonly string[];
  companions: readonly string[];
  keys: readonly PluginKey[];
  /** They also resend a failed message; only one plugin may. */
  rivals: readonly string[];
  lists: readonly PluginKey[];
}>;

type Entry = Readonly<{ key: PluginKey; node: Node; address: string; index: number; hasOptions: boolean }>;

/** Rejects what could not be edited, and more than `maxValues` values. */
export function findPlugins(
  text: string,
  maxValues = Number.POSITIVE_INFINITY,
): Readonly<{ ok: true; finding: PluginFinding }> | Extract<Edited, { ok: false }> {
  let entries: readonly Entry[] = [];
  let lists: readonly PluginKey[] = [];
  const change: Change = (document) => {
    entries = entriesOf(document);
    lists = KEYS.filter((key) => nodeAt(document, [key]) !== null);
    return wrongList(document) ?? { ok: true, text: document.text };
  };
  const read = editDocument(text, change, maxValues);
  if (!read.ok) return read;
  const ours = entries.filter(({ address }) => isCompanion(address));
  const others = entries.map(({ address }) => address).filter((address) => !isCompanion(address));
  return {
    ok: true,
    finding: {
      addresses: entries.map(({ address }) => address),
      companions: ours.map(({ address }) => address),
      keys: ours.map(({ key }) => key),
      rivals: others.filter((address) => neighbourIn(address) !== null),
      lists,
    },
  };
}

/**
 * Keeps the user's options. The companion must not be in both lists, because OpenCode 2 then loads neither; an entry
 * in `plugins` moves to `plugin`, which both versions read.
 */
export function addCompanion(text: string, url: string, key: PluginKey = 'plugin'): Edited {
  if (key === 'plugin' && isUnder(text, 'plugins')) {
    const removed = removeCompanion(text, [url]);
    return removed.ok ? addCompanion(removed.text, url) : removed;
  }
  return added(text, url, { key, isOurs: isCompanion });
}

export const addTerminalPart = (text: string, url: string): Edited =>
  added(text, url, { key: 'plugin', isOurs: isTerminalPart });

/** In any form, because users wrote it by hand before there was a command. */
export const removeTerminalPart = (text: string): Edited =>
  editDocument(text, (document) =>
    removed(document, 'plugin', { urls: [], evenIfEdited: true, isOurs: isTerminalPart }),
  );

function added(
  text: string,
  url: string,
  { key, isOurs }: Readonly<{ key: PluginKey; isOurs: (address: string) => boolean }>,
): Edited {
  return editDocument(text, (document) => {
    const wrong = wrongList(document);
    if (wrong !== null) return wrong;
    const [ours, second] = entriesOf(document).filter(({ address }) => isOurs(address));
    if (second !== undefined) return document.refuse('the companion is listed twice: remove one first', second.node);
    const before = plainValue(document.root);
    const list = nodeAt(document, [ours?.key ?? key]);
    const listed = list === null ? [] : (plainValue(list) as unknown[]);
    if (ours === undefined) {
      const item = JSON.stringify(url);
      const text =
        list === null ? append(document.text, document.root, `"${key}": [${item}]`) : append(document.text, list, item);
      return { text, expected: withValue(before, [key], [...listed, url]) };
    }
    if (ours.address === url) return { ok: true, text: document.text };
    const { offset, length } = ours.node;
    return {
      text: document.text.slice(0, offset) + JSON.stringify(url) + document.text.slice(offset + length),
      expected: withValue(before, [ours.key], listed.with(ours.index, readdressed(listed[ours.index], url))),
    };
  });
}

/** Removes an emptied list too. Rejects an entry with options or a foreign address unless `evenIfEdited`. */
export function removeCompanion(text: string, urls: readonly string[], evenIfEdited = false): Edited {
  return KEYS.reduce<Edited>(
    (edited, key) =>
      edited.ok
        ? editDocument(edited.text, (document) => removed(document, key, { urls, evenIfEdited, isOurs: isCompanion }))
        : edited,
    { ok: true, text },
  );
}

type Removal = Readonly<{ urls: readonly string[]; evenIfEdited: boolean; isOurs: (address: string) => boolean }>;

function removed(document: Document, key: PluginKey, { urls, evenIfEdited, isOurs }: Removal): ReturnType<Change> {
  const wrong = wrongList(document);
  if (wrong !== null) return wrong;
  const list = nodeAt(document, [key]);
  const ours = entriesOf(document).filter((entry) => entry.key === key && isOurs(entry.address));
  if (list === null || ours.length === 0) return { ok: true, text: document.text };
  const isOwn = (address: string): boolean => urls.includes(address) || isCompanionPackage(address);
  const edited = ours.find(({ address, hasOptions }) => hasOptions || !isOwn(address));
  if (edited !== undefined && !evenIfEdited)
    return document.refuse('the entry of the companion is not as it was installed', edited.node);
  const gone = new Set(ours.map(({ index }) => index));
  const listed = plainValue(list) as unknown[];
  const remaining = [...listed.keys()].filter((index) => !gone.has(index));
  // Install may have created the list; a comment in or beside it is the user's.
  if (
    remaining.length === 0 &&
    !hasComment(document.text.slice(list.parent?.offset, lineEndAfter(document.text, list)))
  )
    return {
      text: without(document.text, document.root, [key]),
      expected: withoutValue(plainValue(document.root), [key]),
    };
  return {
    text: rewriteItems(document.text, list, remaining),
    expected: withValue(
      plainValue(document.root),
      [key],
      listed.filter((_, index) => !gone.has(index)),
    ),
  };
}

function lineEndAfter(text: string, { offset, length }: Node): number {
  const rest = text.slice(offset + length).search(/[\r\n]/);
  return rest < 0 ? text.length : offset + length + rest;
}

const hasComment = (json: string): boolean => stripComments(json) !== json;

function isUnder(text: string, key: PluginKey): boolean {
  const found = findPlugins(text);
  return found.ok && found.finding.keys.includes(key) && !found.finding.keys.some((other) => other !== key);
}

function wrongList(document: Document): Edited | null {
  for (const key of KEYS) {
    const list = nodeAt(document, [key]);
    if (list !== null && list.type !== 'array') return document.refuse(`${key} must be a list`, list);
  }
  return null;
}

function readdressed(entry: unknown, url: string): unknown {
  if (Array.isArray(entry)) return entry.with(0, url);
  return typeof entry === 'object' && entry !== null ? { ...entry, package: url } : url;
}

/** A plugin is an address, a list of address and options, or, in OpenCode 2, an object with `package`. */
function entriesOf(document: Document): Entry[] {
  return KEYS.flatMap((key) =>
    (nodeAt(document, [key])?.children ?? []).flatMap((element, index) => {
      const node = addressIn(element);
      if (node?.type !== 'string') return [];
      return [{ key, node, address: String(node.value), index, hasOptions: element.type !== 'string' }];
    }),
  );
}

function addressIn(element: Node): Node | undefined {
  if (element.type === 'array') return element.children?.[0];
  return element.type === 'object' ? findNodeAtLocation(element, ['package']) : element;
}
