import { zoneOffset } from '../base/zone-offset';

/** IANA names. */
export type Zones = Readonly<{ provider?: string | undefined; local?: string | undefined }>;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** No plan resets later than in a month: a longer wait is a misreading. */
const WAIT_MAX_MS = 31 * DAY;
/**
 * A repeated notice with a bare time of day, seen up to three and a half hours later (anthropics/claude-code, issue
 * 12789), does not mean tomorrow.
 */
const TIME_OF_DAY_MAX_MS = 20 * HOUR;
/** A genuine message names one or two moments. */
const MOMENTS_MAX = 5;

const LEAD =
  /(?:try again|retry|resets?|available|regain access|renews?)(?: again)?(?: (?:at|on|after))?:? (?=[\da-z])|(?:将在|将于|于) ?(?=\d{4}-[^重恢]{1,30}(?:重置|恢复))/gi;
const DATE_OF_DIGITS = /(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?/y;
const DATE_OF_WORDS =
  /(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? (\d{1,2})(?:st|nd|rd|th)?(?![\d:])(?:,? (\d{4})(?!\d))?(?:,? at|,)? ?/iy;
const TIME_OF_DAY = /(\d{1,2})(?::(\d\d))?(?: ?([ap])\.?m\b\.?|(?<=:\d\d)(?![\d:]))/iy;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const ZONE_NAME = / ?\(([\w/+-]{1,60})\)/y;
const ZONE_OFFSET = / ?(?:(?:UTC|GMT|Z)(?:([+-])(\d{1,2})(?::?(\d\d))?)?|([+-])(\d\d):?(\d\d))(?!\w)/y;
const ZONE_UNKNOWN = / ?\(| [A-Z]{2,5}(?!\w)| (?:\w{1,20} ){0,2}time\b/y;

type Day = Readonly<{ year: number; month: number; day: number }>;
type Clock = Readonly<{ hour: number; minute: number; second: number }>;
type Written = Readonly<{ day: Partial<Day> | null; clock: Clock; isOfDigits: boolean; end: number }>;
/** Local wall time in ms, as if it were UTC. */
type WallMs = number;

/**
 * Reads `resets 3am (UTC)`, `try again at Nov 30th, 2026 7:58 PM`, `您的限额将在 2026-04-29 19:43:38 重置`. Without a zone the
 * provider's applies, then this machine's, but not for a numeric time, which a server wrote. @param seenAt Unix ms of
 * the message. @returns ms, at most 31 days; null if there is no such time, it has passed, or it is ambiguous.
 */
export function resetWaitMs(message: string, seenAt: number, zones: Zones): number | null {
  let looked = 0;
  for (const lead of message.matchAll(LEAD)) {
    if (++looked > MOMENTS_MAX) break;
    const written = momentAt(message, lead.index + lead[0].length);
    const waitMs = written && waitFor(written, message, seenAt, zones);
    if (waitMs !== null) return waitMs;
  }
  return null;
}

/** Offsets such as `+08:00` are not names. */
export function isTimeZone(name: string): boolean {
  return /^[A-Za-z][\w/+-]{0,59}$/.test(name) && offsetMs(name, 0) !== null;
}

function waitFor(written: Written, message: string, seenAt: number, zones: Zones): number | null {
  const { day, clock, isOfDigits, end } = written;
  const zone = zoneAt(message, end) ?? zones.provider ?? (isOfDigits ? undefined : zones.local);
  if (zone === undefined) return null;
  const today = wallAt(zone, seenAt);
  if (today === null) return null;
  const { year, month, day: date } = dayOf(today);
  const days: readonly Day[] =
    day === null
      ? [0, 1].map((ahead) => dayOf(Date.UTC(year, month - 1, date + ahead)))
      : (day.year === undefined ? [year, year + 1] : [day.year]).map((of) => ({ month, day: date, ...day, year: of }));
  const points = days.map((on) => pointOf(zone, on, clock));
  const next = points.find((point) => point !== null && point > seenAt) ?? null;
  if (next === null) return null;
  const waitMs = next - seenAt;
  return waitMs <= (day === null ? TIME_OF_DAY_MAX_MS : WAIT_MAX_MS) ? waitMs : null;
}

function momentAt(message: string, at: number): Written | null {
  const digits = matchAt(DATE_OF_DIGITS, message, at);
  if (digits) {
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = digits.slice(1).map((part = '0') => +part);
    return {
      day: { year, month, day },
      clock: { hour, minute, second },
      isOfDigits: true,
      end: DATE_OF_DIGITS.lastIndex,
    };
  }
  const words = matchAt(DATE_OF_WORDS, message, at);
  const from = words ? DATE_OF_WORDS.lastIndex : at;
  const time = matchAt(TIME_OF_DAY, message, from);
  const clock = time ? clockOf(time) : words && { hour: 0, minute: 0, second: 0 };
  if (!clock) return null;
  const [, month = '', date, year] = words ?? [];
  const day = words && {
    month: MONTHS.indexOf(month.toLowerCase()) + 1,
    day: Number(date),
    ...(year === undefined ? {} : { year: Number(year) }),
  };
  return {
    day,
    clock,
    isOfDigits: words === null && time?.[3] === undefined,
    end: time ? TIME_OF_DAY.lastIndex : from,
  };
}

function clockOf([, hours, minutes = '0', half]: readonly (string | undefined)[]): Clock | null {
  const hour = Number(hours);
  if (half !== undefined && (hour < 1 || hour > 12)) return null;
  const isAfternoon = half?.toLowerCase() === 'p';
  return { hour: half === undefined ? hour : (hour % 12) + (isAfternoon ? 12 : 0), minute: Number(minutes), second: 0 };
}

/** In ms; undefined without a zone, empty if it cannot be resolved. */
function zoneAt(message: string, at: number): string | number | undefined {
  const name = matchAt(ZONE_NAME, message, at)?.[1];
  if (name !== undefined && isTimeZone(name)) return name;
  const offset = matchAt(ZONE_OFFSET, message, at);
  if (offset) {
    const [, sign = offset[4], hours = offset[5], minutes = offset[6]] = offset;
    return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * HOUR + Number(minutes ?? 0) * MINUTE);
  }
  return matchAt(ZONE_UNKNOWN, message, at) ? '' : undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Unix ms; null for an invalid day, time or zone. */
function pointOf(zone: string | number, { year, month, day }: Day, { hour, minute, second }: Clock): number | null {
  const wall: WallMs = Date.UTC(year, month - 1, day, hour, minute, second);
  const isReal = dayOf(wall).month === month && dayOf(wall).day === day && hour < 24 && minute < 60 && second < 60;
  if (!isReal) return null;
  const points = [wall - DAY, wall + DAY].flatMap((near) => {
    const offset = offsetMs(zone, near);
    return offset === null ? [] : [wall - offset];
  });
  // For an hour that occurs twice or is skipped, the later moment is the safe one.
  const shown = points.filter((point) => wallAt(zone, point) === wall);
  return points.length === 0 ? null : Math.max(...(shown.length > 0 ? shown : points));
}

function dayOf(wall: WallMs): Day {
  const date = new Date(wall);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function wallAt(zone: string | number, at: number): WallMs | null {
  const offset = offsetMs(zone, at);
  return offset === null ? null : at + offset;
}

/** In ms; null for an unknown zone. */
function offsetMs(zone: string | number, at: number): number | null {
  if (typeof zone === 'number') return zone;
  try {
    return zoneOffset(zone)(at);
  } catch {
    // silent: only an unknown time zone throws
    return null;
  }
}
