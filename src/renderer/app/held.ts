export const isHeld = (part: Element | null): boolean =>
  part !== null && (part.contains(document.activeElement) || part.matches(':hover'));
