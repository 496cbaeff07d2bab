import { type FrameWriter, freshId, namedFrame, pieces } from './frame-writer';

/** Anthropic's messages stream: one content block, then the reason it stopped. */
export function anthropicFrames(model: string): FrameWriter {
  let hasOpenBlock = false;
  const startBlock = (block: unknown) => {
    hasOpenBlock = true;
    return namedFrame({ type: 'content_block_start', index: 0, content_block: block });
  };
  const blockDelta = (value: unknown) => namedFrame({ type: 'content_block_delta', index: 0, delta: value });
  const finishWords = { stop: 'end_turn', toolCall: 'tool_use', length: 'max_tokens' } as const;
  const message = { id: freshId('msg'), type: 'message', role: 'assistant', model, content: [], stop_reason: null };
  return {
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
    finish: (reason, { inputTokens, outputTokens }) => [
      ...(hasOpenBlock ? [namedFrame({ type: 'content_block_stop', index: 0 })] : []),
      namedFrame({
        type: 'message_delta',
        delta: { stop_reason: finishWords[reason], stop_sequence: null },
        usage: { input_tokens: inputTokens, output_tokens: outputTokens },
      }),
      namedFrame({ type: 'message_stop' }),
    ],
    error: (text) => [namedFrame({ type: 'error', error: { type: 'api_error', message: text } })],
  };
}
