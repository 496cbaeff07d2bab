import { describe, expect, it } from 'vitest';
import { bodyHintMs } from '../../../src/plugin/answer/body-hint';

const NOW = 1_760_000_000_000;
const hint = (body: unknown): number | null => bodyHintMs(typeof body === 'string' ? body : JSON.stringify(body), NOW);

describe('given a body that says when a limit ends', () => {
  it('when a plan of OpenAI names seconds, then they count before the point in time beside them', () => {
    expect(hint({ error: { type: 'usage_limit_reached', resets_in_seconds: 529_498, resets_at: 1 } })).toBe(
      529_498_000,
    );
  });
  it('when only a point in time is named, then the time until it counts, in seconds or in milliseconds', () => {
    expect([hint({ error: { resets_at: NOW / 1_000 + 90 } }), hint({ error: { resets_at: NOW + 90_000 } })]).toEqual([
      90_000, 90_000,
    ]);
  });
  it('when Google sends RetryInfo, alone or in a list, then its delay counts', () => {
    const error = {
      code: 429,
      details: [{ '@type': 'type.googleapis.com/google.rpc.QuotaFailure' }, { retryDelay: '28.5s' }],
    };
    expect([hint({ error }), hint([{ error }])]).toEqual([28_500, 28_500]);
  });
  it('when OpenRouter passes on a header, then the time until it counts', () => {
    expect(hint({ error: { metadata: { headers: { 'X-RateLimit-Reset': String(NOW + 1_000) } } } })).toBe(1_000);
  });
  it('when the point in time is past, then the wait is 0', () => {
    expect(hint({ error: { resets_at: 1 } })).toBe(0);
  });
});

describe('given a body that says nothing of the kind', () => {
  it('when it is a page, broken, empty or strange, then there is no hint', () => {
    const bodies = [
      '',
      '<html>',
      '{',
      '{}',
      '[]',
      'null',
      { error: { resets_in_seconds: 'soon' } },
      { error: { details: 'x' } },
      { error: { resets_at: -5 } },
    ];
    expect(bodies.map(hint)).toEqual(bodies.map(() => null));
  });
});
