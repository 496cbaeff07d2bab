import type { UsageAnswer, UsageSplit, UsageStep } from '../../../contract/usage';
import { spokenLanguage, usageTexts } from '../../../texts';
import type { UsageUnit } from '../../../wording/usage-tables';
import { kindPhrase, measured } from '../../../wording/wording';
import { CLOCK, DAY, dated } from '../../components/time/words';

const number = (options: Intl.NumberFormatOptions = {}) => new Intl.NumberFormat(spokenLanguage(), options);

export const NONE = '–';

/** "2,612". */
export const countText = (count: number): string => number().format(count);

/** "11.6M". */
export const shortText = (count: number): string =>
  number({ notation: 'compact', maximumFractionDigits: 1 }).format(count);

/** "8.7 %"; a dash without data. */
export function shareText(share: number | null): string {
  if (share === null) return NONE;
  return `${number({ maximumFractionDigits: 1 }).format(100 * share)} %`;
}

/** "$22.42", "$0.0123"; "unpriced" without a price. */
export function moneyText(cost: string | number | null): string {
  if (cost === null) return usageTexts().totals.unpriced;
  const amount = Number(cost);
  const digits = amount === 0 || amount >= 1 ? 2 : 4;
  return `$${number({ minimumFractionDigits: 2, maximumFractionDigits: digits }).format(amount)}`;
}

const MONTH = { month: 'short', year: 'numeric' } as const;
const POINTS: Readonly<Record<UsageStep, Intl.DateTimeFormatOptions>> = {
  hour: { ...DAY, ...CLOCK },
  sixHours: { weekday: 'short', ...DAY, ...CLOCK },
  day: { weekday: 'short', ...DAY },
  week: DAY,
  month: MONTH,
};

/** "Tue, Nov 18", "Nov 18, 14:00", "Nov 2026". */
export const pointText = (at: number, { step, question }: UsageAnswer): string =>
  dated(at, question.timeZone, POINTS[step]);

/** "Nov 18", "14:00", "Nov 2026"; midnight shows its date. */
export function axisText(at: number, { step, question }: UsageAnswer): string {
  if (step === 'month') return dated(at, question.timeZone, MONTH);
  const isHour = step === 'hour' && !isDayBegin(at, question.timeZone);
  return dated(at, question.timeZone, isHour ? CLOCK : DAY);
}

const isDayBegin = (at: number, timeZone: string): boolean => dated(at, timeZone, CLOCK) === '00:00';

/** Points with a label; null lets the chart fit labels to the width. */
export function axisPoints({ step, points, question }: UsageAnswer): readonly number[] | null {
  if (step !== 'sixHours') return null;
  return points.flatMap(({ at }, nth) => (isDayBegin(at, question.timeZone) ? [nth] : []));
}

/** "8 November 2026". */
export const dayText = (at: number, timeZone: string): string =>
  dated(at, timeZone, { day: 'numeric', month: 'long', year: 'numeric' });

/** "18 Nov 2026, 14:00". */
export const momentText = (at: number, timeZone: string): string =>
  dated(at, timeZone, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });

/** 1 January 2001 was a Monday. @param day 0 for Monday. */
export const weekdayText = (day: number, weekday: 'long' | 'short'): string =>
  dated(Date.UTC(2001, 0, 1 + day), 'UTC', { weekday });

export const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

export function nameText(name: string | null, splitBy: UsageSplit): string {
  const { names } = usageTexts();
  if (name === null) return names.others;
  if (splitBy !== 'position') return name;
  if (name === '-1') return names.outside;
  if (name === '-2') return names.imported;
  return name === '0' ? names.primary : names.position(Number(name) + 1);
}

export function valueText(value: string | number | null, unit: UsageUnit, usage: UsageAnswer): string {
  if (unit === 'name') return nameText(value === null ? null : String(value), usage.question.splitBy);
  if (value === null) return NONE;
  if (unit === 'model') return String(value);
  if (unit === 'reasons') return reasonsText(String(value));
  if (unit === 'dollars') return moneyText(value);
  const figure = Number(value);
  if (unit === 'moment') return momentText(figure, usage.question.timeZone);
  if (unit === 'weekday') return weekdayText(figure - 1, 'long');
  if (unit === 'share') return shareText(figure);
  return unit === 'ms' ? measured(figure) : countText(figure);
}

/** "rate limited 4, timed out 2" for "rate_limit 4, timeout 2". */
export const reasonsText = (reasons: string): string =>
  reasons
    .split(', ')
    .map((reason) => {
      const [kind = '', count = ''] = reason.split(' ');
      return `${kindPhrase(kind as Parameters<typeof kindPhrase>[0], null)} ${count}`;
    })
    .join(', ');

/** "+12 %", "−3 %"; null for a base of zero. */
export function changeText(now: number, before: number): string | null {
  if (before === 0) return null;
  return signed((100 * (now - before)) / before, '%');
}

/** "+1.3", "−0.4": percentage points. */
export const pointsText = (now: number, before: number, unit: string): string => signed(100 * (now - before), unit);

function signed(value: number, unit: string): string {
  const digits = Math.abs(value) < 10 ? 1 : 0;
  const shown = number({ maximumFractionDigits: digits, signDisplay: 'exceptZero' }).format(value);
  return `${shown.replace('-', '\u2212')} ${unit}`;
}
