import { describe, expect, it } from 'vitest';
import { failureOfAnswer, type ProviderAnswer, readEach } from '../../support/provider-fixtures';

const SEEN = '2026-03-17T14:23:01Z';
const NOW = Date.parse(SEEN);
const SENTENCE = 'Rate limit reached';

type Part = Partial<ProviderAnswer>;

const failureOf = (provider: string, part: Part) =>
  failureOfAnswer({
    provider,
    wire: 'chat',
    status: 429,
    body: { error: { message: SENTENCE } },
    seenAt: SEEN,
    ...part,
  });

const header =
  (name: string, write: (seconds: number) => string, others: Readonly<Record<string, string>> = {}) =>
  (seconds: number): Part => ({ headers: { ...others, [name]: write(seconds) } });
const field =
  (write: (seconds: number) => Readonly<Record<string, unknown>>) =>
  (seconds: number): Part => ({ body: { error: { message: SENTENCE, ...write(seconds) } } });
const words =
  (write: (seconds: number) => string) =>
  (seconds: number): Part => ({ body: { error: { message: `${SENTENCE}. ${write(seconds)}` } } });

const at = (seconds: number): number => NOW + seconds * 1_000;
const unix = (seconds: number): string => String(at(seconds) / 1_000);
const iso = (seconds: number): string => new Date(at(seconds)).toISOString();
const http = (seconds: number): string => new Date(at(seconds)).toUTCString();
/** The clock of a wall in Shanghai. */
const shanghai = (seconds: number): string =>
  iso(seconds + 8 * 3_600)
    .slice(0, 19)
    .replace('T', ' ');
const REJECTED = {
  'anthropic-ratelimit-unified-5h-status': 'rejected',
  'anthropic-ratelimit-unified-5h-utilization': '1',
};
const FULL = { 'x-codex-primary-used-percent': '100', 'x-codex-primary-window-minutes': '300' };
const retryInfo = (delay: string) => ({
  details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: delay }],
});

type Rule = readonly [
  name: string,
  vendors: readonly [first: string, second: string],
  write: (seconds: number) => Part,
  /** The wait at 0 s and at a minute ago, in ms. */
  zero: number | null,
  past: number | null,
];

