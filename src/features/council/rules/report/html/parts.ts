import { plainQuote, plainText } from '../../base/text';
import { markup } from '../escape';

/** Pieces of HTML that are put together here alone: what they are given is text, and stays text. */

/** Text of a model or a stranger within a line, kept from turning what stands around it. */
export const words = (text: string): string => `<bdi>${plain(text)}</bdi>`;

/** Text as it is, where nothing stands beside it. */
export const plain = (text: string): string => markup(plainText(text));

/** Text of a model or a stranger as code within a line. */
export const code = (text: string): string => `<code>${words(text)}</code>`;

export const paragraphs = (text: string): string =>
  plain(text)
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => `<p dir="auto">${paragraph.split('\n').join('<br>')}</p>`)
    .join('');

/** The same, apart from what stands around it. */
export const textBlock = (text: string): string => `<div class="text">${paragraphs(text)}</div>`;

/**
 * A quote as a block of code that scrolls within itself.
 *
 * @param firstLine the number of its first line; null where it was not found.
 * @param lastLine that of its last one; null where only one was named.
 */
export function quoteBlock(
  quote: string,
  { name, firstLine, lastLine }: Readonly<{ name: string; firstLine: number | null; lastLine: number | null }>,
): string {
  const lines = plainQuote(quote).split('\n');
  // Lines between may have been left out: each has a number of its own only where their count agrees.
  const isWhole = firstLine !== null && (lines.length === 1 || lastLine === firstLine + lines.length - 1);
  const shown = lines.map((line, at) => {
    const isNumbered = firstLine !== null && (at === 0 || isWhole);
    return `<span class="l"${isNumbered ? ` data-line="${firstLine + at}"` : ''}>${markup(line)}\n</span>`;
  });
  const kind = firstLine === null ? 'code' : 'code numbered';
  return `<div class="${kind}" role="group" aria-label="${markup(plainText(name))}" tabindex="0"><pre>${shown.join('')}</pre></div>`;
}

/** A card with a heading. @param id of its heading, of ours. */
export const card = (
  id: string,
  { title, note = '', body, kind = 'card' }: Readonly<{ title: string; note?: string; body: string; kind?: string }>,
): string =>
  `<section class="${kind}" aria-labelledby="${id}"><div class="card-head"><h2 id="${id}">${title}</h2>${noted(note)}</div>${body}</section>`;

/** The same, which can be closed. It is open: what is printed or searched for is there. */
export const foldedCard = (
  id: string,
  { title, note = '', body, kind = 'card' }: Readonly<{ title: string; note?: string; body: string; kind?: string }>,
): string =>
  `<section class="${kind}" aria-labelledby="${id}"><details open><summary class="card-head"><h2 id="${id}">${title}</h2>${noted(note)}</summary>${body}</details></section>`;

const noted = (note: string): string => (note === '' ? '' : `<span class="cap">${note}</span>`);

export const list = (kind: string, items: readonly string[], tag: 'ul' | 'ol' = 'ul'): string =>
  items.length === 0 ? '' : `<${tag} class="${kind}">${items.map((item) => `<li>${item}</li>`).join('')}</${tag}>`;

/** A numbered list whose numbers are seen. */
export const steps = (items: readonly string[]): string =>
  list(
    'steps',
    items.map((item, at) => `<span class="n">${at + 1}</span><span>${item}</span>`),
    'ol',
  );

export const saidBlock = (summary: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `<details class="said"><summary>${summary}</summary>${list('', items)}</details>`;

export const figures = (rows: readonly (readonly [name: string, value: string])[]): string =>
  `<dl class="kv">${rows.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}</dl>`;

const GLYPHS = {
  critical: '<path d="M8 1.2 14.8 8 8 14.8 1.2 8z" fill="currentColor"/>',
  major:
    '<path d="M8 2.4 14.2 13.4H1.8z" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linejoin="round"/>',
  minor: '<circle cx="8" cy="8" r="3" fill="currentColor"/>',
  praise: '<path d="m8 1.8 1.9 4.1 4.4.5-3.3 3 .9 4.4L8 11.6l-3.9 2.2.9-4.4-3.3-3 4.4-.5z" fill="currentColor"/>',
  check:
    '<path d="m3 8.5 3.3 3.3L13 4.8" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"/>',
  plus: '<path d="M8 3v10M3 8h10" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/>',
  ask: '<circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M6.2 6.3a1.9 1.9 0 1 1 2.7 1.7c-.6.3-.9.7-.9 1.3" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/><circle cx="8" cy="11.3" r=".9" fill="currentColor"/>',
  cross: '<path d="m4 4 8 8M12 4l-8 8" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round"/>',
  neutral: '<path d="M3 8h10" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round"/>',
} as const;

/** A sign beside a word, which says the same. */
export const glyph = (name: keyof typeof GLYPHS): string =>
  `<svg viewBox="0 0 16 16" aria-hidden="true">${GLYPHS[name]}</svg>`;
