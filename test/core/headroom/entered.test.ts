import { describe, expect, it } from 'vitest';
import { enteredIn } from '../../../src/core/headroom/entered';

describe('given limits in a user’s file', () => {
  it('when they are read, then each has a name of its own, and the days of the calendar are numbers', () => {
    const limits = enteredIn({
      headroom: {
        limits: {
          'zai-coding-plan': [{ requests: 600, hours: 5 }],
          mistral: [
            { tokens: 1_000, per: 'month' },
            { tokens: 30, per: 'day' },
            { requests: 9, per: 'month', resets: 15 },
          ],
          kimi: [
            { requests: 2_000, per: 'week', resets: 'wednesday' },
            { requests: 2_000, per: 'week' },
          ],
        },
      },
    });
    expect(limits.map(({ of, id, unit, amount, over }) => [of, id, unit, amount, over])).toEqual([
      ['zai-coding-plan', 'counted-requests-600-5h', 'requests', 600, { hours: 5 }],
      ['mistral', 'counted-tokens-1000-month', 'tokens', 1_000, { period: 'month', begins: undefined }],
      ['mistral', 'counted-tokens-30-day', 'tokens', 30, { period: 'day', begins: undefined }],
      ['mistral', 'counted-requests-9-month-15', 'requests', 9, { period: 'month', begins: 15 }],
      ['kimi', 'counted-requests-2000-week-wednesday', 'requests', 2_000, { period: 'week', begins: 2 }],
      ['kimi', 'counted-requests-2000-week', 'requests', 2_000, { period: 'week', begins: undefined }],
    ]);
  });

  it('when one stands there twice, then it is one; when limits are off, or none is entered, then there is none', () => {
    const limits = {
      a: [
        { requests: 6, hours: 5 },
        { requests: 6, hours: 5 },
      ],
      b: [{ requests: 6, hours: 5 }],
    };
    expect(enteredIn({ headroom: { limits } }).map(({ of }) => of)).toEqual(['a', 'b']);
    expect([enteredIn({ headroom: { act: 'off', limits } }), enteredIn({ headroom: {} }), enteredIn({})]).toEqual([
      [],
      [],
      [],
    ]);
  });
});
