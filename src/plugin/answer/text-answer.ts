import { frame, wholeEnd } from './terminator';
import type { Wire } from './wire';

const HEAD = { id: 'understudy', object: 'chat.completion.chunk', created: 1, model: 'understudy' } as const;
const BEGUN = { isBegun: true, openBlock: null } as const;

/** Null for `opaque`. */
export function textAnswer(wire: Wire, text: string): string | null {
  switch (wire) {
    case 'chat':
    case 'perplexity': {
      const choice = { index: 0, delta: { role: 'assistant', content: text }, finish_reason: null };
      return frame('', { ...HEAD, choices: [choice] }) + wholeEnd(wire, BEGUN);
    }
    case 'anthropic':
      return anthropicText(text) + wholeEnd(wire, { isBegun: true, openBlock: 0 });
    case 'responses':
      return responsesText(text) + wholeEnd(wire, BEGUN);
    case 'google':
      return (
        frame('', { candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }] }) + wholeEnd(wire, BEGUN)
      );
    case 'cohere':
      return cohereText(text) + wholeEnd(wire, BEGUN);
    case 'gateway':
      return gatewayText(text) + wholeEnd(wire, BEGUN);
    case 'opaque':
      return null;
  }
}

function anthropicText(text: string): string {
  const usage = { input_tokens: 0, output_tokens: 0 };
  const message = { id: 'understudy', type: 'message', role: 'assistant', model: 'understudy', content: [], usage };
  const block = { index: 0, content_block: { type: 'text', text: '' } };
  return (
    frame('message_start', { type: 'message_start', message }) +
    frame('content_block_start', { type: 'content_block_start', ...block }) +
    frame('content_block_delta', { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })
  );
}

function responsesText(text: string): string {
  const item = { id: 'msg_understudy', type: 'message', role: 'assistant' };
  const place = { item_id: item.id, output_index: 0, content_index: 0 };
  const response = { id: 'understudy', created_at: 1, model: 'understudy' };
  const done = { ...item, status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] };
  return (
    frame('', { type: 'response.created', response }) +
    frame('', { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } }) +
    frame('', { type: 'response.output_text.delta', ...place, delta: text, logprobs: [] }) +
    frame('', { type: 'response.output_item.done', output_index: 0, item: done })
  );
}

function cohereText(text: string): string {
  return (
    frame('', { type: 'message-start', id: 'understudy' }) +
    frame('', { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } }) +
    frame('', { type: 'content-delta', index: 0, delta: { message: { content: { text } } } }) +
    frame('', { type: 'content-end', index: 0 })
  );
}

function gatewayText(text: string): string {
  return (
    frame('', { type: 'text-start', id: 'understudy' }) +
    frame('', { type: 'text-delta', id: 'understudy', delta: text }) +
    frame('', { type: 'text-end', id: 'understudy' })
  );
}
