import { dataFrame, type FrameWriter, pieces } from './frame-writer';

export function googleFrames(model: string): FrameWriter {
  const candidate = (parts: readonly unknown[], finishReason?: string) => ({
    index: 0,
    content: { role: 'model', parts },
    ...(finishReason === undefined ? {} : { finishReason }),
  });
  const frame = (value: Record<string, unknown>) => dataFrame({ ...value, modelVersion: model });
  const parts = (...each: readonly unknown[]) => frame({ candidates: [candidate(each)] });
  return {
    open: () => [],
    text: (text) => pieces(text).map((piece) => frame({ candidates: [candidate([{ text: piece }])] })),
    toolCall: (name, argumentsJson) => [
      frame({ candidates: [candidate([{ functionCall: { name, args: JSON.parse(argumentsJson) as unknown } }])] }),
    ],
    thinking: (text) =>
      pieces(text).map((piece) => frame({ candidates: [candidate([{ text: piece, thought: true }])] })),
    sealed: ({ seal, thinking, text, name, argumentsJson }) => [
      parts({ text: thinking, thought: true, thoughtSignature: seal }),
      parts({ text, thoughtSignature: `${seal}-text` }),
      parts({
        functionCall: { name, args: JSON.parse(argumentsJson) as unknown },
        thoughtSignature: `${seal}-call`,
      }),
    ],
    finish: (reason, { inputTokens, outputTokens }) => [
      frame({
        candidates: [candidate([], reason === 'length' ? 'MAX_TOKENS' : 'STOP')],
        usageMetadata: {
          promptTokenCount: inputTokens,
          candidatesTokenCount: outputTokens,
          totalTokenCount: inputTokens + outputTokens,
        },
      }),
    ],
    error: (message) => [dataFrame({ error: { code: 500, message, status: 'INTERNAL' } })],
  };
}
