import { describe, expect, it } from 'vitest';
import { windowsInEvent } from '../../../src/core/headroom/read-windows';

const SEEN_AT = 1_779_385_617_000;
const read = (event: unknown) => windowsInEvent(event, { provider: 'openai', seenAt: SEEN_AT }).windows;
const plan = {
  unit: 'share',
  of: 'account',
  limit: null,
  remaining: null,
  refills: 'at_reset',
  charges: 'used',
} as const;

describe('given an event of rate limits', () => {
  // As the program that receives them has it in its tests and logs: openai/codex, codex-rs/codex-api/src/rate_limits.rs.
  const event = {
    type: 'codex.rate_limits',
    plan_type: 'pro',
    rate_limits: {
      ...{ allowed: true, limit_reached: false },
      primary: { used_percent: 7, window_minutes: 300, reset_after_seconds: 13_168, reset_at: 1_779_398_785 },
      secondary: { used_percent: 29, window_minutes: 10_080, reset_after_seconds: 434_962, reset_at: 1_779_820_580 },
    },
    code_review_rate_limits: null,
  };

  it('when it tells of two windows, then both are read', () => {
    expect(read(event)).toEqual([
      { ...plan, id: 'codex-primary', lengthMs: 18_000_000, used: 0.07, resetInMs: 13_168_000 },
      { ...plan, id: 'codex-secondary', lengthMs: 604_800_000, used: 0.29, resetInMs: 434_962_000 },
    ]);
  });

  it('when it tells a point in time alone, then that is read', () => {
    const primary = { used_percent: 7, window_minutes: 300, reset_at: 1_779_398_785 };
    expect(read({ ...event, rate_limits: { primary } })).toMatchObject([
      { id: 'codex-primary', resetInMs: 13_168_000 },
    ]);
  });

  it('when there are credits, then it goes on for money', () => {
    const credits = { has_credits: true, unlimited: false, balance: '12.5' };
    expect(read({ ...event, credits }).map(({ isOverdrawable }) => isOverdrawable)).toEqual([true, true]);
  });

  it('when it is of another limit, then only its model is told, if anybody says which that is', () => {
    expect(read({ ...event, metered_limit_name: 'codex_bengalfox' })).toEqual([]);
    const named = { ...event, metered_limit_name: 'codex_bengalfox', limit_name: 'GPT-5.3-Codex-Spark' };
    expect(read(named).map(({ id, of }) => [id, of])).toEqual([
      ['codex-bengalfox-primary', { family: 'gpt-5.3-codex-spark' }],
      ['codex-bengalfox-secondary', { family: 'gpt-5.3-codex-spark' }],
    ]);
    expect(read({ ...event, metered_limit_name: 'codex' })).toHaveLength(2);
  });
});

describe('given an event of an error', () => {
  it('when it carries headers, then they are read as those of a response', () => {
    // https://github.com/raine/claude-code-proxy/pull/139
    const event = {
      ...{ type: 'error', status_code: 429 },
      error: { type: 'usage_limit_reached', plan_type: 'plus', resets_at: 1_788_879_437, resets_in_seconds: 9_568 },
      headers: {
        ...{ 'X-Codex-Primary-Window-Minutes': '300', 'X-Codex-Primary-Used-Percent': '100' },
        ...{ 'X-Codex-Primary-Reset-After-Seconds': '9569', 'X-Codex-Primary-Reset-At': '1788879438' },
        ...{ 'X-Codex-Secondary-Window-Minutes': '10080', 'X-Codex-Secondary-Reset-After-Seconds': '596369' },
      },
    };
    expect(read(event)).toEqual([
      { ...plan, id: 'codex-primary', lengthMs: 18_000_000, used: 1, resetInMs: 9_569_000 },
    ]);
  });
});

describe('given anything else', () => {
  it.each([
    ...[null, undefined, 1, 'codex.rate_limits', [], {}, { type: 'codex.rate_limits' }, { type: 'error' }],
    { type: 'codex.rate_limits', rate_limits: null },
    { type: 'codex.rate_limits', rate_limits: [] },
    { type: 'codex.rate_limits', rate_limits: { primary: { used_percent: '7%' }, secondary: 5 } },
    { type: 'codex.rate_limits', rate_limits: { primary: { used_percent: Number.NaN, window_minutes: 300 } } },
    { type: 'response.completed', rate_limits: { primary: { used_percent: 7, window_minutes: 300 } } },
    { type: 'error', headers: { 'x-codex-primary-used-percent': { deep: true } } },
  ])('when %j is read, then it has no windows', (event) => {
    expect(read(event)).toEqual([]);
  });
});
