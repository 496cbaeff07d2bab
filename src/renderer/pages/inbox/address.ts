import { hasInbox, withInbox } from '../../app/routes';

/** The browser's Back closes them. */
export function openInbox(): void {
  window.location.hash = withInbox(window.location.hash, true);
}

export function closeInbox(): void {
  window.location.hash = withInbox(window.location.hash, false);
}

export const turnInbox = (): void => (hasInbox(window.location.hash) ? closeInbox() : openInbox());
