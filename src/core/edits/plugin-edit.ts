import { findNodeAtLocation, type Node, stripComments } from 'jsonc-parser';
import { parseJson } from '../../contract/parse-json';
import { plainValue } from '../config/document';
import { neighbourIn } from '../providers/neighbours';
import { type Change, type Document, type Edited, editDocument, nodeAt, withoutValue, withValue } from './edit';
import { append, rewriteItems } from './items';
import { without } from './text';

/** The lists of plugins in OpenCode's configuration: OpenCode 1 reads the first alone, OpenCode 2 reads both. */
const KEYS = ['plugin', 'plugins'] as const;
/** One of the two lists. */
export type PluginKey = (typeof KEYS)[number];
const OURS = /(?:^|[\\/])opencode-understudy(?:\.js|\/)?(?:@[^/]*)?$/;
/** The address that OpenCode's own command writes. */
const PACKAGE = /^opencode-understudy(?:@[^/\\]+)?$/;
/** The file of the part in OpenCode 1's terminal interface, which it lists in a file of its own. */
const TERMINAL = /(?:^|[\\/])opencode-understudy-tui\.js$/;

/** True for the name of our npm package, with or without a version; OpenCode installs it by itself. */
export const isCompanionPackage = (address: string): boolean => PACKAGE.test(address);
const isCompanion = (address: string): boolean => OURS.test(address);
/** OpenCode's own command lists the package beside that file. */
const isTerminalPart = (address: string): boolean => TERMINAL.test(address) || isCompanionPackage(address);

/** True for a configuration that says no more than what install puts in a new file: OpenCode does the same without it. */
export function isBlank(text: string): boolean {
  const json = parseJson(text);
  if (typeof json !== 'object' || json === null) return false;
  const isEmptyList = (key: string, value: unknown): boolean =>
    KEYS.some((list) => list === key) && Array.isArray(value) && value.length === 0;
  return Object.entries(json).every(([key, value]) => key === '$schema' || isEmptyList(key, value));
}

/** What a configuration of OpenCode says of plugins that matter to us. */
export type PluginFinding = Readonly<{
  /** Every address, in order. */
  addresses: readonly string[];
  /** Addresses under which the companion is listed, in order. */
  companions: readonly string[];
  /** Which list holds each of them. */
  keys: readonly PluginKey[];
  /** Other plugins that would replay a failing message too: two must not. */
  rivals: readonly string[];
  lists: readonly PluginKey[];
}>;

type Entry = Readonly<{ key: PluginKey; node: Node; address: string; index: number; hasOptions: boolean }>;

/**
 * Reads what a configuration of OpenCode says of plugins; refused with the place where no edit would be made either, and
 * where it holds more than so many values.
 */
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
 * The text of `opencode.json` with the companion in a list of plugins: one element more, or the address of the one that
 * is there replaced, or nothing changed. Options a person gave it stay. It never stands in both lists: OpenCode 2 loads
 * neither then. One that stands under `plugins` moves when `key` is `plugin`; under `plugin` both generations read it.
 */
export function addCompanion(text: string, url: string, key: PluginKey = 'plugin'): Edited {
  if (key === 'plugin' && isUnder(text, 'plugins')) {
    const removed = removeCompanion(text, [url]);
    return removed.ok ? addCompanion(removed.text, url) : removed;
  }
  return added(text, url, { key, isOurs: isCompanion });
}

/** The text of OpenCode 1's `tui.json` with the part in the terminal interface, in the same way. */
export const addTerminalPart = (text: string, url: string): Edited =>
  added(text, url, { key: 'plugin', isOurs: isTerminalPart });

/** The text of `tui.json` without it, however its element was written: before there was a command, people wrote it by hand. */
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
    if (second !== undefined) return document.refuse('the companion is listed twice: take one out first', second.node);
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

/**
 * The text of `opencode.json` without the companion: its element in either list, and a list that has nothing else. An element a person
 * has changed, by an address that is neither one of `urls` nor our package, or by options, is refused unless `evenIfEdited`.
 */
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
  const kept = [...listed.keys()].filter((index) => !gone.has(index));
  // Installing may have made the list. A comment in it or beside it is the user's.
  if (kept.length === 0 && !hasComment(document.text.slice(list.parent?.offset, lineEndAfter(document.text, list))))
    return {
      text: without(document.text, document.root, [key]),
      expected: withoutValue(plainValue(document.root), [key]),
    };
  return {
    text: rewriteItems(document.text, list, kept),
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

/** The entry with another address, in the form it has. */
function readdressed(entry: unknown, url: string): unknown {
  if (Array.isArray(entry)) return entry.with(0, url);
  return typeof entry === 'object' && entry !== null ? { ...entry, package: url } : url;
}

/** Each plugin is an address, a list of an address and options, or, in OpenCode 2, an object with its `package`. */
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
