import { dataFrame, type FrameWriter, freshId, pieces } from './frame-writer';

/** The chat completions stream: OpenAI-compatible providers and OpenRouter. */
export function chatFrames(model: string): FrameWriter {
  const head = { id: freshId('chatcmpl'), object: 'chat.completion.chunk', created: 1_700_000_000, model };
  const delta = (value: unknown, finish: string | null = null) =>
    dataFrame({ ...head, choices: [{ index: 0, delta: value, finish_reason: finish }] });
  const finishWords = { stop: 'stop', toolCall: 'tool_calls', length: 'length' } as const;
  return {
    open: () => [delta({ role: 'assistant', content: '' })],
    text: (text) => pieces(text).map((piece) => delta({ content: piece })),
    toolCall: (name, argumentsJson) => [
      delta({
        tool_calls: [{ index: 0, id: freshId('call'), type: 'function', function: { name, arguments: argumentsJson } }],
      }),
    ],
    // Providers differ in the name; OpenCode's packages read either.
    thinking: (text) => pieces(text).map((piece) => delta({ reasoning: piece, reasoning_content: piece })),
    finish: (reason, { inputTokens, outputTokens, cachedTokens = 0, reasoningTokens = 0 }) => [
      delta({}, finishWords[reason]),
      dataFrame({
        ...head,
        choices: [],
        usage: {
          prompt_tokens: inputTokens,
          completion_tokens: outputTokens,
          total_tokens: inputTokens + outputTokens,
          prompt_tokens_details: { cached_tokens: cachedTokens },
          completion_tokens_details: { reasoning_tokens: reasoningTokens },
        },
      }),
      'data: [DONE]\n\n',
    ],
    error: (message) => [dataFrame({ error: { message, type: 'provider_error', code: null } })],
  };
}
