import { describe, expect, it } from 'vitest';
import { detectLine, fallbackLine, healthLine, recoverLine } from '../../../src/core/fallback-log/lines';

const at = (time: string): number => Date.parse(`2026-03-17T${time}.789Z`);
const LEAD = 'openai/gpt-5.3-codex';
const NEXT = 'anthropic/claude-sonnet-4-20250514';
const SAID = { session: 'abc123', agent: 'build' };

describe('given the published format', () => {
  it.each([
    [
      detectLine(at('14:23:01'), {
        ...SAID,
        model: LEAD,
        kind: 'rate_limit',
        message: 'Rate limited. Quick retry in 1s...',
      }),
      '[2026-03-17T14:23:01Z] [DETECT] session=abc123 agent=build model=openai/gpt-5.3-codex trigger="rate limit" message="Rate limited. Quick retry in 1s..."',
    ],
    [
      fallbackLine(at('14:23:01'), { ...SAID, from: LEAD, to: NEXT, reason: 'rate_limit' }),
      '[2026-03-17T14:23:01Z] [FALLBACK] session=abc123 agent=build from=openai/gpt-5.3-codex to=anthropic/claude-sonnet-4-20250514 reason=rate_limit',
    ],
    [
      healthLine(at('14:23:45'), [
        { model: LEAD, state: 'cooling', next: { state: 'cooldown', inMs: 255_000 } },
        { model: 'anthropic/claude-sonnet-4', state: 'ready', next: null },
        { model: 'google/gemini-3-pro', state: 'unseen', next: null },
      ]),
      '[2026-03-17T14:23:45Z] [HEALTH] openai/gpt-5.3-codex: rate_limited (cooldown in 4m15s) | anthropic/claude-sonnet-4: healthy | google/gemini-3-pro: healthy',
    ],
    [
      recoverLine(at('14:28:01'), LEAD, 'cooling', 'resting'),
      '[2026-03-17T14:28:01Z] [RECOVER] openai/gpt-5.3-codex: rate_limited -> cooldown',
    ],
  ])('when a line is written, then it is as published', (line, published) => {
    expect(line).toBe(published);
  });

  it.each([
    [200, '1s'],
    [42_000, '42s'],
    [60_000, '1m'],
    [3_599_500, '1h'],
    [7_500_000, '2h5m'],
    [90_000_000, '25h'],
    [-5, '0s'],
  ])('when %i ms are left, then it says %s', (inMs, words) => {
    const [, said] =
      /in (\S+)\)/.exec(healthLine(0, [{ model: LEAD, state: 'open', next: { state: 'probing', inMs } }])) ?? [];
    expect(said).toBe(words);
  });

  it('when a model waits for its owner, then it says so', () => {
    expect(healthLine(0, [{ model: LEAD, state: 'blocked', next: null }])).toContain(
      'gpt-5.3-codex: blocked (needs you)',
    );
  });
});

describe('given words that could make a line say something else', () => {
  it.each([
    ['my agent', 'agent="my agent"'],
    ['a"b', 'agent="a\\"b"'],
    ['a=b', 'agent="a=b"'],
    ['a\n[2026-01-01T00:00:00Z] [RECOVER] x', 'agent="a [2026-01-01T00:00:00Z] [RECOVER] x"'],
    ['a\u202eb', 'agent="a b"'],
    ['', 'agent=""'],
    ['$(touch x)', 'agent="\\u0024(touch x)"'],
    ['`touch x`', 'agent="\\u0060touch x\\u0060"'],
    ['a;b', 'agent="a;b"'],
    ['a&b', 'agent="a&b"'],
    ['~', 'agent="~"'],
    ['Größe', 'agent=Größe'],
  ])('when an agent is called %j, then the line has %s', (agent, field) => {
    const line = fallbackLine(0, { session: 's', agent, from: LEAD, to: NEXT, reason: 'quota' });
    expect(line).toContain(` ${field} from=`);
    expect(line.split('\n')).toHaveLength(1);
  });

  it('when a message is meant for a shell, then no shell finds a command in it, and it still says the same', () => {
    const message = 'Slow down: $(touch owned) `touch owned` $HOME "$(id)"';
    const line = detectLine(0, { ...SAID, model: LEAD, kind: 'unknown', message });
    expect(line).not.toMatch(/[$`]/);
    expect(JSON.parse(/message=(".*")$/.exec(line)?.[1] ?? '""')).toBe(message);
  });

  it('when a message has quotes and line breaks, then it stays one text of one line, cut at 300 characters', () => {
    const message = `He said "no"\r\n[x] ${'long '.repeat(100)}`;
    const line = detectLine(0, { ...SAID, model: LEAD, kind: 'unknown', message });
    const text = JSON.parse(/message=(".*")$/.exec(line)?.[1] ?? '""') as string;
    expect([text.slice(0, 18), text.length]).toEqual(['He said "no"  [x] ', 300]);
  });
});
