import { hasInbox, withInbox } from '../../app/routes';

/** Opens the notices beside what is shown; the way back closes them. */
export function openInbox(): void {
  window.location.hash = withInbox(window.location.hash, true);
}

/** Closes the notices; what is shown beside them stays. */
export function closeInbox(): void {
  window.location.hash = withInbox(window.location.hash, false);
}

export const turnInbox = (): void => (hasInbox(window.location.hash) ? closeInbox() : openInbox());
