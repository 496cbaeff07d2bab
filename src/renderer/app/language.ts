import { useSyncExternalStore } from 'react';
import { LANGUAGES, type Language, speak, spokenLanguage, type Texts } from '../../texts';
import { persistently } from './lazy-view';
import { remember, remembered } from './remembered';

const TRANSLATIONS: Readonly<Record<Language, () => Promise<Readonly<Record<string, Texts>>>>> = {
  en: async () => ({}),
  de: async () => (await persistently(() => import('../../texts/de'))).german,
};

const listeners = new Set<() => void>();
let wanted: Language = spokenLanguage();

export async function speakPreferred(): Promise<void> {
  await show(languageOf(remembered('language'), navigator.languages));
}

/** @param tags preferred first. */
export function languageOf(choice: string | null, tags: readonly string[]): Language {
  const wishes = [choice ?? '', ...tags.map((tag) => tag.toLowerCase().split('-')[0] ?? '')];
  return wishes.find(isLanguage) ?? 'en';
}

const isLanguage = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag);

/** Components in `memo` must call this, so that they rerender when the language changes. */
export function useLanguage(): readonly [language: Language, change: (next: Language) => void] {
  return [useSyncExternalStore(onChange, spokenLanguage), change];
}

let tellLanguage: (language: Language) => void = () => undefined;

/** The desktop app's menus follow the page's language. */
export function followLanguage(tell: (language: Language) => void): void {
  tellLanguage = tell;
}

function change(next: Language): void {
  remember('language', next);
  void show(next);
}

/** If loading fails, the language stays unchanged. */
async function show(next: Language): Promise<void> {
  wanted = next;
  // silent: the page stays in its language
  const parts = await TRANSLATIONS[next]().catch(() => null);
  if (!parts || next !== wanted) return;
  speak(next, parts);
  document.documentElement.lang = next;
  tellLanguage(next);
  for (const listener of listeners) listener();
}

function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
