import { useEffect, useRef } from 'react';

/** True if only the page or the whole view has the focus. */
export const hasNoFocus = (): boolean =>
  document.activeElement === document.body || document.activeElement?.id === 'main';

/** A detail opens at its top, also for screen readers. */
export function useFocusOnMain(): void {
  useEffect(() => {
    if (hasNoFocus()) document.getElementById('main')?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
}

/** Escape returns to the list, unless a dialog is open. @param list its address. */
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

/** Escape first closes what is open on the page; null if nothing is. */
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
    // Capture: runs before the page's listener.
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [isOpen]);
}
