import { choiceTexts } from '../texts';

/** Texts of the question at first setup: differences from the published designs, and the file that stores the choice. */
export function choiceWords(path: string) {
  const { explained, differences, change, kept } = choiceTexts();
  return { explained, differences: Object.values(differences), change: change(path), kept };
}
