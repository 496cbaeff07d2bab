export const INTERACTIVE =
  'a[href], button, input, select, textarea, summary, [role=button], [role=row][tabindex], [role=option], [role=tab]';

/** Visible pieces of an element, without clipped parts. Shared by the scripts below. */
const PIECES = `const piecesOf = (node) => {
  let around = { left: 0, top: -1e6, right: 1e6, bottom: 1e6 };
  for (let at = node.parentElement; at; at = at.parentElement) {
    const { overflowX, overflowY, position } = getComputedStyle(at);
    const box = at.getBoundingClientRect();
    if (overflowX !== 'visible') around = { ...around, left: Math.max(around.left, box.left), right: Math.min(around.right, box.right) };
    if (overflowY !== 'visible') around = { ...around, top: Math.max(around.top, box.top), bottom: Math.min(around.bottom, box.bottom) };
    if (position === 'fixed') break;
  }
  return [...node.getClientRects()].map((piece) => ({
    left: Math.max(piece.left, around.left), right: Math.min(piece.right, around.right),
    top: Math.max(piece.top, around.top), bottom: Math.min(piece.bottom, around.bottom),
  })).filter((piece) => piece.right - piece.left > 1 && piece.bottom - piece.top > 1);
};
const nameOf = (node) => (node.getAttribute('class') || node.tagName.toLowerCase()) + ' "' +
  (node.getAttribute('aria-label') || node.textContent.trim() || node.getAttribute('name') || '').slice(0, 40) + '"';
const areOver = (one, other) =>
  Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
  Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;`;

/**
 * Finds pairs of overlapping elements of which neither contains the other. An element above the page by design, such
 * as a dialog, is compared only within itself.
 */
export const overlapsOf = (selector: string): string => `(() => {
  ${PIECES}
  const layerOf = (node) => {
    for (let at = node; at; at = at.parentElement) {
      if (at.tagName === 'DIALOG' || ['fixed', 'sticky'].includes(getComputedStyle(at).position)) return at;
    }
    return null;
  };
  const boxes = [...document.querySelectorAll(${JSON.stringify(selector)})]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest('.sr'))
    .map((node) => ({ node, layer: layerOf(node), pieces: piecesOf(node) }))
    .filter(({ pieces }) => pieces.length > 0);
  const found = [];
  for (const [index, one] of boxes.entries())
    for (const other of boxes.slice(index + 1)) {
      if (one.layer !== other.layer || one.node.contains(other.node) || other.node.contains(one.node)) continue;
      if (one.pieces.some((piece) => other.pieces.some((each) => areOver(piece, each))))
        found.push(nameOf(one.node) + ' over ' + nameOf(other.node));
    }
  return found;
})()`;

/** Finds elements that stick out of these cards on the right, except `apart`. */
export const stickingOutOf = (cards: string, apart: string): string => `(() => {
  ${PIECES}
  const found = [];
  for (const card of document.querySelectorAll(${JSON.stringify(cards)}))
    for (const node of card.querySelectorAll('*'))
      if (node.getBoundingClientRect().right > card.getBoundingClientRect().right + 1 && !node.closest(${JSON.stringify(apart)}))
        found.push(nameOf(node) + ' sticks out');
  return found;
})()`;

/** Prose is readable up to about 80 characters; letters differ in width. */
const LINE_MOST = 100;
/** A word of this length fits any line. */
const SHORT_WORD = 14;

/**
 * Finds paragraphs with too long lines (except rows of the queue), horizontal scrolling (except tables, text to copy
 * and drawings), clipped figures and table cells, and short words of headings and buttons that are broken into two
 * lines.
 */
export const UNREADABLE = `(() => {
  ${PIECES}
  const found = [];
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((node) => node.checkVisibility() && !node.closest('.sr, svg'));
  for (const node of shown('p, .cap, .small, dd')) {
    const text = node.textContent.trim();
    if (node.closest('.q-text, .ask') || text.length <= ${LINE_MOST} || node.querySelector('p, .cap, .small, ul, ol, table, button')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const tops = new Set([...range.getClientRects()].filter((box) => box.width > 1).map((box) => Math.round(box.bottom / 8)));
    if (text.length / Math.max(1, tops.size) > ${LINE_MOST}) found.push('a line of ' + Math.round(text.length / tops.size) + ': ' + nameOf(node));
  }
  for (const node of shown('main, main *, .inbox *, .side, .side *')) {
    const isMeant = node.closest('.scroll, .chart-scroll, .diff, pre, input, select, textarea, [role=img]') !== null;
    if (isMeant || node.scrollWidth <= node.clientWidth + 1 || !['auto', 'scroll'].includes(getComputedStyle(node).overflowX)) continue;
    found.push('scrolls sideways by ' + (node.scrollWidth - node.clientWidth) + ' px: ' + nameOf(node));
  }
  // A head that only screen readers have is drawn in one pixel.
  const isHidden = (node) => node.closest('.sess-head') !== null && node.closest('.sess-head').clientHeight <= 1;
  for (const node of shown('th, td'))
    if (!isHidden(node) && ((piecesOf(node).length === 0 && !node.closest('.scroll')) || node.scrollWidth > node.clientWidth + 1)) found.push('cut: ' + nameOf(node));
  for (const node of shown('main b, main strong'))
    if (node.clientWidth > 0 && node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).textOverflow !== 'ellipsis') found.push('cut: ' + nameOf(node));
  for (const node of shown('h1, h2, h3, button, .btn, th, .link')) {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode())
      for (const { 0: word, index } of text.data.matchAll(/(?<![^\\s])\\p{L}{2,${SHORT_WORD}}(?![^\\s])/gu)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push('broken: ' + word);
      }
  }
  return found;
})()`;

/** Share of the width beside the navigation that the view uses, from 0 to 1. */
export const USED_WIDTH = `(() => {
  const room = document.querySelector('.page').getBoundingClientRect();
  const parts = [...document.querySelectorAll('main > *, main > * > *')].filter((node) => node.checkVisibility());
  return (Math.max(...parts.map((node) => node.getBoundingClientRect().right)) - room.left) / room.width;
})()`;

/** Finds elements that neither scrolling nor the keyboard can bring out from under the toast. */
export const UNDER_TOAST = `(() => {
  ${PIECES}
  const toast = document.querySelector('.toast');
  const found = [];
  for (const node of document.querySelectorAll(${JSON.stringify(INTERACTIVE)})) {
    if (toast.contains(node) || !node.checkVisibility({ visibilityProperty: true })) continue;
    node.scrollIntoView({ block: 'nearest' });
    if (piecesOf(node).some((piece) => areOver(piece, toast.getBoundingClientRect()))) found.push('under the toast: ' + nameOf(node));
  }
  return found;
})()`;
