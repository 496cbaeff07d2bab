import { describe, expect, it } from 'vitest';
import type { Near } from '../../src/contract/headroom';
import { saidIn } from '../../src/texts';
import { german } from '../../src/texts/de';
import { headroomText } from '../../src/wording/headroom-text';
import { courseOf, nearPhrase, partPhrase, rulingOf, windowPhrase } from '../../src/wording/headroom-words';
import { when } from '../../src/wording/wording';
import { sampleHeadroom, windowRow } from '../support/sample-headroom';

const HOUR = 3_600_000;
/** A Thursday in January, in the zone of the tests. */
const NOW = new Date(2026, 0, 15, 14, 20).getTime();
const MODEL = 'anthropic/claude-sonnet-4-5';

const near = (change: Partial<Near> = {}): Near => ({
  ...{ code: 'headroom.plan', window: 'unified-5h', unit: 'share', lengthMs: 5 * HOUR, used: 0.97 },
  ...{ limit: null, remaining: null, needs: null },
  ...change,
});
const REQUESTS = {
  code: 'headroom.requests',
  unit: 'requests',
  lengthMs: 60_000,
  used: 0.98,
  limit: 1_500,
  remaining: 12,
};

describe('given a limit before which an agent moved', () => {
  it.each<[Partial<Near>, string]>([
    [{}, 'claude-sonnet-4-5 has used 97 % of its 5 h limit'],
    [{ lengthMs: 168 * HOUR }, 'claude-sonnet-4-5 has used 97 % of its week limit'],
    [{ lengthMs: null }, 'claude-sonnet-4-5 has used 97 % of its plan limit'],
    [{ used: 0.999 }, 'claude-sonnet-4-5 has used 99 % of its 5 h limit'],
    [
      { code: 'headroom.reserve', used: 0.86 },
      'claude-sonnet-4-5 has used 86 % of its 5 h limit, and the rest is reserved for another agent',
    ],
    [
      { code: 'headroom.drain', lengthMs: 168 * HOUR, used: 0.41, fullInMs: 5.9 * HOUR },
      'claude-sonnet-4-5 has used 41 % of its week limit, and the rest would last about 6 h',
    ],
    [
      { code: 'headroom.drain', lengthMs: 24 * HOUR, used: 0.99, fullInMs: 60_000 },
      'claude-sonnet-4-5 has used 99 % of its day limit, and the rest would last about 1 min',
    ],
    [
      {
        ...{ code: 'headroom.spread', lengthMs: 168 * HOUR, used: 0.72 },
        there: { account: 'anthropic@work', unit: 'share', lengthMs: 168 * HOUR, used: 0.23 },
      },
      'anthropic@work has more headroom: claude-sonnet-4-5 has used 72 % of its week limit here, 23 % there',
    ],
    [
      {
        ...{ code: 'headroom.spread', used: 0.8 },
        there: { account: 'anthropic-2', unit: 'share', lengthMs: 168 * HOUR, used: 0.5 },
      },
      'anthropic-2 has more headroom: claude-sonnet-4-5 has used 80 % of its 5 h limit here, 50 % of the week limit there',
    ],
    [
      {
        ...{
          code: 'headroom.spread',
          unit: 'tokens',
          lengthMs: 24 * HOUR,
          used: 0.8,
          limit: 1_000_000,
          remaining: 200_000,
        },
        there: { account: 'anthropic-2', unit: 'tokens', lengthMs: 24 * HOUR, used: 0.5 },
      },
      'anthropic-2 has more headroom: claude-sonnet-4-5 has used 80 % of its tokens a day limit here, 50 % there',
    ],
    [{ code: 'headroom.refused' }, 'the provider of claude-sonnet-4-5 refuses requests for its 5 h limit'],
    [{ ...REQUESTS, needs: 1 } as Partial<Near>, 'claude-sonnet-4-5 has 12 of 1,500 requests a minute left'],
    [
      {
        ...REQUESTS,
        code: 'headroom.tokens',
        unit: 'input_tokens',
        limit: 50_000,
        remaining: 3_200,
        needs: 8_000,
      } as Partial<Near>,
      'claude-sonnet-4-5 has 3,200 of 50,000 input tokens a minute left, and this request takes about 8,000',
    ],
    [
      { unit: 'requests', lengthMs: 5 * HOUR, used: 1, limit: 600, remaining: 0, isEstimate: true },
      'claude-sonnet-4-5 has 0 of 600 requests in 5 h left (estimate)',
    ],
    [
      {
        code: 'headroom.drain',
        unit: 'tokens',
        lengthMs: 168 * HOUR,
        used: 0.41,
        fullInMs: 6 * HOUR,
        isEstimate: true,
      },
      'claude-sonnet-4-5 has used 41 % of its tokens a week limit, and the rest would last about 6 h (estimate)',
    ],
  ])('when it is %j, then it is said with its numbers', (change, said) => {
    expect(nearPhrase(MODEL, near(change)).replaceAll('\u202f', ' ')).toBe(said);
  });

  it('when German is spoken, then it is German', () => {
    const said = saidIn('de', german, () => nearPhrase(MODEL, near()));
    expect(said.replaceAll('\u202f', ' ')).toBe('claude-sonnet-4-5 hat 97 % vom 5-Stunden-Limit verbraucht');
    const drained = near({ code: 'headroom.drain', lengthMs: 168 * HOUR, used: 0.41, fullInMs: 6 * HOUR });
    expect(saidIn('de', german, () => nearPhrase(MODEL, drained)).replaceAll('\u202f', ' ')).toBe(
      'claude-sonnet-4-5 hat 41 % vom Wochen-Limit verbraucht, und der Rest würde etwa 6 h reichen',
    );
    const there = { account: 'anthropic-2', unit: 'share', lengthMs: 5 * HOUR, used: 0.23 } as const;
    const emptier = near({ code: 'headroom.spread', lengthMs: 168 * HOUR, used: 0.72, there });
    expect(saidIn('de', german, () => nearPhrase(MODEL, emptier)).replaceAll('\u202f', ' ')).toBe(
      'anthropic-2 hat mehr Spielraum: claude-sonnet-4-5 hat 72 % vom Wochen-Limit verbraucht, dort 23 % vom 5-Stunden-Limit',
    );
  });
});

