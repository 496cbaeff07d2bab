import type { Period } from '../budget/periods';
import type { ConfigFile } from '../config';
import { WEEKDAYS } from '../config/entered-limit';

/** Entered because the provider does not report it. */
export type Limit = Readonly<{
  id: string;
  /** A provider stands for each of its accounts. */
  of: string;
  unit: 'requests' | 'tokens';
  amount: number;
  /**
   * `hours`: from the first request after the previous end. `period`: by the machine's calendar; `begins` is the
   * weekday, 0 for Monday, or the day of the month.
   */
  over: Readonly<{ hours: number } | { period: Period; begins: number | undefined }>;
}>;

const LIMITS_MAX = 100;

export function enteredIn({ headroom = {} }: Pick<ConfigFile, 'headroom'>): readonly Limit[] {
  const { act, limits = {} } = headroom;
  if (act === 'off') return [];
  const all = Object.entries(limits).flatMap(([of, list]) => list.flatMap((entry) => limitOf(of, entry)));
  return [...new Map(all.map((limit) => [`${limit.of} ${limit.id}`, limit])).values()].slice(0, LIMITS_MAX);
}

type Entry = NonNullable<NonNullable<ConfigFile['headroom']>['limits']>[string][number];

function limitOf(of: string, { requests, tokens, hours, per, resets }: Entry): readonly Limit[] {
  const amount = requests ?? tokens;
  if (amount === undefined) return [];
  const unit = requests === undefined ? 'tokens' : 'requests';
  const named = (over: string): Pick<Limit, 'id' | 'of' | 'unit' | 'amount'> => ({
    id: `counted-${unit}-${amount}-${over}`,
    of,
    unit,
    amount,
  });
  if (hours !== undefined) return [{ ...named(`${hours}h`), over: { hours } }];
  if (per === undefined) return [];
  const begins = typeof resets === 'string' ? WEEKDAYS.indexOf(resets) : resets;
  return [{ ...named(resets === undefined ? per : `${per}-${resets}`), over: { period: per, begins } }];
}
