import { remember, remembered } from './remembered';

export type Theme = 'light' | 'dark';

/** Null follows the system. */
export function chosenTheme(): Theme | null {
  const stored = remembered('theme');
  return stored === 'light' || stored === 'dark' ? stored : null;
}

let tellTheme: (theme: Theme | null) => void = () => undefined;

/** The desktop app's frames and menus follow the choice. */
export function followTheme(tell: (theme: Theme | null) => void): void {
  tellTheme = tell;
  tell(chosenTheme());
}

/** Null follows the system. */
export function chooseTheme(theme: Theme | null): void {
  if (theme === null) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  remember('theme', theme ?? '');
  tellTheme(theme);
}

export function applyStoredTheme(): void {
  chooseTheme(chosenTheme());
}

export function toggleTheme(): void {
  chooseTheme(currentTheme() === 'dark' ? 'light' : 'dark');
}

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
