import { writeFileAtomic } from '../node/base/atomic-file';
import { readPrivateFileSync } from '../node/base/private-folder';
import { LANGUAGES, type Language, saidIn } from '../texts';
import { german } from '../texts/de';

/** What the shell itself says, in the language that its window speaks. */
export type Speech = Readonly<{
  /** Runs what makes texts, so that they are in the language. It must have made them when it returns. */
  say<T>(make: () => T): T;
  /** Speaks another language from now on, also after the next start. */
  choose(language: Language): Promise<void>;
}>;

const isLanguage = (text: string): text is Language => Object.hasOwn(LANGUAGES, text);

/**
 * The shell's own language. What the core makes in the same process stays English: programs read it.
 *
 * @param path of the file that remembers it: the icon speaks before any window does. Without it English is spoken.
 * @param onChange hears that everything said until now is in another language.
 */
export function createSpeech(path: string, onChange: () => void): Speech {
  let spoken = remembered(path);
  return {
    say: (make) => saidIn(spoken, spoken === 'de' ? german : {}, make),
    async choose(language) {
      if (language === spoken) return;
      spoken = language;
      onChange();
      const kept = await writeFileAtomic(path, language);
      if (!kept.ok) console.error(`The language is not remembered: ${kept.reason}`);
    },
  };
}

/** More than the name of any language has. */
const LANGUAGE_BYTES = 20;

function remembered(path: string): Language {
  const read = readPrivateFileSync(path, LANGUAGE_BYTES);
  return read.ok && isLanguage(read.text) ? read.text : 'en';
}
