import { choiceTexts } from '../texts';

/** The question at first setup in words: what Understudy does otherwise than the published designs, and where a yes goes. */
export function choiceWords(path: string) {
  const { explained, differences, change, kept } = choiceTexts();
  return { explained, differences: Object.values(differences), change: change(path), kept };
}
