export type Memory = () => Storage;
const forBrowser: Memory = () => localStorage;
export const forTab: Memory = () => sessionStorage;

/** Null without a choice or storage. */
export function remembered(name: string, memory = forBrowser): string | null {
  try {
    return memory().getItem(`understudy.${name}`);
  } catch {
    // silent: a page that may store nothing remembers nothing
    return null;
  }
}

export function remember(name: string, choice: string, memory = forBrowser): void {
  try {
    memory().setItem(`understudy.${name}`, choice);
  } catch {
    // silent: the choice holds for as long as the page is open
  }
}
