import { useEffect } from 'react';

/** What around a control can take the focus in its place: what is named, and what takes it anyway. */
const PLACES = ['section', 'main', 'dialog', '[tabindex]'].join(',');

/**
 * Keeps the focus in its place when what had it goes away by itself, as an answered question does: the nearest thing around it
 * takes over, so that a keyboard goes on from there and a screen reader says where it is.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let around: readonly Element[] = [];
    const remember = ({ target }: FocusEvent) => {
      around = target instanceof Element ? [...pathOf(target)] : [];
    };
    // Whoever clicks beside a control has left it; a window that is left keeps its focus.
    const forget = () =>
      queueMicrotask(() => {
        if (document.activeElement === document.body && around[0]?.isConnected) around = [];
      });
    const keep = () => {
      const [own, ...others] = around;
      if (!own || own.isConnected || document.activeElement !== document.body) return;
      around = [];
      const place = others.find((element) => element.isConnected && element.matches(PLACES));
      if (!(place instanceof HTMLElement)) return;
      if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
      place.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(keep);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    document.addEventListener('focusout', forget);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('focusout', forget);
    };
  }, []);
}

function* pathOf(element: Element): Generator<Element> {
  for (let at: Element | null = element; at !== null; at = at.parentElement) yield at;
}
