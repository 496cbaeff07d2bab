import { useEffect, useEffectEvent } from 'react';
import { hrefOf, ROUTE_KEYS, ROUTES } from './routes';
import { useSingleKeys } from './single-keys';

/** A letter that comes later than this after `g` is a key of its own. */
const SEQUENCE_MS = 1_500;

type Act = () => void;

/** Whether letters are text to whatever has the focus. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, select, textarea, [contenteditable]') !== null;
}

/**
 * The keys that work on the whole page: views, search, and the sheet of all keys. A dialog that is open keeps them to
 * itself. @returns whether single letters are among them, and what turns them on or off.
 */
export function usePageKeys(openSheet: Act): readonly [hasSingleKeys: boolean, turn: (isOn: boolean) => void] {
  const [hasSingleKeys, turn] = useSingleKeys();
  const onSheet = useEffectEvent(openSheet);
  useEffect(() => {
    const onKey = keyListener(hasSingleKeys ? singleKeys(() => onSheet()) : null);
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [hasSingleKeys]);
  return [hasSingleKeys, turn];
}

function keyListener(single: ((event: KeyboardEvent) => Act | null) | null): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open]')) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const act = isCommand
      ? goTo(ROUTES.find((name) => ROUTE_KEYS[name] === event.key))
      : isTyping(event.target)
        ? null
        : single?.(event);
    if (!act) return;
    event.preventDefault();
    act();
  };
}

/** What a key without Ctrl does: `?`, `/`, and `g` with the first letter of a view after it. */
function singleKeys(openSheet: Act): (event: KeyboardEvent) => Act | null {
  let goneAtMs = Number.NEGATIVE_INFINITY;
  return ({ key, timeStamp }) => {
    const isAfterG = timeStamp - goneAtMs < SEQUENCE_MS;
    goneAtMs = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY;
    if (isAfterG) return goTo(ROUTES.find((name) => name.startsWith(key)));
    if (key === '?') return openSheet;
    const search = key === '/' && document.querySelector<HTMLElement>('input[type=search]');
    return search ? () => search.focus() : null;
  };
}

function goTo(name: (typeof ROUTES)[number] | undefined): Act | null {
  if (!name) return null;
  return () => {
    window.location.hash = hrefOf(name);
  };
}
