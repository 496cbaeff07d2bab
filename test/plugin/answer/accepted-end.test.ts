import { describe, expect, it } from 'vitest';
import { countedIn, followAnswer } from '../../../src/plugin/answer/answer-stream';
import type { Wire } from '../../../src/plugin/answer/wire';

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
/** What a model may write about reasons is no reason. */
const SAID = 'Set "finish_reason":"because" and "stop_reason": "because" (Grüße)';

type Sample = Readonly<{ text: string; call: string; end: (reason: string) => string }>;
const chat: Sample = {
  text: event({ choices: [{ delta: { content: SAID }, finish_reason: null }] }),
  call: event({ choices: [{ delta: { tool_calls: [{ index: 0, function: { name: 'x' } }] }, finish_reason: '' }] }),
  end: (reason) => event({ choices: [{ delta: {}, finish_reason: reason }] }),
};
const WIRES: Readonly<Partial<Record<Wire, Sample>>> = {
  chat,
  perplexity: chat,
  anthropic: {
    text: event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: SAID } }),
    call: event({ type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'c', name: 'x' } }),
    end: (reason) => event({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null } }),
  },
  google: {
    text: event({ candidates: [{ content: { parts: [{ text: SAID }] } }] }),
    call: event({ candidates: [{ content: { parts: [{ functionCall: { name: 'x', args: {} } }] } }] }),
    end: (reason) => event({ candidates: [{ content: { parts: [] }, finishReason: reason }] }),
  },
  responses: {
    text: event({ type: 'response.output_text.delta', delta: SAID }),
    call: event({ type: 'response.output_item.added', item: { type: 'function_call', name: 'x' } }),
    end: (reason) => event({ type: 'response.incomplete', response: { incomplete_details: { reason } } }),
  },
  cohere: {
    text: event({ type: 'content-delta', delta: { message: { content: { text: SAID } } } }),
    call: event({ type: 'tool-call-start', delta: {} }),
    end: (reason) => event({ type: 'message-end', delta: { finish_reason: reason } }),
  },
  gateway: {
    text: event({ type: 'text-delta', id: '0', delta: SAID }),
    call: event({ type: 'tool-call', toolName: 'x' }),
    end: (unified) => event({ type: 'finish', finishReason: { unified, raw: 'because' } }),
  },
};

/** What OpenCode gets of an answer, and what the companion reports of it. */
async function passed(wire: Wire, ...events: readonly string[]) {
  const body = new Response(events.join('')).body as ReadableStream<Uint8Array>;
  const stream = followAnswer(body, wire);
  let reading = await stream.read(1_000);
  while (reading.kind === 'events') reading = await stream.read(1_000);
  return { end: reading.kind, text: stream.mended(events.join('')), report: countedIn(stream) };
}

const CASES: readonly (readonly [Wire, reason: string, text: string, call: string | null])[] = [
  ['chat', 'because', 'stop', 'tool_calls'],
  ['perplexity', 'because', 'stop', 'tool_calls'],
  ['anthropic', 'compaction', 'end_turn', 'tool_use'],
  ['google', 'OTHER', 'STOP', 'STOP'],
  ['google', 'FINISH_REASON_UNSPECIFIED', 'STOP', 'STOP'],
  // A call goes on as it is: both generations run it.
  ['responses', 'because', 'max_output_tokens', null],
  ['cohere', 'BECAUSE', 'COMPLETE', 'TOOL_CALL'],
  ['gateway', 'other', 'stop', 'tool-calls'],
];

describe('given an answer that ends for a reason that no list names', () => {
  it.each(CASES)(
    'when it is %s and %s, then OpenCode gets an end that it accepts, and the companion reports it',
    async (wire, reason, word, call) => {
      const { text, call: tool, end } = WIRES[wire] as Sample;
      const length = SAID.length;
      expect(await passed(wire, text, end(reason))).toEqual({
        end: 'end',
        text: text + end(reason).replace(`"${reason}"`, `"${word}"`),
        report: { outputChars: length, unknownEnd: reason },
      });
      const called = await passed(wire, tool, end(reason));
      expect(called.text).toBe(tool + end(reason).replace(`"${reason}"`, `"${call ?? reason}"`));
      expect(called.report.unknownEnd).toBe(reason);
    },
  );

  it.each(CASES)('when it is %s and has no answer, then it failed, and not a byte is another', async (wire, reason) => {
    const { end } = WIRES[wire] as Sample;
    expect(await passed(wire, end(reason))).toMatchObject({ end: 'failed', text: end(reason) });
  });
});

describe('given a reason that the lists name and OpenCode does not accept', () => {
  it.each<[Wire, string, string]>([
    ['chat', 'eos', 'stop'],
    ['chat', 'STOP', 'stop'],
    ['chat', 'end_turn', 'stop'],
    ['chat', 'max_tokens', 'length'],
    ['chat', 'safety', 'content_filter'],
    ['anthropic', 'stop', 'end_turn'],
    ['anthropic', 'length', 'max_tokens'],
    ['anthropic', 'content_filter', 'refusal'],
    ['google', 'MODEL_ARMOR', 'SAFETY'],
    ['responses', 'max_tokens', 'max_output_tokens'],
  ])('when it is %s and %s, then it becomes %s, and nothing is reported', async (wire, reason, word) => {
    const { text, end } = WIRES[wire] as Sample;
    expect(await passed(wire, text, end(reason))).toEqual({
      end: 'end',
      text: text + end(word),
      report: { outputChars: SAID.length },
    });
  });

  it.each<[Wire, readonly string[]]>([
    ['chat', ['stop', 'length', 'content_filter', 'tool_calls', 'function_call']],
    ['anthropic', ['end_turn', 'stop_sequence', 'pause_turn', 'tool_use', 'max_tokens', 'refusal']],
    ['anthropic', ['model_context_window_exceeded']],
    ['google', ['STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'SPII', 'BLOCKLIST', 'PROHIBITED_CONTENT']],
    ['responses', ['max_output_tokens', 'content_filter']],
    ['cohere', ['COMPLETE', 'STOP_SEQUENCE', 'MAX_TOKENS', 'TOOL_CALL']],
    ['gateway', ['stop', 'length', 'content-filter', 'tool-calls']],
  ])('when %s gives one of %j, then not a byte is another', async (wire, reasons) => {
    const { text, end } = WIRES[wire] as Sample;
    for (const reason of reasons)
      expect(await passed(wire, text, end(reason))).toEqual({
        end: 'end',
        text: text + end(reason),
        report: { outputChars: SAID.length },
      });
  });
});

describe('given a reason that names a failure', () => {
  it.each<[Wire, string]>([
    ['chat', 'network_error'],
    ['chat', 'overloaded'],
    ['google', 'MALFORMED_FUNCTION_CALL'],
    ['google', 'MALFORMED_RESPONSE'],
    ['google', 'UNEXPECTED_TOOL_CALL'],
    ['google', 'TOO_MANY_TOOL_CALLS'],
    ['google', 'MISSING_THOUGHT_SIGNATURE'],
    ['cohere', 'ERROR'],
    ['gateway', 'error'],
  ])('when it is %s and %s, then the answer has failed', async (wire, reason) => {
    const { text, end } = WIRES[wire] as Sample;
    expect((await passed(wire, text, end(reason))).end).toBe('failed');
  });
});
