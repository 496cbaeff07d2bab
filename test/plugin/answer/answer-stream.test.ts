import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AnswerStream, followAnswer } from '../../../src/plugin/answer/answer-stream';
import type { Wire } from '../../../src/plugin/answer/wire';

const LIMIT_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A stream driven by hand; the clock is the test's. */
function open(wire: Wire = 'chat') {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (own) => {
      controller = own;
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  const stream = followAnswer(body, wire, () => Date.now());
  const send = (...events: string[]) => controller?.enqueue(new TextEncoder().encode(events.join('')));
  return {
    stream,
    send,
    end: () => controller?.close(),
    cut: (message: string) => controller?.error(new TypeError(message)),
    isCancelled: () => isCancelled,
  };
}

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
const delta = (value: unknown, finish: string | null = null): string =>
  event({ choices: [{ index: 0, delta: value, finish_reason: finish }] });
const TEXT = delta({ content: 'Hello' });
const THINKING = delta({ reasoning_content: 'Hm' });
const TOOL = delta({ tool_calls: [{ index: 0, function: { name: 'read' } }] });
const STOP = delta({}, 'stop');
const PING = ': ping\n\n';

/** Reads to the end or the failure. */
async function readAll(stream: AnswerStream) {
  for (;;) {
    const reading = await stream.read(LIMIT_MS);
    if (reading.kind !== 'events') return reading;
  }
}

describe('given a stream that falls silent', () => {
  it.each([
    ['text', TEXT],
    ['reasoning', THINKING],
    ['a tool call', TOOL],
  ])('when %s arrives at 999 of 1000 ms, then the limit counts from there', async (_, progress) => {
    const { stream, send } = open();
    await vi.advanceTimersByTimeAsync(LIMIT_MS - 1);
    send(progress);
    expect((await stream.read(LIMIT_MS)).kind).toBe('events');
    const silent = stream.read(LIMIT_MS);
    let isOver = false;
    void silent.then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(LIMIT_MS - 1);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await silent).toMatchObject({ kind: 'failed', evidence: { phase: 'watchdog', observed: 'timeout' } });
  });

  it.each([
    ['comments', PING],
    ['pings', 'event: ping\ndata: {"type":"ping"}\n\n'],
    ['empty deltas', delta({ role: 'assistant', content: '' })],
  ])('when only %s arrive every 400 ms, then it fails after 1000 ms all the same', async (_, noise) => {
    const { stream, send } = open();
    const result = readAll(stream);
    for (let at = 0; at < 2; at++) {
      await vi.advanceTimersByTimeAsync(400);
      send(noise);
    }
    await vi.advanceTimersByTimeAsync(200);
    expect(await result).toMatchObject({
      kind: 'failed',
      evidence: { observed: 'timeout', outputChars: 0 },
      cause: { name: 'SilenceError' },
    });
  });

  it('when it is read slower than it arrives, then what has arrived is never a silence', async () => {
    const { stream, send } = open();
    send(TEXT);
    await vi.advanceTimersByTimeAsync(5 * LIMIT_MS);
    expect((await stream.read(LIMIT_MS)).kind).toBe('events');
  });
});

describe('given an answer that ends', () => {
  it.each([
    ['text and stop', [TEXT, STOP]],
    ['a tool call and its finish', [TOOL, delta({}, 'tool_calls')]],
    ['nothing but length', [delta({}, 'length')]],
    ['nothing but a filter', [delta({}, 'content_filter')]],
  ])('when it had %s, then it is whole', async (_, events) => {
    const { stream, send, end } = open();
    send(...events);
    end();
    expect([await readAll(stream), stream.hasAnswer()]).toEqual([{ kind: 'end' }, true]);
  });

  it.each<[string, readonly string[], string, number]>([
    ['text without a finish', [TEXT], 'early_termination', 5],
    ['nothing at all', [], 'early_termination', 0],
    ['comments alone', [PING], 'early_termination', 0],
    ['stop without an answer', [STOP], 'empty_response', 0],
    ['thinking and stop', [THINKING, STOP], 'empty_response', 0],
  ])('when it had %s, then it failed', async (_, events, observed, outputChars) => {
    const { stream, send, end } = open();
    if (events.length > 0) send(...events);
    end();
    expect(await readAll(stream)).toEqual({
      kind: 'failed',
      evidence: { phase: 'stream', observed, outputChars },
      events: [],
      cause: null,
    });
  });

  it('when the end cuts the last blank line off, then the finish is still seen', async () => {
    const { stream, send, end } = open();
    send(TEXT, STOP.trimEnd());
    end();
    expect(await readAll(stream)).toEqual({ kind: 'end' });
  });

  it('when it is thinking, then there is content and no answer', async () => {
    const { stream, send } = open();
    send(THINKING);
    await stream.read(LIMIT_MS);
    expect([stream.hasContent(), stream.hasAnswer(), stream.isFinished()]).toEqual([true, false, false]);
  });
});

