import { useEffect, useRef } from 'react';

/** Whether the focus is on no control: it is nobody's, or the whole view's. */
export const hasNoFocus = (): boolean =>
  document.activeElement === document.body || document.activeElement?.id === 'main';

/** Whoever opens one thing of a list starts at its top, also with a screen reader. */
export function useFocusOnMain(): void {
  useEffect(() => {
    if (hasNoFocus()) document.getElementById('main')?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
}

/** Escape goes back to the list, unless a dialog is open. @param list Its address. */
export function useEscapeTo(list: string): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return;
      window.location.hash = list;
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [list]);
}

/** Escape closes what is open on a page before it leaves the page; null while nothing is. */
export function useEscapeFirst(close: (() => void) | null): void {
  const latest = useRef(close);
  latest.current = close;
  const isOpen = close !== null;
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      latest.current?.();
    };
    // Before whoever hears it for the page.
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [isOpen]);
}
