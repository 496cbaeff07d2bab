import { councilPageTexts, wordTexts } from '../../../texts';
import type { Option } from './use-council';

/** "12.5 points, first on 3 of 5 ballots". */
export function pointsPhrase({ points, firstPlaces }: Option, ballots: number): string {
  const said = councilPageTexts().ideas;
  return said.points(said.worth(wordTexts().decimal(String(points)), points === 1), firstPlaces, ballots);
}
