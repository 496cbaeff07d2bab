import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEventSplitter, openBody } from '../../../src/plugin/answer/sse';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The events of a stream that arrives in these pieces. */
function eventsOf(chunks: readonly Uint8Array[]): string[] {
  const splitter = createEventSplitter();
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

function cut(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set(cuts.map((at) => at % (bytes.length + 1)))].sort((a, b) => a - b);
  const edges = [0, ...places, bytes.length];
  return edges.slice(1).map((edge, at) => bytes.slice(edges[at], edge));
}

const lineEnd = fc.constantFrom('\n', '\r\n');
const text = fc
  .oneof(fc.string(), fc.constantFrom('é', '漢字', '👩‍👩‍👧', ' ', '{"a":"\\n"}'))
  .map((value) => value.replace(/[\r\n]/g, ''));
const event = fc.array(text, { minLength: 1, maxLength: 3 }).map((lines) => lines.map((line) => `data: ${line}`));
const stream = fc
  .tuple(fc.array(event, { minLength: 1, maxLength: 5 }), lineEnd)
  .map(([events, end]) => events.map((lines) => lines.join(end) + end + end));

describe('given any stream of server-sent events', () => {
  it('when it arrives cut anywhere, then the events are the same as in one piece', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat()), (events, cuts) => {
        expect(eventsOf(cut(bytesOf(events.join('')), cuts))).toEqual(events);
      }),
    );
  });

  it('when it arrives byte by byte, then the events are the same', () => {
    fc.assert(
      fc.property(stream, (events) => {
        const bytes = bytesOf(events.join(''));
        expect(eventsOf([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(events);
      }),
    );
  });

  it('when it ends in the middle of an event, then that event is complete at the end', () => {
    expect(eventsOf([bytesOf('data: 1\n\nda'), bytesOf('ta: 2')])).toEqual(['data: 1\n\n', 'data: 2\n\n']);
  });

  it('when it ends in white space alone, then there is no event of it', () => {
    expect(eventsOf([bytesOf('data: 1\r\n\r\n\r\n')])).toEqual(['data: 1\r\n\r\n']);
  });

  it('when it ends inside a character, then the event is given with a replacement', () => {
    expect(eventsOf([bytesOf('data: é').slice(0, -1)])).toEqual(['data: \ufffd\n\n']);
  });
});

describe('given a body that does not say what it is', () => {
  const bodyIn = (pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });

  it('when it is opened, then it is read whole afterwards, wherever it was cut', async () => {
    await fc.assert(
      fc.asyncProperty(stream, fc.array(fc.nat()), async (events, cuts) => {
        const opened = await openBody(bodyIn(cut(bytesOf(events.join('')), cuts)));
        expect([opened.isEventStream, await new Response(opened.body).text()]).toEqual([true, events.join('')]);
      }),
    );
  });

  it.each([
    ['data: {}', true],
    ['\uFEFFdata:{}', true],
    ['\r\n\r\nevent: ping\n', true],
    [': hello', true],
    ['id: 1\n', true],
    ['retry: 3000\n', true],
    ['{"data":1}', false],
    ['<!doctype html>', false],
    ['date: today', false],
    ['data', false],
    ['', false],
  ])('when it begins with %j, then it is a stream of events: %s', async (text, isEventStream) => {
    expect((await openBody(bodyIn([...bytesOf(text)].map((byte) => Uint8Array.of(byte))))).isEventStream).toBe(
      isEventStream,
    );
  });

  it('when its reader has had enough, then its source is freed', async () => {
    let isFreed = false;
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytesOf('data: {}\n\n')),
      cancel: () => {
        isFreed = true;
      },
    });
    await (await openBody(source)).body.cancel();
    expect(isFreed).toBe(true);
  });
});
