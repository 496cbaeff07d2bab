import type { WhatIfAnswer, WhatIfOutcome } from '../contract/what-if';
import { draftTexts, spokenLanguage, whatIfTexts, wordTexts } from '../texts';
import { moneyPhrase } from './usage-words';
import { measured, percent } from './wording';

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
  ['refusals', ({ refusals }) => String(refusals)],
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

/** Whether a change is better, and by how much of the turns to come, in one sentence. */
export function verdictPhrase({ forecast, verdict }: Pick<WhatIfAnswer, 'forecast' | 'verdict'>): string {
  const said = whatIfTexts().likely;
  if (forecast === null || verdict === 'few') return said.few;
  const { lower, upper } = forecast.difference;
  switch (verdict) {
    case 'better':
      return said.better(inHundred(lower), inHundred(upper));
    case 'worse':
      return said.worse(inHundred(-upper), inHundred(-lower));
    case 'even':
      return said.even(inHundred(Math.max(-lower, upper)));
    case 'unclear':
      return said.unclear(inHundred(Math.max(0, -lower)), inHundred(Math.max(0, upper)));
  }
}

/** The shares of the turns to come that would be answered, with their bounds, and of how many turns that is known. */
export function forecastPhrases({ forecast }: Pick<WhatIfAnswer, 'forecast'>): readonly string[] {
  if (forecast === null) return [];
  const said = whatIfTexts().likely;
  const { before, after, known, turns } = forecast;
  const share = ({ value, lower, upper }: typeof before): string =>
    said.share(percent(value), percent(lower), percent(upper));
  const shares = said.shares(share(before), share(after));
  return known === turns ? [shares] : [shares, said.known(known, turns)];
}

const inHundred = (share: number): string => wordTexts().decimal(String(Math.round(1_000 * share) / 10));

/** Each figure as it is and as it would have been. */
export function whatIfRows({ before, after }: WhatIfAnswer): readonly (readonly [string, string, string])[] {
  return ROWS.map(([label, value]) => [whatIfTexts().rows[label], value(before), value(after)]);
}

function costText({ cost, pricedShare }: WhatIfOutcome): string {
  const said = whatIfTexts();
  if (cost === null) return said.noPrice;
  return said.cost(moneyPhrase(cost), Math.round(100 * (pricedShare ?? 0)));
}
