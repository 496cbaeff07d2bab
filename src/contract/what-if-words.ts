import { draftTexts, spokenLanguage, whatIfTexts, wordTexts } from '../texts';
import type { WhatIfAnswer, WhatIfOutcome } from './what-if';
import { measured } from './wording';

/** Said with every answer: where it comes from, and what it is not. */
export const whatIfCaution = (): string => whatIfTexts().caution;

const ROWS: readonly (readonly [
  label: keyof ReturnType<typeof whatIfTexts>['rows'],
  value: (outcome: WhatIfOutcome) => string,
])[] = [
  ['turns', ({ turns }) => String(turns)],
  ['answered', ({ answered }) => String(answered)],
  ['failed', ({ failed }) => String(failed)],
  ['unknown', ({ unknown }) => String(unknown)],
  ['switches', ({ switches }) => String(switches)],
  ['lost', ({ lostMs }) => measured(lostMs)],
  ['cost', costText],
];

/** What it comes to, in one sentence. */
export function stallsPhrase({ before, stallsAvoided }: WhatIfAnswer): string {
  const said = whatIfTexts();
  if (before.turns === 0) return said.noTurn;
  if (stallsAvoided === 0) return said.asMany;
  return stallsAvoided > 0 ? said.more(stallsAvoided) : said.fewer(-stallsAvoided);
}

/** Since when turns were played, where there were too many; null when all were. */
export function cutPhrase({ cutAtMs }: WhatIfAnswer): string | null {
  return cutAtMs === null ? null : draftTexts().whatIfCut(new Date(cutAtMs).toLocaleString(spokenLanguage()));
}

/** Each figure as it is and as it would have been. */
export function whatIfRows({ before, after }: WhatIfAnswer): readonly (readonly [string, string, string])[] {
  return ROWS.map(([label, value]) => [whatIfTexts().rows[label], value(before), value(after)]);
}

function costText({ cost, pricedShare }: WhatIfOutcome): string {
  const said = whatIfTexts();
  if (cost === null) return said.noPrice;
  return said.cost(wordTexts().dollars(cost.toFixed(2)), Math.round(100 * (pricedShare ?? 0)));
}
