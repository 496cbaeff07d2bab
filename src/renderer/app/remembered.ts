/** Where a choice is remembered: for this browser, or for this tab as long as it is open. */
export type Memory = () => Storage;
const forBrowser: Memory = () => localStorage;
export const forTab: Memory = () => sessionStorage;

/** A choice of the reader, by name; null when there is none, or where the page may store nothing. */
export function remembered(name: string, memory = forBrowser): string | null {
  try {
    return memory().getItem(`understudy.${name}`);
  } catch {
    // silent: a page that may store nothing remembers nothing
    return null;
  }
}

/** Remembers a choice of the reader; a page that may store nothing forgets it when it is closed. */
export function remember(name: string, choice: string, memory = forBrowser): void {
  try {
    memory().setItem(`understudy.${name}`, choice);
  } catch {
    // silent: the choice holds for as long as the page is open
  }
}
