import { type FrameWriter, freshId, namedFrame, pieces } from './frame-writer';

export function anthropicFrames(model: string): FrameWriter {
  let index = -1;
  const closed = () => (index < 0 ? [] : [namedFrame({ type: 'content_block_stop', index })]);
  const startBlock = (block: unknown) => {
    const end = closed();
    index += 1;
    return [...end, namedFrame({ type: 'content_block_start', index, content_block: block })].join('');
  };
  const blockDelta = (value: unknown) => namedFrame({ type: 'content_block_delta', index, delta: value });
  const finishWords = { stop: 'end_turn', toolCall: 'tool_use', length: 'max_tokens' } as const;
  const message = { id: freshId('msg'), type: 'message', role: 'assistant', model, content: [], stop_reason: null };
  const writer: FrameWriter = {
    open: () => [
      namedFrame({
        type: 'message_start',
        message: { ...message, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } },
      }),
    ],
    text: (text) => [
      startBlock({ type: 'text', text: '' }),
      ...pieces(text).map((piece) => blockDelta({ type: 'text_delta', text: piece })),
    ],
    toolCall: (name, argumentsJson) => [
      startBlock({ type: 'tool_use', id: freshId('toolu'), name, input: {} }),
      blockDelta({ type: 'input_json_delta', partial_json: argumentsJson }),
    ],
    thinking: (text) => [
      startBlock({ type: 'thinking', thinking: '', signature: '' }),
      ...pieces(text).map((piece) => blockDelta({ type: 'thinking_delta', thinking: piece })),
    ],
    sealed: ({ seal, thinking, text, name, argumentsJson }) => [
      ...writer.thinking(thinking),
      blockDelta({ type: 'signature_delta', signature: seal }),
      startBlock({ type: 'redacted_thinking', data: `${seal}-redacted` }),
      ...writer.text(text),
      ...writer.toolCall(name, argumentsJson),
    ],
    finish: (reason, { inputTokens, outputTokens }) => [
      ...closed(),
      namedFrame({
        type: 'message_delta',
        delta: { stop_reason: finishWords[reason], stop_sequence: null },
        usage: { input_tokens: inputTokens, output_tokens: outputTokens },
      }),
      namedFrame({ type: 'message_stop' }),
    ],
    error: (text) => [namedFrame({ type: 'error', error: { type: 'api_error', message: text } })],
  };
  return writer;
}
