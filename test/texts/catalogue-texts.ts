import * as catalogue from '../../src/texts';
import { german } from '../../src/texts/de';

/** A text of the catalogue, or what makes one of its figures and names. */
export type Text = string | ((...values: unknown[]) => string);

/** Every part of the catalogue, by its name. */
export const parts = Object.entries(catalogue).filter(
  (entry): entry is [string, () => catalogue.Texts] => entry[0].endsWith('Texts') && typeof entry[1] === 'function',
);

/** Every text of a part in the language now spoken, by its path. */
function flat(texts: catalogue.Texts, path: string): readonly (readonly [path: string, text: Text])[] {
  return Object.entries(texts).flatMap(([key, each]) =>
    typeof each === 'object' ? flat(each, `${path}.${key}`) : [[`${path}.${key}`, each as Text] as const],
  );
}

/** Every text of the product in a language, by its path; that language is spoken from then on. */
export function textsIn(language: catalogue.Language): ReadonlyMap<string, Text> {
  catalogue.speak(language, language === 'de' ? german : {});
  return new Map(parts.flatMap(([name, texts]) => flat(texts(), name)));
}

/** What a text says, whatever its values are: its words as they are written. */
export const wordsOf = (text: Text): string =>
  typeof text === 'string' ? text : text.toString().replaceAll(/\$\{[^{}]*\}/g, '…');
