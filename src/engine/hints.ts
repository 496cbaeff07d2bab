import { type Evidence, RESET_HEADERS } from './events';
import { READ_MAX_CHARS } from './redact';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A plan may reset a month away; nothing a provider says is believed beyond that. */
const HINT_MAX_MS = 31 * DAY;
/** A reset header above this is a point in time (Unix seconds), below it a duration in seconds. */
const UNIX_SECONDS_MIN = 1_000_000_000;

/** From here on a number is a point in time in Unix milliseconds. */
const UNIX_MS_MIN = 100_000_000_000;

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  millisecond: 1,
  s: SECOND,
  sec: SECOND,
  second: SECOND,
  m: MINUTE,
  min: MINUTE,
  minute: MINUTE,
  h: HOUR,
  hr: HOUR,
  hour: HOUR,
  d: DAY,
  day: DAY,
};
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const SPOKEN_DURATION =
  /(?:wait(?: for)?|(?:try again|retry(?:ing)?|resets?|available|come back)(?: again)? (?:in|after)):? (?:about |approximately |~ ?)?(\d[\w ,.]{0,60})/gi;
const SPOKEN_INSTANT =
  /(?:try again|retry|resets?|available|regain access|renews?)(?: again)? (?:at|on|after):? (\d{4}-\d\d-\d\d.{0,40})/i;
/** One part of a duration and what may stand before the next; sticky, so that "20s. We saw 3 days" is 20 seconds. */
const DURATION_PART =
  /(\d{1,12}(?:\.\d{1,12})?) ?(milliseconds?|ms|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|[smhd])(?![a-z])(?:,? and |[ ,]*)/giy;

/**
 * How long the provider asks to be left alone.
 *
 * `retry-after-ms` and `retry-after` (seconds or HTTP date) outrank phrases in the message ("try again in 5h 12m",
 * "resets at 2026-03-17T14:23:01Z"), and those outrank reset headers, of which the longest counts.
 *
 * @returns milliseconds from `evidence.seenAt`, in [0, 31 days], or null when it says nothing readable.
 */
export function hintOf(evidence: Evidence): number | null {
  const headers = evidence.headers ?? {};
  const seenAt = evidence.seenAt;
  const direct = durationOf(headers['retry-after-ms'], 1) ?? pointOrDuration(headers['retry-after'], seenAt);
  if (direct !== null) return direct;
  const spoken = spokenHint((evidence.message ?? '').slice(0, READ_MAX_CHARS), seenAt);
  if (spoken !== null) return spoken;
  if (evidence.hintMs !== undefined && evidence.hintMs >= 0) return clamp(evidence.hintMs);
  const resets = RESET_HEADERS.map((name) => pointOrDuration(headers[name], seenAt)).filter((ms) => ms !== null);
  return resets.length > 0 ? Math.max(...resets) : null;
}

function spokenHint(message: string, seenAt: number | undefined): number | null {
  for (const [, text] of message.matchAll(SPOKEN_DURATION)) {
    const duration = spokenDuration(text ?? '');
    if (duration !== null) return duration;
  }
  const instant = SPOKEN_INSTANT.exec(message)?.[1];
  const point = instant === undefined ? null : isoInstant(instant);
  return point === null || seenAt === undefined ? null : clamp(point - seenAt);
}

const clamp = (ms: number): number => Math.min(HINT_MAX_MS, Math.max(0, Math.round(ms)));

function durationOf(text: string | undefined, unitMs: number): number | null {
  if (text === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return null;
  return clamp(Number(text) * unitMs);
}

function pointOrDuration(text: string | undefined, seenAt: number | undefined): number | null {
  if (text === undefined) return null;
  const seconds = durationOf(text, SECOND);
  if (seconds !== null) {
    const figure = Number(text);
    if (figure < UNIX_SECONDS_MIN) return seconds;
    return seenAt === undefined ? null : clamp((figure < UNIX_MS_MIN ? figure * SECOND : figure) - seenAt);
  }
  const point = httpInstant(text) ?? isoInstant(text.trim());
  if (point !== null) return seenAt === undefined ? null : clamp(point - seenAt);
  return spokenDuration(text.trim());
}

/** "5h 12m", "1 minute 30 seconds", "6m0s", "250ms" at the beginning of a text; null when it does not begin with one. */
function spokenDuration(text: string): number | null {
  let total: number | null = null;
  for (const [, amount, unit] of text.matchAll(DURATION_PART)) {
    const name = (unit ?? '').toLowerCase();
    const unitMs = UNITS[name] ?? UNITS[name.replace(/s$/, '')];
    if (unitMs !== undefined) total = (total ?? 0) + Number(amount) * unitMs;
  }
  return total === null ? null : clamp(total);
}

/** Unix ms of an HTTP date (`Wed, 21 Oct 2015 07:28:00 GMT`); null for anything else. */
function httpInstant(text: string): number | null {
  const http = /(\d{1,2}) ([A-Za-z]{3}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT/.exec(text);
  if (!http) return null;
  const month = MONTHS.indexOf((http[2] ?? '').toLowerCase());
  return month < 0 ? null : utc(Number(http[3]), month + 1, Number(http[1]), [http[4], http[5], http[6]]);
}

/** Unix ms of an instant that names its zone (`2026-03-17T14:23:01Z`, `2026-03-17 at 14:23 UTC`); null for anything else. */
function isoInstant(text: string): number | null {
  const iso =
    /^(\d{4})-(\d\d)-(\d\d)(?:T| (?:at )?)(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,12})?)? ?(?:Z|UTC|GMT|([+-])(\d\d):?(\d\d))/.exec(
      text,
    );
  if (!iso) return null;
  const local = utc(Number(iso[1]), Number(iso[2]), Number(iso[3]), [iso[4], iso[5], iso[6] ?? '0']);
  const offset = Number(iso[8] ?? 0) * HOUR + Number(iso[9] ?? 0) * MINUTE;
  return iso[7] === '-' ? local + offset : local - offset;
}

/** Days-from-civil, so that the engine needs no calendar of its host. Source: Howard Hinnant, chrono date algorithms. */
function utc(year: number, month: number, day: number, time: readonly (string | undefined)[]): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  const days = era * 146_097 + dayOfEra - 719_468;
  const [hours = 0, minutes = 0, seconds = 0] = time.map(Number);
  return days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND;
}
