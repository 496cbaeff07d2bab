import type { KeyboardEvent } from 'react';

/** Moves focus among the rows (`data-row`) of a list by arrows or j and k; for `onKeyDown` of the list. */
export function onRowKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = stepOf(event.key);
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[at + step];
  if (step === 0 || at < 0 || !next) return;
  event.preventDefault();
  next.focus();
}

function stepOf(key: string): number {
  if (key === 'ArrowDown' || key === 'ArrowRight' || key === 'j') return 1;
  return key === 'ArrowUp' || key === 'ArrowLeft' || key === 'k' ? -1 : 0;
}
