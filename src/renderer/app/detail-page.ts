import { useEffect, useRef } from 'react';

export const hasNoFocus = (): boolean =>
  document.activeElement === document.body || document.activeElement?.id === 'main';

/** Opens a detail at its top, also for screen readers. */
export function useFocusOnMain(): void {
  useEffect(() => {
    if (hasNoFocus()) document.getElementById('main')?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
}

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

/** Null if nothing is open. */
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
