/** A choice of the reader, by name; null when there is none, or where the page may store nothing. */
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`understudy.${name}`);
  } catch {
    return null;
  }
}

/** Remembers a choice of the reader; a page that may store nothing forgets it when it is closed. */
export function remember(name: string, choice: string): void {
  try {
    localStorage.setItem(`understudy.${name}`, choice);
  } catch {
    // The choice still holds for as long as the page is open.
  }
}
