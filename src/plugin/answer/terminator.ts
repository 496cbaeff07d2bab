import { isSince } from '../../node/opencode/proven';
import { calm } from './calm';
import { END_MARK, type Wire } from './wire';

export type Begun = Readonly<{ isBegun: boolean; openBlock: number | null }>;

/** First OpenCode that continues after an unknown end reason. [observed: 1.18.20, 1.18.21] */
const CONTINUES_UNKNOWN = '1.18.21';

/**
 * Ends an empty turn so that OpenCode takes its next step. Each SDK maps a different finish reason to "continue". Source: ADR
 * 0005, observed.
 * @param opencode version; empty if unknown.
 */
export function goOn(wire: Wire, begun: Begun, opencode: string): string {
  const continuesUnknown = isSince(opencode, CONTINUES_UNKNOWN);
  switch (wire) {
    case 'anthropic':
      return anthropicEnd('tool_use', begun);
    case 'chat':
      return chatEnd('tool_calls');
    case 'cohere':
      return cohereEnd('TOOL_CALL');
    case 'gateway':
      return gatewayEnd('tool-calls');
    case 'responses':
      return continuesUnknown ? responsesUnknown(begun) : responsesCall(begun);
    case 'google':
      return continuesUnknown ? googleEnd('OTHER') : googleCall();
    case 'perplexity':
    case 'opaque':
      // An empty body finishes as "unknown", and OpenCode's loop continues.
      return '';
  }
}

/** Makes OpenCode accept a response without an end as complete. */
export function wholeEnd(wire: Wire, begun: Begun): string {
  switch (wire) {
    case 'anthropic':
      return anthropicEnd('end_turn', begun);
    case 'chat':
    case 'perplexity':
      return chatEnd('stop');
    case 'cohere':
      return cohereEnd('COMPLETE');
    case 'gateway':
      return gatewayEnd('stop');
    case 'responses':
      return responsesEnd();
    case 'google':
      return googleEnd('STOP');
    case 'opaque':
      return '';
  }
}

export const frame = (event: string, data: unknown): string =>
  `${event === '' ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

const chatEnd = (finish: 'tool_calls' | 'stop'): string => chatFinish(finish) + frame('', END_MARK);

export function chatFinish(finish: 'tool_calls' | 'stop'): string {
  const choice = { index: 0, delta: { role: 'assistant', content: '' }, finish_reason: finish };
  const head = { id: 'understudy', object: 'chat.completion.chunk', created: 1, model: 'understudy' };
  return frame('', { ...head, choices: [choice] });
}

function cohereEnd(finish: 'TOOL_CALL' | 'COMPLETE'): string {
  const usage = { tokens: { input_tokens: 0, output_tokens: 0 } };
  return frame('', { type: 'message-end', delta: { finish_reason: finish, usage } });
}

function gatewayEnd(finish: 'tool-calls' | 'stop'): string {
  const finishReason = { unified: finish, raw: finish.replace('-', '_') };
  return frame('', { type: 'finish', finishReason, usage: { inputTokens: {}, outputTokens: {} } });
}

function anthropicEnd(reason: 'tool_use' | 'end_turn', { isBegun, openBlock }: Begun): string {
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
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 0 },
  };
  return start + close + frame('message_delta', delta) + frame('message_stop', { type: 'message_stop' });
}

/**
 * No such tool exists: on the responses and Google wires OpenCode before 1.18.21 continues only after a call. It shows
 * the call as "invalid" until its message is deleted.
 */
const GO_ON_CALL = 'understudy_go_on';

export const isGoOnCall = (tool: string, input: unknown): boolean =>
  tool === GO_ON_CALL || (tool === 'invalid' && (input as { tool?: unknown } | undefined)?.tool === GO_ON_CALL);

const CALL_INDEX = 99;

function responsesUnknown({ isBegun }: Begun): string {
  const response = { incomplete_details: { reason: 'understudy' }, usage: NO_USAGE };
  return responsesStart(isBegun) + frame('', { type: 'response.incomplete', response });
}

function responsesCall({ isBegun }: Begun): string {
  const item = { id: 'fc_understudy', type: 'function_call', call_id: 'call_understudy', name: GO_ON_CALL };
  const place = { output_index: CALL_INDEX };
  return (
    responsesStart(isBegun) +
    frame('', { type: 'response.output_item.added', ...place, item: { ...item, arguments: '' } }) +
    frame('', { type: 'response.function_call_arguments.delta', item_id: item.id, ...place, delta: '{}' }) +
    frame('', {
      type: 'response.output_item.done',
      ...place,
      item: { ...item, arguments: '{}', status: 'completed' },
    }) +
    responsesEnd()
  );
}

const NO_USAGE = { input_tokens: 0, output_tokens: 0 };

function responsesStart(isBegun: boolean): string {
  const response = { id: 'understudy', created_at: 1, model: 'understudy' };
  return isBegun ? '' : frame('', { type: 'response.created', response });
}

const responsesEnd = (): string =>
  frame('', { type: 'response.completed', response: { id: 'understudy', usage: NO_USAGE } });

function googleCall(): string {
  return googleEnd('STOP', [{ functionCall: { name: GO_ON_CALL, args: {} } }]);
}

function googleEnd(finishReason: 'STOP' | 'OTHER', parts: readonly unknown[] = []): string {
  return frame('', { candidates: [{ content: { role: 'model', parts }, finishReason, index: 0 }] });
}

/** Some packages read the top-level fields; only Perplexity's wants a number as `code`. */
const finalBody = (message: string, npm: string) => ({
  object: 'error',
  type: 'error',
  message: calm(message),
  param: '',
  code: '400',
  error: {
    message: calm(message),
    type: 'invalid_request_error',
    code: npm === '@ai-sdk/perplexity' ? 400 : null,
    status: 'FAILED_PRECONDITION',
  },
});

/** OpenCode shows this error and does not retry. */
export function finalResponse(message: string, npm = ''): Response {
  return new Response(JSON.stringify(finalBody(message, npm)), {
    status: 400,
    headers: { 'content-type': 'application/json' },
  });
}
