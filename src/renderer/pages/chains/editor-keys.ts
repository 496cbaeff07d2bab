import { useEffect, useRef } from 'react';
import { isTyping, useSingleKeys } from '../../app/page-keys';

type Acts = Readonly<{
  undo: () => boolean;
  redo: () => boolean;
  apply: () => void;
  add: () => void;
}>;

/** Ignored in dialogs and in fields with their own undo. */
export function useEditorKeys(acts: Acts): void {
  const latest = useRef(acts);
  const [hasSingleKeys] = useSingleKeys();
  useEffect(() => {
    latest.current = acts;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || event.defaultPrevented || document.querySelector('dialog[open]')) return;
      const key = event.key.toLowerCase();
      const { undo, redo, apply, add } = latest.current;
      if (!(event.ctrlKey || event.metaKey)) {
        if (event.key !== 'a' || !hasSingleKeys || isTyping(event.target)) return;
        event.preventDefault();
        add();
      } else if (key === 's' && !event.shiftKey) {
        event.preventDefault();
        apply();
      } else if (!hasOwnUndo(event.target)) {
        const isRedo = key === 'y' || (key === 'z' && event.shiftKey);
        if (isRedo ? redo() : key === 'z' && undo()) event.preventDefault();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [hasSingleKeys]);
}

function hasOwnUndo(target: EventTarget | null): boolean {
  return (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) && target.value !== '';
}
