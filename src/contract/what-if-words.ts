import { draftTexts, spokenLanguage } from '../texts';
import type { WhatIfAnswer, WhatIfOutcome } from './what-if';
import { counted, measured } from './wording';

/** Said with every answer: where it comes from, and what it is not. */
export const WHAT_IF_CAUTION =
  'An estimate: each model answers as it did in the log, in the same turn or at the nearest time.';

const ROWS: readonly (readonly [label: string, value: (outcome: WhatIfOutcome) => string])[] = [
  ['turns', ({ turns }) => String(turns)],
  ['answered', ({ answered }) => String(answered)],
  ['failed', ({ failed }) => String(failed)],
  ['not known', ({ unknown }) => String(unknown)],
  ['switches', ({ switches }) => String(switches)],
  ['time lost', ({ lostMs }) => measured(lostMs)],
  ['cost', costText],
];

/** What it comes to, in one sentence. */
export function stallsPhrase({ before, stallsAvoided }: WhatIfAnswer): string {
  if (before.turns === 0) return 'There is no turn to play yet.';
  if (stallsAvoided === 0) return 'Just as many turns answered.';
  return stallsAvoided > 0
    ? `${counted(stallsAvoided, 'more turn')} answered.`
    : `${counted(-stallsAvoided, 'fewer turn')} answered.`;
}

/** Since when turns were played, where there were too many; null when all were. */
export function cutPhrase({ cutAtMs }: WhatIfAnswer): string | null {
  return cutAtMs === null ? null : draftTexts().whatIfCut(new Date(cutAtMs).toLocaleString(spokenLanguage()));
}

/** Each figure as it is and as it would have been. */
export function whatIfRows({ before, after }: WhatIfAnswer): readonly (readonly [string, string, string])[] {
  return ROWS.map(([label, value]) => [label, value(before), value(after)]);
}

function costText({ cost, pricedShare }: WhatIfOutcome): string {
  if (cost === null) return 'no price known';
  return `$${cost.toFixed(2)} for ${Math.round(100 * (pricedShare ?? 0))} % of them`;
}
