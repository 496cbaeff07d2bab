import { visible } from '../../../../engine/tools';

/**
 * Text of strangers inside Markdown: it stays text wherever the file is shown. Backslashes and entities stop what Markdown itself would read;
 * addresses, which many programs turn into links however they are escaped, are shown as code.
 */
const MARKS = /[\\`*_{}[\]|~$]/g;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** Begins a heading, a list, a rule or a line under a heading where it comes first. */
const FIRST = /^(\d*)([#+\-=:.)])/;
/** An address, a name of a host or a file, a mention, or the number of an issue. */
const LINKED = /:\/\/|@|#\d|\bmailto:|[\p{L}\p{N}_-]\.\p{L}{2,}/iu;

/** In place of a text of which nothing is left. */
const NOTHING = '–';

/** One line of text: a heading, a cell of a list, a sentence. */
export function inline(text: string): string {
  const words = visible(text)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return NOTHING;
  const line = words.map((word) => (LINKED.test(word) ? codeSpan(word) : escaped(word))).join(' ');
  return line.replace(FIRST, '$1\\$2');
}

const escaped = (word: string): string =>
  word.replace(MARKS, (mark) => `\\${mark}`).replace(/[&<>]/g, (mark) => ENTITIES[mark] ?? '');

/** Text of several lines that keeps them, without anything that begins a block. */
export const paragraphs = (text: string): string =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.split('\n').map(inline).join('  \n'))
    .join('\n\n');

/** Text of several lines as a quotation. */
export const quotedBlock = (text: string): string =>
  paragraphs(text)
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');

/** Text within a cell of a table: also code must not end the cell. */
export const cell = (text: string): string => inline(text).replace(/(?<!\\)\|/g, '\\|');

export function codeSpan(text: string): string {
  const line = visible(text).replace(/\s+/g, ' ').trim();
  if (line === '') return NOTHING;
  const ticks = '`'.repeat(longestRun(line) + 1);
  // A space at both ends is taken away again; without it a backtick there would belong to the fence.
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** Text as a block of code, in a fence longer than any inside. */
export function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${visible(text)}\n${fence}`;
}

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** Text that stays text in HTML, also within the quotes of an attribute. */
export const markup = (text: string): string => visible(text).replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? '');
