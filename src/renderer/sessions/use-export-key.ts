import { useEffect, useEffectEvent } from 'react';

/** Ctrl+E opens the export of what is on screen; a dialog that is open keeps its keys. */
export function useExportKey(open: () => void): void {
  const onOpen = useEffectEvent(open);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isMeant = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'e';
      if (!isMeant || event.defaultPrevented || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      onOpen();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
