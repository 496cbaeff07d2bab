import { dataFrame, type FrameWriter, freshId, pieces } from './frame-writer';

/** For OpenAI-compatible providers and OpenRouter. */
export function chatFrames(model: string): FrameWriter {
  const head = { id: freshId('chatcmpl'), object: 'chat.completion.chunk', created: 1_700_000_000, model };
  const delta = (value: unknown, finish: string | null = null) =>
    dataFrame({ ...head, choices: [{ index: 0, delta: value, finish_reason: finish }] });
  const finishWords = { stop: 'stop', toolCall: 'tool_calls', length: 'length' } as const;
  const writer: FrameWriter = {
    open: () => [delta({ role: 'assistant', content: '' })],
    text: (text) => pieces(text).map((piece) => delta({ content: piece })),
    toolCall: (name, argumentsJson) => [
      delta({
        tool_calls: [{ index: 0, id: freshId('call'), type: 'function', function: { name, arguments: argumentsJson } }],
      }),
    ],
    // Providers differ in the name; OpenCode's packages read both.
    thinking: (text) => pieces(text).map((piece) => delta({ reasoning: piece, reasoning_content: piece })),
    // OpenRouter's details, Copilot's opaque reasoning and Google's signature of a call; an id as Moonshot issues it.
    sealed: ({ seal, thinking, text, name, argumentsJson }) => [
      ...writer.thinking(thinking),
      delta({
        reasoning_opaque: `${seal}-opaque`,
        reasoning_details: [
          { type: 'reasoning.text', text: thinking, signature: seal, format: 'anthropic-claude-v1', index: 0 },
          { type: 'reasoning.encrypted', data: `${seal}-data`, format: 'anthropic-claude-v1', index: 1 },
        ],
      }),
      ...writer.text(text),
      delta({
        tool_calls: [
          {
            index: 0,
            id: `functions.${name}:${freshId('0')}`,
            type: 'function',
            function: { name, arguments: argumentsJson },
            extra_content: { google: { thought_signature: `${seal}-call` } },
          },
        ],
      }),
    ],
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
  return writer;
}
