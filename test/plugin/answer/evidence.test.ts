import { describe, expect, it, vi } from 'vitest';
import { createKindReader } from '../../../src/core/base/kind-reader';
import { builtInProviderMaps } from '../../../src/core/providers/built-in-providers';
import { classify } from '../../../src/engine';
import { isUnnamed } from '../../../src/engine/failure/classify';
import { hintOf } from '../../../src/engine/failure/hints';
import { errorBody, evidenceOfResponse } from '../../../src/plugin/answer/evidence';

const NOW = Date.UTC(2026, 10, 28, 12);
const HOUR = 3_600_000;
const SECOND = 1_000;

describe('given a 429 of a server whose clock differs from this machine’s', () => {
  const hintAt = (
    serverMs: number,
    said: (reset: number) => Readonly<{ headers?: Record<string, string>; body?: string }>,
  ) => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
    try {
      const { headers = {}, body = '{}' } = said(serverMs + 8 * SECOND);
      const date = new Date(serverMs).toUTCString();
      return hintOf(
        evidenceOfResponse(new Response(null, { status: 429, headers: { date, ...headers } }), body, 'x/m'),
      );
    } finally {
      vi.useRealTimers();
    }
  };
  const iso = (at: number): string => new Date(at).toISOString();
  const said = {
    'a reset header in Unix seconds': (at: number) => ({ headers: { 'x-ratelimit-reset': String(at / SECOND) } }),
    'a reset header as a date': (at: number) => ({ headers: { 'anthropic-ratelimit-requests-reset': iso(at) } }),
    'a Retry-After date': (at: number) => ({ headers: { 'retry-after': new Date(at).toUTCString() } }),
    'a sentence': (at: number) => ({ body: JSON.stringify({ error: { message: `Resets at ${iso(at)}` } }) }),
    'a field of the body': (at: number) => ({ body: JSON.stringify({ error: { resets_at: at / SECOND } }) }),
  };

  it.each(
    Object.entries(said).flatMap(([name, make]) =>
      [-23, -2, -0.5, 0.5, 2, 23].map((hours) => [name, hours, make] as const),
    ),
  )('when %s names 8 s after its Date and its clock is %s h off, then the wait is 8 s', (_, hours, make) => {
    expect(hintAt(NOW + hours * HOUR, make)).toBe(8 * SECOND);
  });

  it('when both clocks agree within a second, then this machine’s counts, which has milliseconds', () => {
    const half = NOW + 500;
    expect(hintAt(half, (at) => ({ headers: { 'x-ratelimit-reset': String(at) } }))).toBe(8_500);
  });

  it('when its Date is more than a day off, then waits count from the arrival', () => {
    expect(hintAt(NOW + 25 * HOUR, said['a reset header in Unix seconds'])).toBe(25 * HOUR + 8 * SECOND);
  });

  it('when it has no Date that can be read, then waits count from the arrival', () => {
    const reset = { headers: { date: 'soon', 'x-ratelimit-reset': String(NOW / SECOND + 30) } };
    expect(hintAt(NOW, () => reset)).toBe(30 * SECOND);
  });
});

describe('given the body of an error', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const partly = (end: () => Promise<void>): Response => {
    const parts = [async (to: ReadableStreamDefaultController) => to.enqueue(bytes('{"error":')), end];
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => parts.shift()?.(controller) });
    return new Response(body, { status: 429, headers: { 'retry-after': '600' } });
  };

  it('when half of it comes and then silence, then status and Retry-After are told after 5 s', async () => {
    vi.useFakeTimers();
    try {
      const response = partly(() => new Promise(() => undefined));
      const reading = errorBody(response);
      await vi.advanceTimersByTimeAsync(5_000);
      const evidence = evidenceOfResponse(response, await reading, 'x/m');
      expect([evidence.status, hintOf(evidence)]).toEqual([429, 600 * SECOND]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('when it breaks off, then what has come is read', async () => {
    expect(await errorBody(partly(() => Promise.reject(new Error('reset'))))).toBe('{"error":');
  });

  it('when it does not end, then a million characters of it are read', async () => {
    const page = bytes('x'.repeat(65_536));
    const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(page) });
    expect((await errorBody(new Response(endless))).length).toBe(1_048_576);
  });

  it.each([[null], ['']])('when it is %j, then it is empty', async (body) => {
    expect(await errorBody(new Response(body))).toBe('');
  });
});

