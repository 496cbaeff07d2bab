import * as z from 'zod';
import { later } from '../base/later';

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export const ENTERED_PERIODS = ['day', 'week', 'month'] as const;
export const ENTERED_MAX = 10;
/** Far above any monthly plan. */
const AMOUNT_MAX = 1e12;
const HOURS_MAX = 168;
const MONTH_DAY_MAX = 28;

const REQUESTS_WORDS = 'must be a whole number of requests above 0';
const TOKENS_WORDS = 'must be a whole number of tokens above 0';
const MOST_WORDS = `must be at most ${AMOUNT_MAX.toLocaleString('en')}`;
const HOURS_WORDS = `must be a whole number of hours from 1 to ${HOURS_MAX}`;
const PERIOD_WORDS = `must be one of ${ENTERED_PERIODS.join(', ')}`;
const WEEKDAY_WORDS = 'must be a weekday such as "monday"';
const MONTH_DAY_WORDS = `must be a day of the month from 1 to ${MONTH_DAY_MAX}`;
const RESETS_WORDS = `${WEEKDAY_WORDS} for a week, or a day from 1 to ${MONTH_DAY_MAX} for a month`;

const amount = (words: string) => z.int(words).min(1, words).max(AMOUNT_MAX, MOST_WORDS);
const monthDay = z.int(RESETS_WORDS).min(1, RESETS_WORDS).max(MONTH_DAY_MAX, RESETS_WORDS);

export const EnteredLimit = later(() =>
  z
    .strictObject(
      {
        requests: amount(REQUESTS_WORDS).optional(),
        tokens: amount(TOKENS_WORDS).optional(),
        hours: z.int(HOURS_WORDS).min(1, HOURS_WORDS).max(HOURS_MAX, HOURS_WORDS).optional(),
        per: z.enum(ENTERED_PERIODS, PERIOD_WORDS).optional(),
        resets: z.union([z.enum(WEEKDAYS), monthDay], RESETS_WORDS).optional(),
      },
      'must be an object',
    )
    .superRefine((limit, { addIssue }) => {
      const wrong = wrongIn(limit);
      if (wrong !== null) addIssue({ code: 'custom', path: [wrong.at], message: wrong.words });
    }),
);
export type EnteredLimit = z.infer<typeof EnteredLimit>;

function wrongIn(limit: EnteredLimit): Readonly<{ at: keyof EnteredLimit; words: string }> | null {
  const { requests, tokens, hours, per, resets } = limit;
  if (requests !== undefined && tokens !== undefined)
    return { at: 'tokens', words: 'cannot be combined with "requests"' };
  if (requests === undefined && tokens === undefined)
    return { at: 'requests', words: `${REQUESTS_WORDS}, unless "tokens" is set` };
  if (hours !== undefined && per !== undefined) return { at: 'per', words: 'cannot be combined with "hours"' };
  if (hours === undefined && per === undefined) return { at: 'hours', words: `${HOURS_WORDS}, unless "per" is set` };
  if (resets === undefined) return null;
  if (per === 'week') return typeof resets === 'string' ? null : { at: 'resets', words: WEEKDAY_WORDS };
  if (per === 'month') return typeof resets === 'number' ? null : { at: 'resets', words: MONTH_DAY_WORDS };
  return { at: 'resets', words: 'needs "per": "week" or "per": "month"' };
}
