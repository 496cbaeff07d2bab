import { describe, expect, it } from 'vitest';
import { followAnswer } from '../../../src/plugin/answer/answer-stream';
import type { Wire } from '../../../src/plugin/answer/wire';
import { passOn } from '../../../src/plugin/opencode2/request/pass-on';
import { tapped } from '../../../src/plugin/opencode2/request/tap';
import type { Instance, ModelCall } from '../../../src/plugin/opencode2/session/instance';

const TEXT = 'data: {"choices":[{"index":0,"delta":{"content":"Grüße"},"finish_reason":null}]}\n\n';
const FINISH = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';

/** The text that OpenCode reads of an answer that comes in these pieces. */
async function readBy(pieces: readonly Uint8Array[], wire: Wire = 'chat'): Promise<string> {
  const rest = [...pieces];
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = rest.shift();
      if (piece) controller.enqueue(piece);
      else controller.close();
    },
  });
  const tap = tapped(source);
  const brain = { now: () => 0, tell: () => [], decide: () => undefined };
  const firstTokens = { came: () => undefined };
  const named = (_: unknown, evidence: unknown) => evidence;
  const instance = { companion: { brain, firstTokens, named } } as unknown as Instance;
  const call = { id: 'a', end: 'open', isWatched: false, startedAt: 0, decision: null } as unknown as ModelCall;
  const stream = followAnswer(tap.body, wire);
  const answer = { instance, call, tap, stream, response: new Response(), onRead: () => undefined, limitMs: 5_000 };
  return passOn(answer).text();
}

const cut = (text: string, size: number): Uint8Array[] => {
  const bytes = new TextEncoder().encode(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size));
};

describe('given an answer that OpenCode 2 reads to its end', () => {
  it.each([1, 2, 3, 7, 37, 10_000])(
    'when it ends without a reason, in pieces of %s bytes, then the finish is in front of the mark',
    async (size) => {
      for (const mark of [
        'data: [DONE]\n\n',
        'data:[DONE]\n\n',
        'data: [DONE]\r\n\r\n',
        'data: [DONE]\n',
        'data: [DONE]',
      ]) {
        const read = await readBy(cut(TEXT + mark, size));
        expect(read.startsWith(TEXT)).toBe(true);
        expect(read).toMatch(/"finish_reason":"stop"\}\]\}\n\ndata: ?\[DONE\]\s*$/);
      }
    },
  );

  it.each([1, 5, 10_000])('when it has a reason, in pieces of %s bytes, then not a byte is another', async (size) => {
    const whole = `${TEXT}${FINISH}data: [DONE]\n\n`;
    expect(await readBy(cut(whole, size))).toBe(whole);
  });

  it.each([1, 2, 5, 37, 10_000])(
    'when no list names its reason, in pieces of %s bytes, then it stops',
    async (size) => {
      for (const mark of ['data: [DONE]\n\n', '', 'data: {"choices":[],"usage":{}}\n\ndata: [DONE]\n\n']) {
        const whole = TEXT + FINISH.replace('stop', 'because') + mark;
        expect(await readBy(cut(whole, size))).toBe(TEXT + FINISH + mark);
        const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
        expect(await readBy(cut(crlf(whole), size))).toBe(crlf(TEXT + FINISH + mark));
      }
    },
  );

  it.each(['anthropic', 'responses', 'google', 'opaque'] as const)(
    'when a proxy adds the mark over %s, then nothing is added',
    async (wire) => {
      const whole = `data: {"type":"response.output_text.delta","delta":"hi"}\n\ndata: [DONE]\n\n`;
      expect(await readBy(cut(whole, 9), wire)).toBe(whole);
    },
  );
});