describe('given a 429 with several limits', () => {
  const hintOf429 = (model: string, headers: Readonly<Record<string, string>>): number | null => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
    try {
      return hintOf(evidenceOfResponse(new Response(null, { status: 429, headers }), '{}', model));
    } finally {
      vi.useRealTimers();
    }
  };
  const inSeconds = (seconds: number): string => String(NOW / SECOND + seconds);
  const plan = (five: string, seven: string, status = 'rejected') => ({
    'anthropic-ratelimit-unified-status': status,
    'anthropic-ratelimit-unified-reset': inSeconds(14_400),
    'anthropic-ratelimit-unified-5h-status': five,
    'anthropic-ratelimit-unified-5h-utilization': five === 'rejected' ? '1.0' : '0.04',
    'anthropic-ratelimit-unified-5h-reset': inSeconds(7_200),
    'anthropic-ratelimit-unified-7d-status': seven,
    'anthropic-ratelimit-unified-7d-utilization': seven === 'rejected' ? '1.0' : '0.67',
    'anthropic-ratelimit-unified-7d-reset': inSeconds(90_000),
  });
  const bucket = (requests: string, tokens: string) => ({
    'x-ratelimit-limit-requests': '100',
    'x-ratelimit-remaining-requests': requests,
    'x-ratelimit-reset-requests': '30s',
    'x-ratelimit-limit-tokens': '10000',
    'x-ratelimit-remaining-tokens': tokens,
    'x-ratelimit-reset-tokens': '50s',
  });

  it.each<[string, string, Readonly<Record<string, string>>, number | null]>([
    ['no window of a plan is rejected', 'anthropic/c', plan('allowed', 'allowed', 'allowed'), null],
    ['its five hours are rejected', 'anthropic/c', plan('rejected', 'allowed'), 7_200],
    ['its week is rejected', 'anthropic/c', plan('allowed', 'rejected'), 90_000],
    ['both are rejected', 'anthropic/c', plan('rejected', 'rejected'), 90_000],
    ['requests and tokens have room', 'openai/g', bucket('5', '400'), null],
    ['requests are used up', 'openai/g', bucket('0', '400'), 30],
    ['tokens are used up', 'openai/g', bucket('5', '0'), 50],
    ['both are used up', 'groq/g', bucket('0', '0'), 50],
    ['a reset alone is told', 'other/x', { 'x-ratelimit-reset': '30' }, 30],
  ])('when %s (%s), then that alone sets the wait', (_, model, headers, seconds) => {
    expect(hintOf429(model, headers)).toBe(seconds === null ? null : seconds * SECOND);
  });

  it('when it says Retry-After as well, then that counts', () => {
    expect(hintOf429('openai/g', { ...bucket('0', '0'), 'retry-after': '3' })).toBe(3 * SECOND);
  });
});

describe('given a 400 that concerns the account or the model, and not the request', () => {
  const read = createKindReader(builtInProviderMaps, []);
  const failureOf = (provider: string, body: unknown) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const evidence = evidenceOfResponse(new Response(null, { status: 400 }), text, `${provider}/m`);
    const named = { ...evidence, ...read(provider, evidence) };
    const failure = classify(named);
    return { kind: failure.kind, lane: failure.lane, isUnnamed: isUnnamed(named, failure) };
  };
  const anthropic = (message: string, type = 'invalid_request_error') => ({ type: 'error', error: { type, message } });
  const routed = (raw: unknown, code: number | string = 400) => ({
    error: { message: 'Provider returned error', code, metadata: { raw, provider_name: 'Somebody' } },
  });
  const IMAGES = { error: { message: 'This model supports at most 1 image per prompt' } };

  it.each<[string, string, unknown, string]>([
    [
      'anthropic',
      'usage of third parties',
      anthropic(
        'Third-party apps now draw from your extra usage, not your plan limits. Add more at claude.ai/settings.',
      ),
      'quota',
    ],
    [
      'litellm',
      'a budget of a gateway',
      {
        error: {
          message: 'Budget has been exceeded! Current cost: 5.1, Max budget: 5.0',
          type: 'budget_exceeded',
          code: '400',
        },
      },
      'quota',
    ],
    [
      'litellm',
      'the same without words',
      { error: { message: 'Refused', type: 'budget_exceeded', code: '400' } },
      'quota',
    ],
    [
      'somebody',
      'the same of another gateway',
      { error: { message: 'Budget exceeded', code: 'budget_exceeded' } },
      'quota',
    ],
    [
      'github-copilot',
      'an endpoint that the model lacks',
      {
        error: {
          message: 'model "m" is not accessible via the /responses endpoint',
          code: 'unsupported_api_for_model',
        },
      },
      'model_not_found',
    ],
    ['openrouter', 'an inner reason as text', routed(JSON.stringify(IMAGES)), 'unsupported_input'],
    ['openrouter', 'an inner reason as an object', routed(IMAGES), 'unsupported_input'],
    ['somebody', 'JSON in place of a message', { error: { message: JSON.stringify(IMAGES) } }, 'unsupported_input'],
    ['openrouter', 'an inner sentence', routed('The model m does not exist'), 'model_not_found'],
    [
      'openrouter',
      'error_msg and error_code',
      routed({ error_msg: 'nope', error_code: 'insufficient_quota' }),
      'quota',
    ],
    [
      'openrouter',
      'two images of at most 4',
      routed({ error: { message: 'at most 4 images are allowed' } }),
      'unsupported_input',
    ],
  ])('when %s answers with %s, then another model may answer', (provider, _, body, kind) => {
    expect(failureOf(provider, body)).toMatchObject({ kind, isUnnamed: false });
  });

  it.each<[string, unknown, boolean]>([
    ['a code and words that nobody knows', anthropic('the moon is full'), true],
    ['words alone that nobody knows', { error: { message: 'the moon is full' } }, true],
    ['raw text without a reason', routed(''), true],
    ['a page behind a router', routed('<html>secret prompt</html>'), true],
    ['a part of a request behind a router', routed('{"messages":[{"content":"secret prompt"'), true],
    ['JSON that is broken', routed('{"error":'), true],
  ])('when it is %s, then it is an invalid request that waits in the inbox: %s', (_, body, isInInbox) => {
    expect(failureOf('anthropic', body)).toEqual({ kind: 'invalid_request', lane: 'neutral', isUnnamed: isInInbox });
    const evidence = evidenceOfResponse(new Response(null, { status: 400 }), JSON.stringify(body), 'openrouter/m');
    expect(evidence.message).not.toContain('secret');
  });

  it('when the user has a phrase for it, then it does not wait there', () => {
    const taught = createKindReader(builtInProviderMaps, [{ phrase: 'moon is full', kind: 'invalid_request' }]);
    expect(taught('anthropic', { status: 400, message: 'the moon is full' })?.mapped).toEqual({
      kind: 'invalid_request',
    });
  });
});