describe('given an error in the stream', () => {
  it('when it comes after text, then it is read with what had arrived, and the events are kept', async () => {
    const { stream, send } = open();
    const error = event({ error: { message: 'Overloaded', code: 529, type: 'overloaded_error' } });
    send(TEXT, error);
    expect(await stream.read(LIMIT_MS)).toEqual({
      kind: 'failed',
      evidence: { phase: 'stream', message: 'Overloaded', code: 'overloaded_error', status: 529, outputChars: 5 },
      events: [TEXT, error],
      cause: null,
    });
  });

  it.each([
    ['a field', { type: 'usage_limit_reached', message: 'The usage limit has been reached', resets_in_seconds: 90 }],
    ['a message of 700 characters', { message: `${'.'.repeat(660)} Please try again in 90s.` }],
  ])('when %s names a wait of 90 s, then the evidence has it', async (_, error) => {
    const { stream, send } = open();
    send(event({ type: 'error', error }));
    expect(await stream.read(LIMIT_MS)).toMatchObject({ kind: 'failed', evidence: { hintMs: 90_000 } });
  });

  it('when it comes after the finish, then the answer is whole', async () => {
    const { stream, send, end } = open();
    send(TEXT, STOP, event({ error: { message: 'late' } }));
    end();
    expect(await readAll(stream)).toEqual({ kind: 'end' });
  });
});

describe('given a connection that is lost', () => {
  it('when it is in the middle of text, then the stream was interrupted', async () => {
    const { stream, send, cut } = open();
    send(TEXT);
    await stream.read(LIMIT_MS);
    cut('terminated');
    expect(await stream.read(LIMIT_MS)).toMatchObject({
      kind: 'failed',
      evidence: { phase: 'stream', observed: 'stream_interrupted', message: 'terminated', outputChars: 5 },
      cause: expect.any(TypeError),
    });
  });

  it.each([
    ['text', TEXT],
    ['a tool call', TOOL],
  ])('when it is after %s and the finish, then nothing is missing', async (_, answer) => {
    const { stream, send, cut } = open();
    send(answer, STOP);
    await stream.read(LIMIT_MS);
    cut('terminated');
    expect(await stream.read(LIMIT_MS)).toEqual({ kind: 'end' });
  });

  it('when it is after a finish without an answer, then it was interrupted', async () => {
    const { stream, send, cut } = open();
    send(STOP);
    await stream.read(LIMIT_MS);
    cut('terminated');
    expect(await stream.read(LIMIT_MS)).toMatchObject({ kind: 'failed', evidence: { observed: 'stream_interrupted' } });
  });
});

describe('given an anthropic stream', () => {
  it('when blocks open and close, then the open one is known', async () => {
    const { stream, send } = open('anthropic');
    const seen: (number | null)[] = [];
    for (const data of [
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    ]) {
      send(event(data));
      await stream.read(LIMIT_MS);
      seen.push(stream.openBlock());
    }
    expect(seen).toEqual([0, null, 1]);
  });
});

describe('given a reader who has had enough', () => {
  it('when it cancels, then the connection is freed', async () => {
    const { stream, isCancelled } = open();
    stream.cancel();
    await vi.advanceTimersByTimeAsync(0);
    expect(isCancelled()).toBe(true);
  });
});

describe('given an answer that ends without a reason', () => {
  const DONE = 'data: [DONE]\n\n';
  const CALL = delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'x', arguments: '{}' } }] });

  async function readAll(...events: readonly string[]) {
    const { stream, send, end } = open();
    send(...events);
    end();
    // What was sent, the end of the body, and what follows.
    for (let n = 0; n < 2; n++) await stream.read(LIMIT_MS);
    return { stream, last: await stream.read(LIMIT_MS) };
  }

  it.each([
    ['text', TEXT, 'stop'],
    ['a call', CALL, 'tool_calls'],
  ])(
    'when %s and the end mark came, then it is whole, and OpenCode gets the finish before the mark',
    async (_, event, finish) => {
      const { stream, last } = await readAll(event, DONE);
      expect(last).toEqual({ kind: 'end' });
      const passed = stream.mended(event + DONE);
      expect(passed.startsWith(event)).toBe(true);
      expect(passed).toMatch(new RegExp(`"finish_reason":"${finish}".*\\n\\ndata: \\[DONE\\]\\n\\n$`));
    },
  );

  it.each([
    ['the end mark alone', [DONE], 'early_termination'],
    ['thoughts and the end mark', [delta({ reasoning: 'hm' }), DONE], 'early_termination'],
    ['text without the mark', [TEXT], 'early_termination'],
    ['a finish and no answer', [delta({}, 'stop'), DONE], 'empty_response'],
    ['a reason that no list names and no answer', [delta({}, 'because'), DONE], 'early_termination'],
  ])('when it is %s, then it is %s', async (_, events, observed) => {
    const { last, stream } = await readAll(...events);
    expect([last, stream.mended(events.join(''))]).toEqual([
      { kind: 'failed', events: [], cause: null, evidence: expect.objectContaining({ observed }) },
      events.join(''),
    ]);
  });

  it('when it has text and a reason, then nothing is added', async () => {
    const { last, stream } = await readAll(TEXT, STOP, DONE);
    expect([last, stream.mended(TEXT + STOP + DONE)]).toEqual([{ kind: 'end' }, TEXT + STOP + DONE]);
  });

  it('when its reason names a failure, then the answer has failed', async () => {
    const { stream, send } = open();
    send(TEXT, delta({}, 'network_error'));
    expect(await stream.read(LIMIT_MS)).toMatchObject({ kind: 'failed', evidence: { code: 'server_error' } });
  });
});
