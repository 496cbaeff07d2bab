/** One text, or a function that formats one. */
type Text = string | ((...values: never[]) => string);
/** Texts of one part of the product. */
export type Texts = { readonly [key: string]: Text | Texts };

/** Available languages, each under its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

let language: Language = 'en';
let translations: Readonly<Record<string, Texts>> = {};

/** Sets the language of all parts; parts without a translation stay English. */
export function speak(next: Language, parts: Readonly<Record<string, Texts>>): void {
  language = next;
  translations = parts;
}

/** Runs `make`, which must be synchronous, in another language. */
export function saidIn<T>(next: Language, parts: Readonly<Record<string, Texts>>, make: () => T): T {
  const before = [language, translations] as const;
  speak(next, parts);
  try {
    return make();
  } finally {
    speak(...before);
  }
}

/** Returns the current language, as a tag for `Intl`. */
export const spokenLanguage = (): Language => language;

/**
 * Declares the English texts of a part; they define the type of its translations.
 *
 * @returns the texts in the current language. Do not store them: the language may change.
 */
export function part<T extends Texts>(name: string, english: T): () => T {
  // The only cast: the compiler checks `de/index.ts` against the parts by name.
  return () => (translations[name] as T | undefined) ?? english;
}

/** "1 turn", "2 turns", for languages with a singular and one plural. */
export const plural =
  (one: string, many: string) =>
  (count: number): string =>
    `${count} ${count === 1 ? one : many}`;
