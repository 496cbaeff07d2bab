import { remember, remembered } from './remembered';

type Theme = 'light' | 'dark';

/** Puts the reader's last choice on the page; without one the system's scheme rules. */
export function applyStoredTheme(): void {
  const stored = remembered('theme');
  if (stored === 'light' || stored === 'dark') document.documentElement.dataset.theme = stored;
}

/** Switches between light and dark, and remembers it where storage is allowed. */
export function toggleTheme(): void {
  const next: Theme = currentTheme() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  remember('theme', next);
}

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
