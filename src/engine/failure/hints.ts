import { type Evidence, RESET_HEADERS } from '../state/events';
import { READ_MAX_CHARS } from './redact';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A plan may reset a month ahead. */
export const HINT_MAX_MS = 31 * DAY;
/** Smaller numbers are durations, others Unix seconds. */
const UNIX_SECONDS_MIN = 1_000_000_000;
/** From here on a number is Unix milliseconds. */
const UNIX_MS_MIN = 100_000_000_000;

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };
/** Each begins at four times its number. */
const MONTHS = '    jan feb mar apr may jun jul aug sep oct nov dec';
const SPOKEN_DURATION =
  /(?:wait(?: for)?|(?:try again|retry(?:ing)?|resets?|available|come back)(?: again)? (?:in|after)):? (?:about |approximately |~ ?)?(\d[\w ,.]{0,60})/gi;
const SPOKEN_INSTANT =
  /(?:try again|retry|resets?|available|regain access|renews?)(?: again)? (?:at|on|after):? (\d{4}-\d\d-\d\d.{0,40})/i;
/** Claude Code's message for an exhausted plan, in Unix seconds. */
const SPOKEN_UNIX = /usage limit reached\|(\d{10})\b/i;
/** Sticky, so that "20s. We saw 3 days" is 20 seconds. */
const DURATION_PART =
  /(\d{1,12}(?:\.\d{1,12})?) ?(milliseconds?|ms|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|[smhd])(?![a-z])(?:,? and |[ ,]*)/giy;
/** `Wed, 21 Oct 2015 07:28:00 GMT`, in RFC 850 `Wednesday, 21-Oct-15 07:28:00 GMT`. Source: RFC 9110, 5.6.7. */
const HTTP_DATE = /^.*?(\d{1,2})[ -]([a-z]{3})[ -](?:(\d\d)(?=\d\d))?(\d\d) ([\d:]{8}) GMT/i;
/** C's asctime: `Wed Oct 21 07:28:00 2015`. */
const ASCTIME = /^[a-z]{3} ([a-z]{3}) {1,2}(\d{1,2}) ([\d:]{8}) (\d\d)(\d\d)$/i;
/** `2026-03-17T14:23:01Z`, `2026-03-17 at 14:23 UTC`: an instant with a zone. */
const ISO_DATE =
  /^(\d{4})-(\d\d)-(\d{1,2})(?:T| (?:at )?)(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,12})?)? ?(?:Z|UTC|GMT|([+-])(\d\d):?(\d\d))/;

/**
 * Wait in ms from `evidence.seenAt`, in [0, 31 days], or null. `retry-after-ms` and `retry-after` (seconds or HTTP
 * date) precede phrases ("try again in 5h 12m", "resets at 2026-03-17T14:23:01Z"), `hintMs`, and the longest reset
 * header. Past or implausible times in a message are ignored: a repeated notice, or a slip.
 */
export function hintOf({ headers = {}, message = '', hintMs, seenAt }: Evidence): number | null {
  const direct = retryAfterOf({ headers, seenAt });
  const spoken = direct ?? spokenHint(message.slice(0, READ_MAX_CHARS), seenAt);
  if (spoken !== null) return spoken;
  if (hintMs !== undefined && hintMs >= 0) return clamp(hintMs);
  const resets = RESET_HEADERS.map((name) => headerHint(headers[name], seenAt)).filter((ms) => ms !== null);
  return resets.length > 0 ? Math.max(...resets) : null;
}

/** The header `Date` has whole seconds. */
const SAME_CLOCK_MS = 2 * SECOND;

/**
 * Time on the server's clock, to which its other times refer.
 * @param date header `Date`; ignored if missing or more than a day from `now`.
 * @param now Unix ms.
 */
export function serverTime(date: string | null | undefined, now: number): number {
  const at = date ? instantOf(date.trim()) : null;
  const apart = at === null ? 0 : Math.abs(at - now);
  return at !== null && apart >= SAME_CLOCK_MS && apart <= DAY ? at : now;
}

/** `retry-after-ms`, else `retry-after`, which every client reads; ms from `seenAt`. */
export function retryAfterOf({
  headers = {},
  seenAt,
}: Readonly<{ headers?: Evidence['headers'] | undefined; seenAt?: number | undefined }>): number | null {
  const inMs = numberIn(headers['retry-after-ms']);
  return inMs === null ? headerHint(headers['retry-after'], seenAt) : clamp(inMs);
}

function spokenHint(message: string, seenAt: number | undefined): number | null {
  for (const [, text = ''] of message.matchAll(SPOKEN_DURATION)) {
    const duration = spokenDuration(text);
    if (duration !== null) return duration;
  }
  const unix = Number(SPOKEN_UNIX.exec(message)?.[1]);
  const point = unix ? unix * SECOND : instantOf(SPOKEN_INSTANT.exec(message)?.[1] ?? '');
  const left = point === null || seenAt === undefined ? 0 : point - seenAt;
  return left > 0 && left <= HINT_MAX_MS ? left : null;
}

function headerHint(header: string | undefined, seenAt: number | undefined): number | null {
  if (header === undefined) return null;
  const figure = numberIn(header);
  if (figure !== null) {
    if (figure < UNIX_SECONDS_MIN) return clamp(figure * SECOND);
    return until(figure < UNIX_MS_MIN ? figure * SECOND : figure, seenAt);
  }
  const text = header.trim();
  const point = instantOf(text);
  return point === null ? spokenDuration(text) : until(point, seenAt);
}

const clamp = (ms: number): number => Math.min(HINT_MAX_MS, Math.max(0, Math.round(ms)));

const until = (point: number | null, seenAt: number | undefined): number | null =>
  point === null || seenAt === undefined ? null : clamp(point - seenAt);

const numberIn = (text = ''): number | null => (/^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null);

/** "5h 12m", "6m0s" or "250ms" at the start of a text. */
function spokenDuration(text: string): number | null {
  let total: number | null = null;
  for (const [, amount, unit = ''] of text.toLowerCase().matchAll(DURATION_PART)) {
    const unitMs = /^m(?:s|illi)/.test(unit) ? 1 : (UNITS[unit.charAt(0)] ?? 0);
    total = (total ?? 0) + Number(amount) * unitMs;
  }
  return total === null ? null : clamp(total);
}

/** Unix ms of an HTTP or ISO date. */
function instantOf(text: string): number | null {
  const iso = ISO_DATE.exec(text.replace(ASCTIME, '$2 $1 $4$5 $3 GMT').replace(HTTP_DATE, isoText));
  if (!iso) return null;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0, , offsetHours = 0, offsetMinutes = 0] = iso
    .slice(1)
    .map((part = '0') => Number(part));
  const offset = offsetHours * HOUR + offsetMinutes * MINUTE;
  const local = daysOf(year, month, day) * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND;
  return iso[7] === '-' ? local + offset : local - offset;
}

function isoText(_: string, day: string, month: string, century = '20', year: string, time: string): string {
  const number = MONTHS.indexOf(month.toLowerCase()) / 4;
  return `${century}${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}T${time}Z`;
}

/** Days since 1970, without the host's calendar. Source: Howard Hinnant, chrono date algorithms. */
function daysOf(year: number, month: number, day: number): number {
  // A year that begins in March ends with its leap day.
  const marched = month <= 2 ? year - 1 : year;
  const leapDays = Math.floor(marched / 4) - Math.floor(marched / 100) + Math.floor(marched / 400);
  return marched * 365 + leapDays + Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 719_469;
}
