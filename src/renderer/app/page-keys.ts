import { useEffect } from 'react';
import { useStore } from 'zustand';
import { commandOf } from './commands/keys';
import type { Registry } from './commands/registry';
import { usePanel } from './panel';

/** Maximum time between `g` and its second key. */
const SEQUENCE_MS = 1_500;

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, select, textarea, [contenteditable]') !== null;
}

export function useSingleKeys(): readonly [areOn: boolean, turn: (areOn: boolean) => void] {
  const { singleKeys } = usePanel();
  return [useStore(singleKeys.store), singleKeys.turn];
}

/** An open dialog receives its keys alone. */
export function usePageKeys(): void {
  const { commands } = usePanel();
  const [hasSingleKeys] = useSingleKeys();
  useEffect(() => {
    const onKey = keyListener(commands, hasSingleKeys);
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [commands, hasSingleKeys]);
}

function keyListener(commands: Registry, hasSingleKeys: boolean): (event: KeyboardEvent) => void {
  let goneAtMs = Number.NEGATIVE_INFINITY;
  return (event) => {
    const { key, timeStamp, target } = event;
    if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open]')) return;
    const isSingle = !event.ctrlKey && !event.metaKey && key.length === 1;
    const isAfterG = timeStamp - goneAtMs < SEQUENCE_MS;
    goneAtMs = isSingle && key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY;
    if (isSingle && (!hasSingleKeys || isTyping(target))) return;
    const id = commandOf(isSingle ? `${isAfterG ? 'g ' : ''}${key}` : chordOf(event));
    if (id !== undefined && commands.run(id)) event.preventDefault();
  };
}

function chordOf({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): string {
  const isLong = key.length > 1;
  return `${ctrlKey || metaKey ? 'Mod+' : ''}${shiftKey && isLong ? 'Shift+' : ''}${isLong ? key : key.toLowerCase()}`;
}
