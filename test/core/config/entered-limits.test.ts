import { describe, expect, it } from 'vitest';
import { parseConfig, resolveScope } from '../../../src/core/config';
import { ScopeConfig } from '../../../src/protocol';

const PATH = '/home/u/.config/opencode/model-fallback.json';
const read = (headroom: unknown) => parseConfig(JSON.stringify({ headroom }), PATH);
const toldOf = (limit: unknown) => {
  const { config, problems } = read({ act: 'warn', limits: { mistral: [{ requests: 9, hours: 1 }, limit] } });
  // Whatever is wrong, what stands beside it holds.
  expect([config?.headroom?.act, config?.headroom?.limits?.mistral?.[0]]).toEqual(['warn', { requests: 9, hours: 1 }]);
  return problems.map(({ message }) => message.replaceAll('headroom.limits.mistral[1]', '…'));
};

describe('given limits that a person enters', () => {
  it.each([
    [{ requests: 600, hours: 5 }],
    [{ tokens: 100_000_000, per: 'month' }],
    [{ tokens: 100_000_000, per: 'month', resets: 28 }],
    [{ requests: 2_000, per: 'week', resets: 'wednesday' }],
    [{ requests: 100, per: 'day' }],
  ])('when one is %j, then it is kept as it is', (limit) => {
    const { config, problems } = read({ limits: { kimi: [limit] } });
    expect([config?.headroom?.limits, problems]).toEqual([{ kimi: [limit] }, []]);
  });

  it.each([
    [
      { hours: 5 },
      ['….requests is missing. It must be a whole number of requests above 0, unless "tokens" is set. … is ignored.'],
    ],
    [
      { requests: 600 },
      ['….hours is missing. It must be a whole number of hours from 1 to 168, unless "per" is set. … is ignored.'],
    ],
    [{ requests: 600, tokens: 9, hours: 5 }, ['….tokens cannot be combined with "requests", not 9. It is ignored.']],
    [{ requests: 600, hours: 5, per: 'day' }, ['….per cannot be combined with "hours", not "day". It is ignored.']],
    [
      { requests: 600, hours: 5, resets: 'friday' },
      ['….resets needs "per": "week" or "per": "month", not "friday". It is ignored.'],
    ],
    [
      { requests: 600, per: 'week', resets: 3 },
      [
        '….resets must be a weekday such as "monday", not 3. It is ignored: a week begins on Monday, a month on the first.',
      ],
    ],
    [
      { requests: 600, per: 'month', resets: 'friday' },
      [
        '….resets must be a day of the month from 1 to 28, not "friday". It is ignored: a week begins on Monday, a month on the first.',
      ],
    ],
    [
      { requests: 600, per: 'month', resets: 31 },
      [
        '….resets must be a weekday such as "monday" for a week, or a day from 1 to 28 for a month, not 31. It is ignored: a week begins on Monday, a month on the first.',
      ],
    ],
    [
      { requests: 600, per: 'year' },
      ['….per must be one of day, week, month, not "year". It is ignored.', '… is ignored with it.'],
    ],
    [
      { requests: 0, hours: 5 },
      ['….requests must be a whole number of requests above 0, not 0. It is ignored.', '… is ignored with it.'],
    ],
    [
      { tokens: 1.5, hours: 169 },
      [
        '….tokens must be a whole number of tokens above 0, not 1.5. It is ignored.',
        '….hours must be a whole number of hours from 1 to 168, not 169. It is ignored.',
        '… is ignored with it.',
      ],
    ],
    [
      { tokens: 1e30, per: 'month' },
      ['….tokens must be a whole number of tokens above 0, not 1e+30. It is ignored.', '… is ignored with it.'],
    ],
    [
      { requests: 1e15, hours: 5 },
      ['….requests must be at most 1,000,000,000,000, not 1000000000000000. It is ignored.', '… is ignored with it.'],
    ],
    [{ requests: 1, hours: 5, weeks: 2 }, ['Unknown key "weeks" in …. It is ignored.']],
    [
      { request: 1, hours: 5 },
      [expect.stringContaining('is missing'), 'Unknown key "request" in …. Did you mean "requests"?'],
    ],
    ['600 in 5 h', ['… must be an object, not "600 in 5 h". It is ignored.']],
  ])('when one is %j, then it is told what is wrong with it, and where, and nothing else is lost', (limit, told) => {
    expect(toldOf(limit)).toEqual(expect.arrayContaining(told));
    expect(toldOf(limit)).toHaveLength(told.length);
  });

  it.each([
    [{ limits: [] }, 'headroom.limits must be an object of providers, not []. It is ignored.'],
    [
      { limits: { a: { requests: 1 } } },
      'headroom.limits.a must be a list of limits, not {"requests":1}. It is ignored.',
    ],
    [
      { limits: { a: Array.from({ length: 11 }, () => ({ requests: 1, hours: 1 })) } },
      expect.stringMatching(/^headroom\.limits\.a must have at most 10 limits, not /),
    ],
    [{ trustEstimates: 'yes' }, 'headroom.trustEstimates must be true or false, not "yes". It is ignored.'],
  ])('when the section says %j, then that alone is ignored', (headroom, told) => {
    const { config, problems } = read({ moveAt: 90, ...headroom });
    expect([config?.headroom?.moveAt, problems.map(({ message }) => message)]).toEqual([90, [told]]);
  });

  it.each([
    [undefined, undefined],
    [false, undefined],
    [true, true],
  ])('when estimates are said to be trusted with %j, then agents move for them: %j', (trustEstimates, trusts) => {
    const global = { path: PATH, ...read({ trustEstimates }) };
    const { config } = resolveScope({ global, project: null }, { leads: {}, defaultModel: null });
    expect(config.headroom?.trustsEstimates).toBe(trusts);
    // What is resolved is what goes over the wire.
    expect(ScopeConfig.parse(config)).toEqual(config);
  });
});
