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
    dialog.current?.showModal();
    if (first) dialog.current?.querySelector<HTMLElement>(first)?.focus();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [first]);
  return dialog;
}
