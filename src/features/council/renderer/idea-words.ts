import { councilPageTexts, wordTexts } from '../../../texts';
import type { Option } from './use-council';

export function pointsPhrase({ points, firstPlaces }: Option, ballots: number): string {
  const texts = councilPageTexts().ideas;
  return texts.points(texts.worth(wordTexts().decimal(String(points)), points === 1), firstPlaces, ballots);
}
