import { type RefObject, useLayoutEffect, useRef } from 'react';

/** @param first selector of the focused element. */
export function useModal(first?: string): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const opened = dialog.current;
    opened?.showModal();
    if (first) opened?.querySelector<HTMLElement>(first)?.focus();
    return () => {
      // Nothing behind an open modal can take the focus.
      opened?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [first]);
  return dialog;
}