const WAITS: readonly Rule[] = [
  ['retry-after in seconds', ['openai', 'groq'], header('retry-after', String), 0, null],
  ['retry-after as a date', ['anthropic', 'mistral'], header('retry-after', http), 0, 0],
  ['retry-after-ms', ['azure', 'xai'], header('retry-after-ms', (s) => String(s * 1_000)), 0, null],
  ['x-ratelimit-reset in seconds', ['togetherai', 'aisix'], header('x-ratelimit-reset', String), 0, null],
  ['x-ratelimit-reset in Unix seconds', ['github-models', 'chutes'], header('x-ratelimit-reset', unix), 0, 0],
  ['x-ratelimit-reset in Unix ms', ['openrouter', 'nvidia'], header('x-ratelimit-reset', (s) => String(at(s))), 0, 0],
  ['x-ratelimit-reset-requests', ['openai', 'groq'], header('x-ratelimit-reset-requests', (s) => `${s}s`), 0, null],
  ['x-ratelimit-reset-tokens', ['openai', 'groq'], header('x-ratelimit-reset-tokens', (s) => `${s}s`), 0, null],
  [
    'anthropic-ratelimit-tokens-reset',
    ['anthropic', 'google-vertex-anthropic'],
    header('anthropic-ratelimit-tokens-reset', iso),
    0,
    0,
  ],
  [
    'anthropic-ratelimit-unified-5h-reset of a rejected window',
    ['anthropic', 'my-proxy'],
    header('anthropic-ratelimit-unified-5h-reset', unix, REJECTED),
    null,
    null,
  ],
  [
    'anthropic-ratelimit-unified-7d-reset of a rejected window',
    ['anthropic', 'my-proxy'],
    header('anthropic-ratelimit-unified-7d-reset', unix, { 'anthropic-ratelimit-unified-7d-status': 'rejected' }),
    null,
    null,
  ],
  [
    'anthropic-ratelimit-unified-reset alone',
    ['anthropic', 'my-proxy'],
    header('anthropic-ratelimit-unified-reset', unix),
    0,
    0,
  ],
  [
    'x-codex-primary-reset-after-seconds of a full window',
    ['openai', 'my-proxy'],
    header('x-codex-primary-reset-after-seconds', String, FULL),
    null,
    null,
  ],
  ['RetryInfo', ['google', 'google-vertex'], field((s) => retryInfo(`${s}s`)), 0, null],
  ['resets_in_seconds', ['openai', 'my-proxy'], field((s) => ({ resets_in_seconds: s })), 0, null],
  ['resets_at', ['openai', 'my-proxy'], field((s) => ({ resets_at: at(s) / 1_000 })), 0, 0],
  [
    'headers that a router passes on',
    ['openrouter', 'my-proxy'],
    field((s) => ({ metadata: { headers: { 'X-RateLimit-Reset': String(at(s)) } } })),
    0,
    0,
  ],
  [
    'the same fields in the body that stands for a message',
    ['google', 'my-proxy'],
    field((s) => ({ message: JSON.stringify({ error: { message: SENTENCE, ...retryInfo(`${s}s`) } }) })),
    0,
    null,
  ],
  [
    'the same fields in the inner reason of a router',
    ['openrouter', 'my-proxy'],
    field((s) => ({ metadata: { raw: JSON.stringify({ error: { message: SENTENCE, resets_in_seconds: s } }) } })),
    0,
    null,
  ],
  [
    'a field of an error within a stream',
    ['openai', 'my-proxy'],
    (s) => ({
      status: 200,
      wire: 'responses',
      body: { type: 'error', error: { type: 'rate_limit_error', message: SENTENCE, resets_in_seconds: s } },
    }),
    0,
    null,
  ],
  ['"try again in …s"', ['openai', 'deepseek'], words((s) => `Please try again in ${s}s.`), 0, null],
  ['"wait … seconds"', ['azure', 'github-copilot'], words((s) => `Please wait ${s} seconds.`), 0, null],
  ['"resets at" with a zone', ['zai', 'moonshotai'], words((s) => `It resets at ${iso(s)}.`), null, null],
  [
    '"reset at" by the clock of the provider',
    ['zai', 'zhipuai'],
    words((s) => `It will reset at ${shanghai(s)}`),
    null,
    null,
  ],
  [
    '"limit reached|" and Unix seconds',
    ['anthropic', 'my-proxy'],
    words((s) => `usage limit reached|${unix(s)}`),
    null,
    null,
  ],
];

describe.each(WAITS)('given a wait by %s', (_, [first, second], write, zero, past) => {
  const waits = (vendor: string, seconds: readonly number[]) =>
    readEach(seconds, async (s) => (await failureOf(vendor, write(s))).hintMs);

  it('when the field is absent, then there is no wait', async () => {
    expect([(await failureOf(first, {})).hintMs, (await failureOf(second, {})).hintMs]).toEqual([null, null]);
  });

  it('when it is 60 s and 120 s, then the wait is that long, for both vendors', async () => {
    expect([await waits(first, [60, 120]), await waits(second, [60, 120])]).toEqual([
      [60_000, 120_000],
      [60_000, 120_000],
    ]);
  });

  it(`when it is 0, then the wait is ${zero}; when it is in the past, ${past}`, async () => {
    expect([await waits(first, [0, -60]), await waits(second, [0, -60])]).toEqual([
      [zero, past],
      [zero, past],
    ]);
  });

  it('when it changes, then the kind does not', async () => {
    const kinds = await readEach([60, 120, 0, -60], async (s) => (await failureOf(first, write(s))).kind);
    expect(new Set(kinds).size).toBe(1);
  });
});

describe('given a time by the clock of a provider whose zone no map names', () => {
  it('when it lies 60 s ahead, then there is no wait', async () => {
    const part = words((s) => `It will reset at ${shanghai(s)}`)(60);
    expect([(await failureOf('openai', part)).hintMs, (await failureOf('zai', part)).hintMs]).toEqual([null, 60_000]);
  });
});
