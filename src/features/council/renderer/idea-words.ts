import { councilPageTexts, wordTexts } from '../../../texts';
import type { Option } from './use-council';

export function pointsPhrase({ points, firstPlaces }: Option, ballots: number): string {
  const said = councilPageTexts().ideas;
  return said.points(said.worth(wordTexts().decimal(String(points)), points === 1), firstPlaces, ballots);
}
