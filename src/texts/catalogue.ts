/** One text, or what makes one of its figures and names. */
type Text = string | ((...values: never[]) => string);
/** The texts of one part of the product, in groups where that helps to find them. */
export type Texts = { readonly [key: string]: Text | Texts };

/** The languages people can choose, each named in itself. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

let language: Language = 'en';
let translations: Readonly<Record<string, Texts>> = {};

/** Has every part speak a language from now on; parts it leaves out stay English, as all are at first. */
export function speak(next: Language, parts: Readonly<Record<string, Texts>>): void {
  language = next;
  translations = parts;
}

/** What `make` says in another language than the one spoken around it; it has said all of it when it returns. */
export function saidIn<T>(next: Language, parts: Readonly<Record<string, Texts>>, make: () => T): T {
  const before = [language, translations] as const;
  speak(next, parts);
  try {
    return make();
  } finally {
    speak(...before);
  }
}

/** The language now spoken, as a tag that `Intl` understands. */
export const spokenLanguage = (): Language => language;

/**
 * Declares the texts of a part in English, which is what its translations must be like.
 *
 * @returns the texts of the part in the language now spoken. They are not to be kept: the language may change.
 */
export function part<T extends Texts>(name: string, english: T): () => T {
  // The one cast: `de/index.ts` is checked against the parts, by name.
  return () => (translations[name] as T | undefined) ?? english;
}

/** "1 turn", "2 turns", for languages with one form for one and another for the rest. */
export const plural =
  (one: string, many: string) =>
  (count: number): string =>
    `${count} ${count === 1 ? one : many}`;
