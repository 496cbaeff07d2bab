import { useSyncExternalStore } from 'react';
import { LANGUAGES, type Language, speak, spokenLanguage, type Texts } from '../../texts';
import { persistently } from './lazy-view';
import { remember, remembered } from './remembered';

/** What each language adds to the page; it is fetched when somebody reads it. */
const TRANSLATIONS: Readonly<Record<Language, () => Promise<Readonly<Record<string, Texts>>>>> = {
  en: async () => ({}),
  de: async () => (await persistently(() => import('../../texts/de'))).german,
};

const listeners = new Set<() => void>();
let wanted: Language = spokenLanguage();

/** Speaks the reader's last choice, else the first of the browser's languages that there is, else English. */
export async function speakPreferred(): Promise<void> {
  await show(languageOf(remembered('language'), navigator.languages));
}

/** The language for a reader who chose `choice`, or nothing yet, and reads `tags`, the dearest first. */
export function languageOf(choice: string | null, tags: readonly string[]): Language {
  const wishes = [choice ?? '', ...tags.map((tag) => tag.toLowerCase().split('-')[0] ?? '')];
  return wishes.find(isLanguage) ?? 'en';
}

const isLanguage = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag);

/**
 * The language of the page, and what changes it at once and for the next visit. Whoever draws a component that React may
 * skip (`memo`) asks for it there: it is drawn anew when the language changes.
 */
export function useLanguage(): readonly [language: Language, change: (next: Language) => void] {
  return [useSyncExternalStore(onChange, spokenLanguage), change];
}

let tellLanguage: (language: Language) => void = () => undefined;

/** Tells of the language whenever the page begins to speak it: menus of the desktop app follow it. */
export function followLanguage(tell: (language: Language) => void): void {
  tellLanguage = tell;
}

function change(next: Language): void {
  remember('language', next);
  void show(next);
}

/** Without its texts the page keeps the language it has. */
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