describe('given a part of a limit', () => {
  it.each([
    [0, '0 %'],
    [0.724, '72 %'],
    [0.996, '99 %'],
    [1, '100 %'],
    [1.04, '104 %'],
  ])('when %d of it is spent, then it is %s: all of it is never said before it is', (part, said) => {
    expect(partPhrase(part).replaceAll('\u202f', ' ')).toBe(said);
  });
});

describe('given a time that is ahead', () => {
  it.each([
    [2 * HOUR, '16:20'],
    [19 * HOUR, '09:20'],
    [4 * 24 * HOUR, 'Mon 14:20'],
    [20 * 24 * HOUR, 'Feb 4'],
  ])('when it is %d ms away, then it is told as %s', (aheadMs, said) => {
    expect(when(NOW + aheadMs, NOW)).toBe(said);
  });
});

describe('given the windows of an account', () => {
  const [anthropic] = sampleHeadroom(NOW);

  it('when its provider names the one that rules, then it is that; else the fullest, and none where nothing is known', () => {
    const other = windowRow(NOW, { id: 'x', isRuling: false, used: 0.9 });
    const own = anthropic?.windows[0];
    expect(rulingOf({ windows: [other, ...(anthropic?.windows ?? [])] })).toBe(own);
    expect(rulingOf({ windows: [windowRow(NOW, { isRuling: false }), other] })).toBe(other);
    expect(rulingOf({ windows: [windowRow(NOW, { used: null })] })).toBeNull();
  });

  it('when one is of a family of models, refuses, or goes on for money, then that is said', () => {
    expect(windowPhrase(windowRow(NOW, { family: 'opus' }))).toBe('5 h limit, opus');
    expect(courseOf(windowRow(NOW, { isRefusing: true, forecast: null }), NOW)).toEqual([
      'refusing requests',
      'resets 16:20',
    ]);
    expect(
      courseOf(windowRow(NOW, { isRefusing: true, isOverdrawable: true, forecast: null, resetAt: null }), NOW),
    ).toEqual(['usage beyond it costs extra']);
  });
});

describe('given what is known of limits, for a terminal', () => {
  it('when there is something, then each account has its windows, with what is used, where it goes, and how old that is', () => {
    expect(
      headroomText({ headroom: sampleHeadroom(NOW), budgets: [], unknownHeaders: [], at: NOW }).replaceAll(
        '\u202f',
        ' ',
      ),
    ).toBe(
      [
        'anthropic',
        '  5 h limit   72 %  full about 15:20, resets 16:20  updated 4 s ago',
        '  week limit  41 %  resets Sun 02:20                updated 4 s ago',
        '',
        'openai (work)',
        '  tokens a minute, gpt-5  18 % of 2,000,000        resets 14:20  updated 4 s ago',
        '  week limit              unknown since its reset',
      ].join('\n'),
    );
  });

  it('when it was counted from our own usage, then it says that it is an estimate, and not when it was heard', () => {
    const counted = { source: 'counted', unit: 'requests', limit: 600, forecast: null, isRuling: false } as const;
    const windows = [
      windowRow(NOW, counted),
      windowRow(NOW, { ...counted, used: 0, resetAt: null, lengthMs: 24 * HOUR }),
    ];
    const kimi = { account: 'kimi', provider: 'kimi', label: null, isApart: false, windows };
    expect(
      headroomText({ headroom: [kimi], budgets: [], unknownHeaders: [], at: NOW })
        .replaceAll('\u202f', ' ')
        .split('\n'),
    ).toEqual([
      'kimi',
      '  requests in 5 h  72 % of 600  estimate, resets 16:20',
      '  requests a day   0 % of 600   estimate',
    ]);
  });

  it('when nothing was said yet, then it says where it comes from', () => {
    expect(headroomText({ headroom: [], budgets: [], unknownHeaders: [], at: NOW })).toMatch(
      /^No limit is known now\. Understudy reads limits/,
    );
  });

  it('when there are headers that nobody reads, then they come last, by provider', () => {
    const unknownHeaders = [
      { provider: 'gateway', names: ['x-gateway-quota', 'x-gateway-usage'] },
      { provider: 'z', names: ['x-z-ratelimit'] },
    ];
    expect(headroomText({ headroom: [], budgets: [], unknownHeaders, at: NOW }).split('\n').slice(2)).toEqual([
      'Unrecognised headers. These response headers may be limits, but their meaning is unknown. They never cause a switch.',
      '  gateway  x-gateway-quota, x-gateway-usage',
      '  z        x-z-ratelimit',
    ]);
  });
});
