import { visible } from '../../../../engine/tools';

/**
 * Keeps untrusted text as text in any viewer. Addresses become code, because many viewers link them even if escaped.
 */
const MARKS = /[\\`*_{}[\]|~$]/g;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** Start a block at the beginning of a line. */
const FIRST = /^(\d*)([#+\-=:.)])/;
const LINKED = /:\/\/|@|#\d|\bmailto:|[\p{L}\p{N}_-]\.\p{L}{2,}/iu;

const NOTHING = '–';

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

export const paragraphs = (text: string): string =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.split('\n').map(inline).join('  \n'))
    .join('\n\n');

export const quotedBlock = (text: string): string =>
  paragraphs(text)
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');

/** A pipe would end the cell, even inside code. */
export const cell = (text: string): string => inline(text).replace(/(?<!\\)\|/g, '\\|');

export function codeSpan(text: string): string {
  const line = visible(text).replace(/\s+/g, ' ').trim();
  if (line === '') return NOTHING;
  const ticks = '`'.repeat(longestRun(line) + 1);
  // Markdown removes one space at both ends; a backtick would belong to the fence.
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

export function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${visible(text)}\n${fence}`;
}

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

export const markup = (text: string): string => visible(text).replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? '');
