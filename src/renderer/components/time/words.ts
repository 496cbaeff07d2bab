import { spokenLanguage, timeTexts } from '../../../texts';
import type { TimeRange } from '../../app/shared-time';
import { boundsOf } from './range';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Caches formats: creating one is slow. */
export function dated(at: number, timeZone: string | undefined, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify([spokenLanguage(), timeZone, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(spokenLanguage(), { timeZone, ...options });
  formats.set(key, format);
  return format.format(at);
}

const MOMENT = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
export const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
export const DAY = { day: 'numeric', month: 'short' } as const;

/** "Nov 8, 14:00–18:00", "Nov 8, 22:00–Nov 9, 02:00", local. */
export function spanText({ sinceMs, untilMs }: Readonly<{ sinceMs: number; untilMs: number }>): string {
  const isOneDay = dated(sinceMs, undefined, DAY) === dated(untilMs - 1, undefined, DAY);
  const end = isOneDay ? dated(untilMs, undefined, CLOCK) : dated(untilMs, undefined, MOMENT);
  return `${dated(sinceMs, undefined, MOMENT)}–${end}`;
}

/** "today", "in the last 7 days", "Nov 8–21". */
export function withinText(range: TimeRange): string {
  const texts = timeTexts();
  if (range.kind === 'all') return texts.ever;
  if (range.kind === 'days') return range.days === 1 ? texts.withinToday : texts.withinDays(range.days);
  if (range.kind === 'span') return spanText(range);
  const { sinceMs, untilMs } = boundsOf(range, 0);
  return [sinceMs ?? 0, (untilMs ?? 1) - 1].map((at) => dated(at, undefined, DAY)).join('–');
}
