import { measured, type UsageAnswer, type UsageStep, type UsageUnit } from '../../contract';
import { spokenLanguage, usageTexts } from '../../texts';

const number = (options: Intl.NumberFormatOptions = {}) => new Intl.NumberFormat(spokenLanguage(), options);

/** What stands where nothing is known. */
export const NONE = '–';

/** "2,612". */
export const countText = (count: number): string => number().format(count);

/** "11.6M": a number of which the first digits matter. */
export const shortText = (count: number): string =>
  number({ notation: 'compact', maximumFractionDigits: 1 }).format(count);

/** "8.7 %"; a dash where there is no data. */
export function shareText(share: number | null): string {
  if (share === null) return NONE;
  return `${number({ maximumFractionDigits: 1 }).format(100 * share)} %`;
}

/** "$22.42", "$0.0123": money, with more digits where it is little; "unpriced" where nothing had a price. */
export function moneyText(cost: string | number | null): string {
  if (cost === null) return usageTexts().totals.unpriced;
  const amount = Number(cost);
  const digits = amount === 0 || amount >= 1 ? 2 : 4;
  return `$${number({ minimumFractionDigits: 2, maximumFractionDigits: digits }).format(amount)}`;
}

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
/** What a point is called, in parts: some languages would put them in another order, and charts have no room for commas. */
const POINTS: Readonly<Record<UsageStep, readonly Intl.DateTimeFormatOptions[]>> = {
  hour: [CLOCK],
  sixHours: [{ weekday: 'short' }, CLOCK],
  day: [{ weekday: 'short' }, { day: 'numeric' }],
  week: [{ day: 'numeric', month: 'short' }],
  month: [{ month: 'short', year: 'numeric' }],
};

const dated = (at: number, timeZone: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(spokenLanguage(), { timeZone, ...options }).format(at);

/** "Tue 18", "14:00", "Nov 2026": a point of a chart. */
export const pointText = (at: number, { step, question }: UsageAnswer): string =>
  POINTS[step].map((options) => dated(at, question.timeZone, options)).join(' ');

/** "8 November 2026". */
export const dayText = (at: number, timeZone: string): string =>
  dated(at, timeZone, { day: 'numeric', month: 'long', year: 'numeric' });

/** "18 Nov 2026, 14:00". */
export const momentText = (at: number, timeZone: string): string =>
  dated(at, timeZone, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });

/** "Monday", "Mon": 1 January 2001 was one. @param day 0 for Monday. */
export const weekdayText = (day: number, weekday: 'long' | 'short'): string =>
  dated(Date.UTC(2001, 0, 1 + day), 'UTC', { weekday });

/** "14:00". */
export const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** What a part of the split is called. */
export function nameText(name: string | null, splitBy: UsageAnswer['question']['splitBy']): string {
  const { names } = usageTexts();
  if (name === null) return names.others;
  if (splitBy !== 'position') return name;
  if (name === '-1') return names.outside;
  if (name === '-2') return names.imported;
  return name === '0' ? names.primary : names.position(Number(name) + 1);
}

/** A value of a table as people read it; a dash where it is missing. */
export function valueText(value: string | number | null, unit: UsageUnit, usage: UsageAnswer): string {
  if (unit === 'name') return nameText(value === null ? null : String(value), usage.question.splitBy);
  if (value === null) return NONE;
  if (unit === 'dollars') return moneyText(value);
  const figure = Number(value);
  if (unit === 'moment') return momentText(figure, usage.question.timeZone);
  if (unit === 'weekday') return weekdayText(figure - 1, 'long');
  if (unit === 'share') return shareText(figure);
  return unit === 'ms' ? measured(figure) : countText(figure);
}
