import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Opens a dialog over the page for as long as it is drawn; the focus returns to where it was.
 *
 * @param first What has the focus at first, as a selector; the first control when left out.
 */
export function useModal(first?: string): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const opened = dialog.current;
    opened?.showModal();
    if (first) opened?.querySelector<HTMLElement>(first)?.focus();
    return () => {
      // While it is open, nothing beneath it takes the focus.
      opened?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [first]);
  return dialog;
}
