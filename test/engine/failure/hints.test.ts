import { describe, expect, it } from 'vitest';
import { hintOf } from '../../../src/engine/failure/hints';
import { DAY, HOUR, MINUTE, SECOND } from '../world';

/** 2026-03-17T14:23:01Z in Unix ms. */
const SEEN_AT = 1_773_757_381_000;

const ofHeaders = (headers: Record<string, string>): number | null =>
  hintOf({ phase: 'body', seenAt: SEEN_AT, headers });
const ofMessage = (message: string): number | null => hintOf({ phase: 'body', seenAt: SEEN_AT, message });

describe('given retry headers', () => {
  it.each<[string, Record<string, string>, number | null]>([
    ['retry-after 20', { 'retry-after': '20' }, 20 * SECOND],
    ['retry-after 0', { 'retry-after': '0' }, 0],
    ['retry-after 1.5', { 'retry-after': '1.5' }, 1_500],
    ['retry-after-ms 1250', { 'retry-after-ms': '1250' }, 1_250],
    ['retry-after-ms 100 beside retry-after 20', { 'retry-after-ms': '100', 'retry-after': '20' }, 100],
    ['an HTTP date 90 s ahead', { 'retry-after': 'Tue, 17 Mar 2026 14:24:31 GMT' }, 90 * SECOND],
    ['a date as RFC 850 had it', { 'retry-after': 'Tuesday, 17-Mar-26 14:24:31 GMT' }, 90 * SECOND],
    ['a date as asctime has it', { 'retry-after': 'Tue Mar 17 14:24:31 2026' }, 90 * SECOND],
    ['a day of one digit, as asctime has it', { 'retry-after': 'Sun Mar  1 14:24:31 2026' }, 0],
    ['an HTTP date that has passed', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
    ['a year', { 'retry-after': '31536000' }, 31 * DAY],
    ['a negative number', { 'retry-after': '-5' }, null],
    ['a word', { 'retry-after': 'soon' }, null],
    ['nothing', {}, null],
  ])('when they hold %s, then the hint is %j -> %j ms', (_, headers, expected) => {
    expect(ofHeaders(headers)).toBe(expected);
  });
});

describe('given reset headers', () => {
  it.each<[string, Record<string, string>, number | null]>([
    ['6m0s', { 'x-ratelimit-reset-tokens': '6m0s' }, 6 * MINUTE],
    ['250ms', { 'x-ratelimit-reset-requests': '250ms' }, 250],
    [
      'two, of which the longer counts',
      { 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '8.64s' },
      8_640,
    ],
    ['Unix seconds', { 'x-ratelimit-reset': String(SEEN_AT / 1_000 + 60) }, MINUTE],
    ['Unix milliseconds, as OpenRouter sends them', { 'x-ratelimit-reset': String(SEEN_AT + 60_000) }, MINUTE],
    ['an instant', { 'anthropic-ratelimit-tokens-reset': '2026-03-17T14:25:01Z' }, 2 * MINUTE],
    ['an instant with an offset', { 'anthropic-ratelimit-tokens-reset': '2026-03-17T16:25:01+02:00' }, 2 * MINUTE],
    ['the five hours of a plan', { 'anthropic-ratelimit-unified-reset': String(SEEN_AT / 1_000 + 18_000) }, 5 * HOUR],
  ])('when they hold %s, then the hint is that long', (_, headers, expected) => {
    expect(ofHeaders(headers)).toBe(expected);
  });

  it('when retry-after speaks as well, then it is believed', () => {
    expect(ofHeaders({ 'retry-after': '2', 'x-ratelimit-reset-tokens': '6m0s' })).toBe(2 * SECOND);
  });

  it('when a point in time comes without the time it was seen at, then there is no hint', () => {
    expect(hintOf({ phase: 'body', headers: { 'x-ratelimit-reset': '1773757441' } })).toBeNull();
  });
});

describe('given a message', () => {
  it.each<[string, number | null]>([
    ['Please try again in 20s.', 20 * SECOND],
    ['Please try again in 7.02s. Need more tokens? Upgrade today', 7_020],
    ['Please try again in 6m0s.', 6 * MINUTE],
    ['try again in 5h 12m', 5 * HOUR + 12 * MINUTE],
    ['Please retry after 26 seconds.', 26 * SECOND],
    ['Please retry in 38.123456s.', 38_123],
    ['please try again after 1 seconds', SECOND],
    ['Try again in about 2 minutes', 2 * MINUTE],
    ['resets in 1 day, 2 hours and 3 minutes', DAY + 2 * HOUR + 3 * MINUTE],
    ['Please wait 40000 seconds before retrying.', 40_000 * SECOND],
    ['Your limit resets at 2026-03-17T15:23:01Z.', HOUR],
    ['You will regain access on 2026-03-18 at 00:00 UTC.', 9 * HOUR + 36 * MINUTE + 59 * SECOND],
    // But for its figures: https://github.com/anthropics/claude-code/issues/2490
    ['Claude AI usage limit reached|1773764581', 2 * HOUR],
    ['Claude AI usage limit reached|1773757381', null],
    ['Your limit resets at 2026-03-17T13:23:01Z.', null],
    ['Your limit resets at 2062-03-17T13:23:01Z.', null],
    ['You have exceeded the monthly usage quota. It will reset at 2026-03-18 00:23:01 +0800 CST.', 2 * HOUR],
    ['Try again in 20s. The outage lasted 3 days.', 20 * SECOND],
    ['Your limit will reset at 2026-03-17 21:31:39', null],
    ['Please try again later.', null],
    ['The prompt has 4290 tokens', null],
    ['I had to retry 3 times in 2 minutes', null],
    ['', null],
  ])('when it says %j, then the hint is %j ms', (message, expected) => {
    expect(ofMessage(message)).toBe(expected);
  });

  it('when a reset header speaks as well, then the message is believed', () => {
    expect(
      hintOf({ phase: 'body', message: 'try again in 20s', headers: { 'x-ratelimit-reset-tokens': '6m0s' } }),
    ).toBe(20 * SECOND);
  });
});
