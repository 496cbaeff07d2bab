import type { WhatIfAnswer, WhatIfOutcome } from '../contract/what-if';
import { draftTexts, spokenLanguage, whatIfTexts, wordTexts } from '../texts';
import { moneyPhrase } from './usage-words';
import { measured, percent } from './wording';

/** The source and the limits of every answer. */
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

/** The result in one sentence. */
export function stallsPhrase({ before, stallsAvoided }: WhatIfAnswer): string {
  const t = whatIfTexts();
  if (before.turns === 0) return t.noTurn;
  if (stallsAvoided === 0) return t.asMany;
  return stallsAvoided > 0 ? t.more(stallsAvoided) : t.fewer(-stallsAvoided);
}

/** The start of the replayed turns if there were too many; null for all. */
export function cutPhrase({ cutAtMs }: WhatIfAnswer): string | null {
  return cutAtMs === null ? null : draftTexts().whatIfCut(new Date(cutAtMs).toLocaleString(spokenLanguage()));
}

/** The effect of a change on future turns, in one sentence. */
export function verdictPhrase({ forecast, verdict }: Pick<WhatIfAnswer, 'forecast' | 'verdict'>): string {
  const t = whatIfTexts().likely;
  if (forecast === null || verdict === 'few') return t.few;
  const { lower, upper } = forecast.difference;
  switch (verdict) {
    case 'better':
      return t.better(inHundred(lower), inHundred(upper));
    case 'worse':
      return t.worse(inHundred(-upper), inHundred(-lower));
    case 'even':
      return t.even(inHundred(Math.max(-lower, upper)));
    case 'unclear':
      return t.unclear(inHundred(Math.max(0, -lower)), inHundred(Math.max(0, upper)));
  }
}

/** The expected shares of answered turns with their bounds, and the number of turns behind them. */
export function forecastPhrases({ forecast }: Pick<WhatIfAnswer, 'forecast'>): readonly string[] {
  if (forecast === null) return [];
  const t = whatIfTexts().likely;
  const { before, after, known, turns } = forecast;
  const share = ({ value, lower, upper }: typeof before): string =>
    t.share(percent(value), percent(lower), percent(upper));
  const shares = t.shares(share(before), share(after));
  return known === turns ? [shares] : [shares, t.known(known, turns)];
}

const inHundred = (share: number): string => wordTexts().decimal(String(Math.round(1_000 * share) / 10));

/** Each figure before and after the change. */
export function whatIfRows({ before, after }: WhatIfAnswer): readonly (readonly [string, string, string])[] {
  return ROWS.map(([label, value]) => [whatIfTexts().rows[label], value(before), value(after)]);
}

function costText({ cost, pricedShare }: WhatIfOutcome): string {
  const t = whatIfTexts();
  if (cost === null) return t.noPrice;
  return t.cost(moneyPhrase(cost), Math.round(100 * (pricedShare ?? 0)));
}
