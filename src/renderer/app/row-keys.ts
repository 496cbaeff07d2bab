import type { KeyboardEvent } from 'react';

/** Moves the focus by arrows or j and k. @param beyond called if the next row is not drawn. */
export function onRowKey(event: KeyboardEvent<HTMLElement>, beyond?: (row: string, step: number) => void): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = stepOf(event.key);
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  if (step === 0 || at < 0) return;
  const next = rows[at + step];
  if (!next && !beyond) return;
  event.preventDefault();
  if (next) next.focus();
  else beyond?.(rows[at]?.dataset.row ?? '', step);
}

function stepOf(key: string): number {
  if (key === 'ArrowDown' || key === 'ArrowRight' || key === 'j') return 1;
  return key === 'ArrowUp' || key === 'ArrowLeft' || key === 'k' ? -1 : 0;
}
