export function cyclePanes(step: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('nav.side, main, .detail, .inbox, .toast')].filter(
    (pane) => pane.offsetParent !== null || pane.matches('.toast, .side, .inbox'),
  );
  // Innermost: a detail is inside of the page.
  const at = panes.findLastIndex((pane) => pane.contains(document.activeElement));
  const next = panes[(at + step + panes.length) % panes.length] ?? panes[0];
  if (!next) return;
  if (!next.hasAttribute('tabindex')) next.tabIndex = -1;
  next.focus();
}
