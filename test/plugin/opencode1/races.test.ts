import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { standingOf } from '../../../src/engine';
import { delta, drive, event, PING, STOP, TEXT, THINKING, TOOL } from '../support/driven-stream';
import { type Double, journalOf, textIn } from '../support/opencode-double';

const LIMITS = { firstTokenTimeoutMs: 1_000, stallTimeoutMs: 10_000 };
const now = (): number => performance.now();

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const failuresOf = ({ brain }: Double): number => standingOf(brain.state(), 'lead/one', brain.now()).failures;

describe('given a model that thinks for long', () => {
  it.each([
    ['reasoning', THINKING],
    ['a tool call', TOOL],
    ['text', TEXT],
  ])(
    'when %s has come before the limit for the first token, then that limit is over and each piece counts',
    async (_, piece) => {
      const { double, response, send, end } = drive('chat', { limits: LIMITS, now });
      await vi.advanceTimersByTimeAsync(999);
      send(piece);
      const reading = (await response).text();
      for (let waited = 0; waited < 10; waited++) {
        await vi.advanceTimersByTimeAsync(9_999);
        send(piece);
      }
      send(TEXT, STOP);
      end();
      await reading;
      expect(journalOf(double.brain)).toEqual(['attempt.started', 'attempt.succeeded']);
    },
  );

  it('when nothing but pings comes, then the limit for the first token ends it', async () => {
    const { double, response, send } = drive('chat', { limits: LIMITS, now });
    for (let waited = 0; waited < 10; waited++) {
      send(PING);
      await vi.advanceTimersByTimeAsync(100);
    }
    await response;
    expect([
      double.model(),
      double.brain.since(0).find(({ event: told }) => told.type === 'attempt.failed')?.event,
    ]).toEqual([
      'spare/two',
      expect.objectContaining({ durationMs: 1_000, evidence: expect.objectContaining({ observed: 'timeout' }) }),
    ]);
  });

  it('when nothing but pings follows its thinking, then the limit between pieces ends it', async () => {
    const { double, response, send } = drive('chat', { limits: LIMITS, now });
    send(THINKING);
    const reading = (await response).text();
    for (let waited = 0; waited < 9; waited++) {
      await vi.advanceTimersByTimeAsync(1_000);
      send(PING);
    }
    expect(double.model()).toBe('lead/one');
    await vi.advanceTimersByTimeAsync(1_000);
    await reading;
    expect(double.model()).toBe('spare/two');
  });
});

describe('given a stop by the user, told more than once', () => {
  it.each([0, 500, 999])(
    'when it comes %d ms after the request, before anything was said, then one abort is told and nobody is blamed',
    async (ms) => {
      const user = new AbortController();
      const { double, response, requests } = drive('chat', { limits: LIMITS, now, signal: user.signal });
      const stopped = response.catch((cause: Error) => cause.name);
      await vi.advanceTimersByTimeAsync(ms);
      user.abort();
      expect(await stopped).toBe('AbortError');
      await vi.advanceTimersByTimeAsync(60_000);
      expect([journalOf(double.brain), requests(), double.prompts, failuresOf(double)]).toEqual([
        ['attempt.started', 'attempt.aborted'],
        1,
        [],
        0,
      ]);
    },
  );

  it('when signal and reader both tell it in mid-stream, then one abort is told, and what comes later blames nobody', async () => {
    const user = new AbortController();
    const { double, response, send, requests } = drive('chat', { limits: LIMITS, now, signal: user.signal });
    send(TEXT);
    const reader = ((await response).body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    const next = reader.read().catch((cause: Error) => cause.name);
    user.abort();
    await reader.cancel().catch(() => undefined);
    expect(await next).toBe('AbortError');
    await vi.advanceTimersByTimeAsync(60_000);
    expect([journalOf(double.brain), requests(), double.prompts, failuresOf(double)]).toEqual([
      ['attempt.started', 'attempt.aborted'],
      1,
      [],
      0,
    ]);
  });

  it('when its reader leaves and the stream then breaks, then nobody is blamed', async () => {
    const { double, response, send } = drive('chat', { limits: LIMITS, now });
    send(TEXT);
    const reader = ((await response).body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.cancel();
    expect(() => send(event({ error: { message: 'Overloaded' } }))).toThrow();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([journalOf(double.brain), failuresOf(double)]).toEqual([['attempt.started', 'attempt.aborted'], 0]);
  });
});

describe('given a failure that is seen twice', () => {
  it('when the stream breaks and its reader leaves as well, then it is one failed attempt', async () => {
    const { double, response, send, cut } = drive('chat', { limits: LIMITS, now });
    send(TEXT);
    const reader = ((await response).body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    cut();
    await vi.advanceTimersByTimeAsync(0);
    await reader.cancel();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([journalOf(double.brain), failuresOf(double)]).toEqual([
      ['attempt.started', 'attempt.failed', 'switch.carried'],
      1,
    ]);
  });

  it('when OpenCode’s limit and ours end the same silence, then it is one failed attempt', async () => {
    const limit = new AbortController();
    const { double, response, send } = drive('chat', { limits: LIMITS, now, signal: limit.signal });
    send(TEXT);
    const reading = (await response).text();
    await vi.advanceTimersByTimeAsync(10_000);
    limit.abort(new DOMException('The operation timed out.', 'TimeoutError'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([textIn(await reading), journalOf(double.brain)]).toEqual([
      'Hello',
      ['attempt.started', 'attempt.failed', 'switch.carried'],
    ]);
  });

  it('when an error follows a whole answer, then the answer has succeeded', async () => {
    const { double, response, send, cut } = drive('chat', { limits: LIMITS, now });
    send(TEXT, STOP, event({ error: { message: 'late' } }));
    const reading = (await response).text();
    cut();
    await reading;
    expect(journalOf(double.brain)).toEqual(['attempt.started', 'attempt.succeeded']);
  });

  it('when text and an error arrive together, then the text is not shown by halves', async () => {
    const { response, send } = drive('chat', { limits: LIMITS, now });
    send(delta({ content: 'half' }), event({ error: { message: 'Overloaded' } }));
    expect(textIn(await (await response).text())).toBe('');
  });
});
