import type { Node } from 'jsonc-parser';

/** An item from another list, with the comments after it on its line. */
export type CarriedItem = Readonly<{ body: string; behind: string }>;

/** Existing items by index, new ones as text or from another list. */
export type ItemPlan = readonly (number | string | CarriedItem)[];

export type Manner = Readonly<{ eol: string; unit: string }>;

/** An item with the comments above it and after it on its line. */
type Item = Readonly<{ lead: string; body: string; beforeComma: string; behind: string }>;
type Layout = Readonly<{ items: readonly Item[]; close: string; hasLastComma: boolean }>;
type Gaps = Readonly<{ first: string; next: string }>;

export function mannerOf(text: string): Manner {
  const eol = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
  const unit = /[\r\n]([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return { eol, unit };
}

/**
 * Text outside the brackets and whitespace of unmoved items stay. A comment moves with the item on its line or below
 * it; a comment on its own line outlives its item. @param shouldSpread puts the first item of an empty container on
 * its own line.
 */
export function rewriteItems(text: string, container: Node, plan: ItemPlan, shouldSpread = false): string {
  const layout = layoutOf(text, container);
  const inside =
    layout.items.length === 0
      ? fill(text, { container, close: layout.close, plan, shouldSpread })
      : render(layout, plan, { ...mannerOf(text), unit: outerOf(text, container) + mannerOf(text).unit });
  const end = container.offset + container.length;
  return text.slice(0, container.offset + 1) + inside + text.slice(end - 1);
}

export function append(text: string, container: Node, item: string): string {
  const all = [...(container.children ?? []).keys()];
  return rewriteItems(text, container, [...all, item], container.type === 'object');
}

export const carriedItems = (text: string, container: Node): readonly CarriedItem[] =>
  layoutOf(text, container).items.map(({ body, behind }) => ({ body, behind }));

function layoutOf(text: string, container: Node): Layout {
  const end = container.offset + container.length - 1;
  const items: Item[] = [];
  let at = container.offset + 1;
  let hasLastComma = false;
  for (const child of container.children ?? []) {
    const bodyEnd = child.offset + child.length;
    const comma = commaAfter(text, bodyEnd);
    const behindAt = comma === null ? bodyEnd : comma + 1;
    const behind = behindOnLine(text, behindAt);
    items.push({
      lead: text.slice(at, child.offset),
      body: text.slice(child.offset, bodyEnd),
      beforeComma: comma === null ? '' : text.slice(bodyEnd, comma),
      behind,
    });
    hasLastComma = comma !== null;
    at = behindAt + behind.length;
  }
  return { items, close: text.slice(at, end), hasLastComma };
}

// The document is valid, so only whitespace and comments are possible between items.
const APART = /(?:[ \t\r\n]|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
const BEHIND = /(?:[ \t]|\/\*(?:[^*\r\n]|\*(?!\/))*\*\/)*(?:\/\/[^\r\n]*)?(?=[\r\n])/y;

function matchAt(pattern: RegExp, text: string, offset: number): string {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0] ?? '';
}

function commaAfter(text: string, offset: number): number | null {
  const at = offset + matchAt(APART, text, offset).length;
  return text[at] === ',' ? at : null;
}

/** Comments up to the end of the line; empty if other text follows. */
function behindOnLine(text: string, offset: number): string {
  const behind = matchAt(BEHIND, text, offset);
  return hasComment(behind) ? behind : '';
}

function render({ items, close, hasLastComma }: Layout, plan: ItemPlan, manner: Manner): string {
  const gaps = gapsOf(items);
  const parts: string[] = [];
  let orphaned = '';
  let last: Item | null = null;
  const plannedItems = new Set(plan);
  for (const [position, entry] of plan.entries()) {
    const item = typeof entry === 'number' ? itemAt(items, entry) : newItem(entry);
    const isInPlace = typeof entry === 'number' && (position === 0 ? entry === 0 : plan[position - 1] === entry - 1);
    const own = isInPlace || hasComment(item.lead) ? item.lead : position === 0 ? gaps.first : gaps.next;
    if (typeof entry === 'number') orphaned += orphansBefore(items, entry, plannedItems);
    parts.push(afterComment(last?.behind ?? '', orphaned + own, manner, gaps.next), item.body, item.beforeComma);
    if (position < plan.length - 1 || hasLastComma) parts.push(',');
    parts.push(item.behind);
    orphaned = '';
    last = item;
  }
  const rest = orphansBefore(items, items.length, plannedItems);
  const hasEnd = rest !== '' || plan.length > 0 || !/^\s*$/.test(close);
  parts.push(afterComment(last?.behind ?? '', rest + (hasEnd ? close : ''), manner, gaps.next));
  return parts.join('');
}

function itemAt(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`There is no item ${index} among ${items.length}.`);
  return item;
}

function newItem(entry: string | CarriedItem): Item {
  const bare = { lead: '', body: '', beforeComma: '', behind: '' };
  return typeof entry === 'string' ? { ...bare, body: entry } : { ...bare, ...entry };
}
const hasComment = (lead: string): boolean => lead.trim() !== '';
const hasLineEnd = (blanks: string): boolean => /[\r\n]/.test(blanks);

/** A heading above removed items must not disappear with the first one. */
function orphansBefore(items: readonly Item[], index: number, plannedItems: ReadonlySet<ItemPlan[number]>): string {
  let comments = '';
  for (let at = index - 1; at >= 0 && !plannedItems.has(at); at -= 1) {
    const { lead } = itemAt(items, at);
    if (hasComment(lead)) comments = lead.trimEnd() + comments;
  }
  return comments;
}

function gapsOf(items: readonly Item[]): Gaps {
  const first = blankOf(items[0]?.lead ?? '') ?? '';
  const next = items.length > 1 ? blankOf(items.at(-1)?.lead ?? '') : null;
  return { first, next: next ?? (hasLineEnd(first) ? first : ' ') };
}

function blankOf(lead: string): string | null {
  return hasComment(lead) ? (/(?:\r\n|\r|\n)[ \t]*$/.exec(lead)?.[0] ?? null) : lead;
}

function afterComment(before: string, lead: string, { eol, unit }: Manner, gap: string): string {
  const isOpen = /(?:^|\s)\/\//.test(before) && !/^[ \t]*[\r\n]/.test(lead);
  if (!isOpen) return lead;
  return (hasLineEnd(gap) ? gap : eol + unit) + lead.trimStart();
}

const outerOf = (text: string, { offset }: Node): string =>
  /(?:^|[\r\n])([ \t]*)[^\r\n]*$/.exec(text.slice(0, offset))?.[1] ?? '';

type Empty = Readonly<{ container: Node; close: string; plan: ItemPlan; shouldSpread: boolean }>;

function fill(text: string, { container, close, plan, shouldSpread }: Empty): string {
  if (plan.length === 0) return close;
  const { eol, unit } = mannerOf(text);
  const outer = outerOf(text, container);
  const isSpread = hasLineEnd(close) || (shouldSpread && close === '');
  const inner = eol + outer + unit;
  const comments = close.trimEnd();
  const items = plan.map((entry) => (typeof entry === 'number' ? itemAt([], entry) : newItem(entry)));
  const hasLineComment = items.some(({ behind }) => /\/\//.test(behind));
  if (isSpread || hasLineComment) {
    const lines = items.map(({ body, behind }, at) => `${inner}${body}${at < items.length - 1 ? ',' : ''}${behind}`);
    return `${comments}${lines.join('')}${eol}${outer}`;
  }
  const listed = items.map(({ body, behind }) => body + behind).join(', ');
  if (comments !== '') return `${comments} ${listed} `;
  return container.type === 'array' ? listed : ` ${listed} `;
}
