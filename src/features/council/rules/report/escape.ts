import { visible } from '../../../../engine/tools';

/**
 * Escapes untrusted text for Markdown, so that it stays text in any viewer. Backslashes and entities disable markup;
 * addresses become code, because many viewers link them even if escaped.
 */
const MARKS = /[\\`*_{}[\]|~$]/g;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** Characters that start a heading, list, rule or underlined heading at the beginning of a line. */
const FIRST = /^(\d*)([#+\-=:.)])/;
/** An address, host name, file name, mention or issue number. */
const LINKED = /:\/\/|@|#\d|\bmailto:|[\p{L}\p{N}_-]\.\p{L}{2,}/iu;

/** Replaces an empty text. */
const NOTHING = '–';

/** Escapes a single line. */
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

/** Escapes a multi-line text and keeps its lines, but prevents new blocks. */
export const paragraphs = (text: string): string =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.split('\n').map(inline).join('  \n'))
    .join('\n\n');

/** Formats a multi-line text as a quotation. */
export const quotedBlock = (text: string): string =>
  paragraphs(text)
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');

/** Escapes text for a table cell, which a pipe inside code would also end. */
export const cell = (text: string): string => inline(text).replace(/(?<!\\)\|/g, '\\|');

export function codeSpan(text: string): string {
  const line = visible(text).replace(/\s+/g, ' ').trim();
  if (line === '') return NOTHING;
  const ticks = '`'.repeat(longestRun(line) + 1);
  // Markdown removes a space at both ends; without it a backtick there would belong to the fence.
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** Formats a code block with a fence longer than any inside it. */
export function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${visible(text)}\n${fence}`;
}

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** Escapes text for HTML, including quoted attributes. */
export const markup = (text: string): string => visible(text).replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? '');
