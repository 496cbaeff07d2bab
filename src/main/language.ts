import { writeFileAtomic } from '../node/base/atomic-file';
import { readPrivateFileSync } from '../node/base/private-folder';
import { LANGUAGES, type Language, saidIn } from '../texts';
import { german } from '../texts/de';

export type Speech = Readonly<{
  /** `make` must create the texts before it returns. */
  say<T>(make: () => T): T;
  choose(language: Language): Promise<void>;
}>;

const isLanguage = (text: string): text is Language => Object.hasOwn(LANGUAGES, text);

/**
 * The core's texts stay English: programs read them. @param path remembers the language: the icon appears before any
 * window.
 */
export function createSpeech(path: string, onChange: () => void): Speech {
  let spoken = remembered(path);
  return {
    say: (make) => saidIn(spoken, spoken === 'de' ? german : {}, make),
    async choose(language) {
      if (language === spoken) return;
      spoken = language;
      onChange();
      const result = await writeFileAtomic(path, language);
      if (!result.ok) console.error(`The language could not be stored: ${result.reason}`);
    },
  };
}

const LANGUAGE_BYTES = 20;

function remembered(path: string): Language {
  const read = readPrivateFileSync(path, LANGUAGE_BYTES);
  return read.ok && isLanguage(read.text) ? read.text : 'en';
}
