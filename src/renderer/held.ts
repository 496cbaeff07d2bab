/** Whether a hand is on a part of the page: the pointer is over it, or the focus in it. */
export const isHeld = (part: Element | null): boolean =>
  part !== null && (part.contains(document.activeElement) || part.matches(':hover'));
