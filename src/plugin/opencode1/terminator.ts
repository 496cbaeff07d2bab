import { calm } from './calm';
import type { Wire } from './wire';

const frame = (event: string, data: unknown): string =>
  `${event === '' ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** Where a stream stands when it is taken over. */
export type Begun = Readonly<{ isBegun: boolean; openBlock: number | null }>;

/**
 * The end of an empty turn that makes OpenCode take its next step: the heart of the soft switch. Chosen by SDK, because
 * each maps another finish to "go on". Source: soft-switch.md section 2, observed.
 */
export function goOn(wire: Wire, begun: Begun): string {
  switch (wire) {
    case 'anthropic':
      return anthropicEnd(begun);
    case 'chat': {
      const choice = { index: 0, delta: {}, finish_reason: 'tool_calls' };
      const chunk = {
        id: 'understudy',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'understudy',
        choices: [choice],
      };
      return frame('', chunk) + frame('', '[DONE]');
    }
    case 'cohere': {
      const usage = { tokens: { input_tokens: 0, output_tokens: 0 } };
      return frame('', { type: 'message-end', delta: { finish_reason: 'TOOL_CALL', usage } });
    }
    case 'gateway':
      return frame('', {
        type: 'finish',
        finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
        usage: { inputTokens: {}, outputTokens: {} },
      });
    case 'perplexity':
    case 'responses':
    case 'google':
    case 'opaque':
      // An empty body finishes as "unknown", and OpenCode's loop goes on.
      return '';
  }
}

function anthropicEnd({ isBegun, openBlock }: Begun): string {
  const usage = { input_tokens: 0, output_tokens: 0 };
  const message = {
    id: 'understudy',
    type: 'message',
    role: 'assistant',
    model: 'understudy',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  const start = isBegun ? '' : frame('message_start', { type: 'message_start', message });
  const close = openBlock === null ? '' : frame('content_block_stop', { type: 'content_block_stop', index: openBlock });
  const delta = {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { output_tokens: 0 },
  };
  return start + close + frame('message_delta', delta) + frame('message_stop', { type: 'message_stop' });
}

const finalBody = (message: string) => ({
  type: 'error',
  error: { message: calm(message), type: 'invalid_request_error', code: 400, status: 'FAILED_PRECONDITION' },
});

/** The error that ends an exhausted turn: shown once, never asked again. */
export function finalResponse(message: string): Response {
  return new Response(JSON.stringify(finalBody(message)), {
    status: 400,
    headers: { 'content-type': 'application/json' },
  });
}
