import type { Period } from '../budget/periods';
import type { ConfigFile } from '../config';
import { WEEKDAYS } from '../config/entered-limit';

/** A limit that a user has entered, because its provider tells nothing of it. */
export type Limit = Readonly<{
  /** Names it within its account: another amount, or another time, is another limit. */
  id: string;
  /** Whose it is: a provider, each account of which has it for itself, or one account. */
  of: string;
  unit: 'requests' | 'tokens';
  amount: number;
  /**
   * `hours`: it begins with the first request after the last one's end, and is so long. `period`: by the calendar of the
   * machine; `begins` is the weekday, 0 for Monday, or the day of the month.
   */
  over: Readonly<{ hours: number } | { period: Period; begins: number | undefined }>;
}>;

/** Limits that are counted; what is entered beyond that is no work of people. */
const LIMITS_MAX = 100;

/** The limits that a configuration enters; none where it wants limits neither read nor told. */
export function enteredIn({ headroom = {} }: Pick<ConfigFile, 'headroom'>): readonly Limit[] {
  const { act, limits = {} } = headroom;
  if (act === 'off') return [];
  const all = Object.entries(limits).flatMap(([of, list]) => list.flatMap((entry) => limitOf(of, entry)));
  // What is entered twice is one limit.
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
