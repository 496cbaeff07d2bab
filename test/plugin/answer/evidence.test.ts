import { describe, expect, it, vi } from 'vitest';
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
