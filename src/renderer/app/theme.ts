import { remember, remembered } from './remembered';

export type Theme = 'light' | 'dark';

/** The reader's choice; null leaves it to the system. */
export function chosenTheme(): Theme | null {
  const stored = remembered('theme');
  return stored === 'light' || stored === 'dark' ? stored : null;
}

let tellTheme: (theme: Theme | null) => void = () => undefined;

/** Tells of the reader's choice now and whenever it changes: frames and menus of the desktop app follow it. */
export function followTheme(tell: (theme: Theme | null) => void): void {
  tellTheme = tell;
  tell(chosenTheme());
}

/** Shows a theme at once and remembers it where storage is allowed; null leaves it to the system. */
export function chooseTheme(theme: Theme | null): void {
  if (theme === null) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  remember('theme', theme ?? '');
  tellTheme(theme);
}

/** Puts the reader's last choice on the page; without one the system's scheme rules. */
export function applyStoredTheme(): void {
  chooseTheme(chosenTheme());
}

/** Switches between light and dark, and remembers it where storage is allowed. */
export function toggleTheme(): void {
  chooseTheme(currentTheme() === 'dark' ? 'light' : 'dark');
}

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
