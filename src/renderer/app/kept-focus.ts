import { useEffect } from 'react';

/** Elements that can take over the focus. */
const PLACES = ['section', 'main', 'dialog', '[tabindex]'].join(',');

/** Moves the focus outward when its control disappears, such as an answered question. */
export function useKeptFocus(): void {
  useEffect(() => {
    let around: readonly Element[] = [];
    const remember = ({ target }: FocusEvent) => {
      around = target instanceof Element ? [...pathOf(target)] : [];
    };
    // A click beside a control removes its focus on purpose; a blurred window keeps it.
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
