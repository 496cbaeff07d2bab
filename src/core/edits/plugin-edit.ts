import type { Node } from 'jsonc-parser';
import { plainValue } from '../config/document';
import { neighbourIn } from '../neighbours';
import { type Change, type Document, type Edited, editDocument, nodeAt, withValue } from './edit';
import { append, rewriteItems } from './items';

/** The list in OpenCode's configuration whose elements OpenCode 1 loads. */
const KEY = 'plugin';
const OURS = /(?:^|[\\/])opencode-understudy(?:\.js)?(?:@[^/]*)?$/;

/** What a configuration of OpenCode says of plugins that matter to us. */
export type PluginFinding = Readonly<{
  /** Addresses under which the companion is listed, in order. */
  companions: readonly string[];
  /** Other plugins that would replay a failing message too: two must not. */
  rivals: readonly string[];
}>;

type Entry = Readonly<{ node: Node; address: string; index: number; hasOptions: boolean }>;

/** Reads what a configuration of OpenCode says of plugins; refused with the place where no edit would be made either. */
export function findPlugins(
  text: string,
): Readonly<{ ok: true; finding: PluginFinding; hasList: boolean }> | Extract<Edited, { ok: false }> {
  let addresses: readonly string[] = [];
  let hasList = false;
  const read = editDocument(text, (document) => {
    addresses = entriesOf(document).map(({ address }) => address);
    hasList = nodeAt(document, [KEY]) !== null;
    return wrongList(document) ?? { ok: true, text: document.text };
  });
  if (!read.ok) return read;
  const companions = addresses.filter((address) => OURS.test(address));
  const rivals = addresses.filter((address) => !OURS.test(address) && neighbourIn(address) !== null);
  return { ok: true, finding: { companions, rivals }, hasList };
}

/**
 * The text of `opencode.json` with the companion in its list of plugins: one element more, or the address of the one that
 * is there replaced, or nothing changed. Options a person gave it stay.
 */
export function addCompanion(text: string, url: string): Edited {
  return editDocument(text, (document) => {
    const wrong = wrongList(document);
    if (wrong !== null) return wrong;
    const list = nodeAt(document, [KEY]);
    const [ours, second] = entriesOf(document).filter(({ address }) => OURS.test(address));
    if (second !== undefined) return document.refuse('the companion is listed twice: take one out first', second.node);
    const before = plainValue(document.root);
    const listed = list === null ? [] : (plainValue(list) as unknown[]);
    if (ours === undefined) {
      const item = JSON.stringify(url);
      const text =
        list === null ? append(document.text, document.root, `"${KEY}": [${item}]`) : append(document.text, list, item);
      return { text, expected: withValue(before, [KEY], [...listed, url]) };
    }
    if (ours.address === url) return { ok: true, text: document.text };
    const { offset, length } = ours.node;
    const entry = listed[ours.index];
    const moved = listed.with(ours.index, Array.isArray(entry) ? entry.with(0, url) : url);
    return {
      text: document.text.slice(0, offset) + JSON.stringify(url) + document.text.slice(offset + length),
      expected: withValue(before, [KEY], moved),
    };
  });
}

/**
 * The text of `opencode.json` without the companion: its element and nothing else. An element a person has changed, by
 * another address or by options, is refused unless `evenIfEdited`.
 */
export function removeCompanion(text: string, url: string, evenIfEdited = false): Edited {
  const change: Change = (document) => {
    const wrong = wrongList(document);
    if (wrong !== null) return wrong;
    const list = nodeAt(document, [KEY]);
    const ours = entriesOf(document).filter(({ address }) => OURS.test(address));
    if (list === null || ours.length === 0) return { ok: true, text: document.text };
    const edited = ours.find(({ address, hasOptions }) => address !== url || hasOptions);
    if (edited !== undefined && !evenIfEdited)
      return document.refuse('the entry of the companion is not as it was installed', edited.node);
    const gone = new Set(ours.map(({ index }) => index));
    const listed = plainValue(list) as unknown[];
    return {
      text: rewriteItems(
        document.text,
        list,
        [...listed.keys()].filter((index) => !gone.has(index)),
      ),
      expected: withValue(
        plainValue(document.root),
        [KEY],
        listed.filter((_, index) => !gone.has(index)),
      ),
    };
  };
  return editDocument(text, change);
}

function wrongList(document: Document): Edited | null {
  const list = nodeAt(document, [KEY]);
  return list === null || list.type === 'array' ? null : document.refuse(`${KEY} must be a list`, list);
}

/** Each plugin is an address, or a list of an address and options. */
function entriesOf(document: Document): Entry[] {
  const list = nodeAt(document, [KEY]);
  return (list?.children ?? []).flatMap((element, index) => {
    const node = element.type === 'array' ? element.children?.[0] : element;
    if (node?.type !== 'string') return [];
    return [{ node, address: String(node.value), index, hasOptions: element.type === 'array' }];
  });
}
