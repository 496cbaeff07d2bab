import type { ScriptedUsage } from '../scripted-steps';
import { type FinishReason, type FrameWriter, freshId, namedFrame, pieces } from './frame-writer';

type Event = Readonly<{ type: string; [key: string]: unknown }>;

/** Only the API that issued a sealed id recognizes it. */
const idOf = (prefix: string, seal: string | null): string => `${freshId(prefix)}${seal === null ? '' : `_${seal}`}`;

type Item = Readonly<{ opening: readonly Event[]; closing: readonly Event[]; done: unknown }>;

function textItem(text: string, seal: string | null = null): Item {
  const id = idOf('msg', seal);
  const item = { id, type: 'message', role: 'assistant' };
  const part = { type: 'output_text', text, annotations: [] };
  const done = { ...item, status: 'completed', content: [part] };
  const place = { item_id: id, output_index: 0, content_index: 0 };
  return {
    opening: [
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
      { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
      ...pieces(text).map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
    ],
    closing: [
      { type: 'response.output_text.done', ...place, text },
      { type: 'response.content_part.done', ...place, part },
      { type: 'response.output_item.done', output_index: 0, item: done },
    ],
    done,
  };
}

function toolCallItem(name: string, argumentsJson: string, seal: string | null = null): Item {
  const id = idOf('fc', seal);
  const item = { id, type: 'function_call', call_id: freshId('call'), name };
  const done = { ...item, status: 'completed', arguments: argumentsJson };
  const place = { item_id: id, output_index: 0 };
  return {
    opening: [
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', arguments: '' } },
      { type: 'response.function_call_arguments.delta', ...place, delta: argumentsJson },
    ],
    closing: [
      { type: 'response.function_call_arguments.done', ...place, arguments: argumentsJson },
      { type: 'response.output_item.done', output_index: 0, item: done },
    ],
    done,
  };
}

function thinkingItem(text: string, seal: string | null = null): Item {
  const id = idOf('rs', seal);
  const item = { id, type: 'reasoning', encrypted_content: seal };
  const part = { type: 'summary_text', text };
  const done = { ...item, summary: [part] };
  const place = { item_id: id, output_index: 0, summary_index: 0 };
  return {
    opening: [
      { type: 'response.output_item.added', output_index: 0, item: { ...item, summary: [] } },
      { type: 'response.reasoning_summary_part.added', ...place, part: { ...part, text: '' } },
      ...pieces(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, delta })),
    ],
    closing: [
      { type: 'response.reasoning_summary_text.done', ...place, text },
      { type: 'response.reasoning_summary_part.done', ...place, part },
      { type: 'response.output_item.done', output_index: 0, item: done },
    ],
    done,
  };
}

function endOf(reason: FinishReason, { inputTokens, outputTokens }: ScriptedUsage): Record<string, unknown> {
  const isShort = reason === 'length';
  return {
    status: isShort ? 'incomplete' : 'completed',
    incomplete_details: isShort ? { reason: 'max_output_tokens' } : null,
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + outputTokens,
    },
  };
}

/** OpenAI's responses stream: numbered events around output items. */
export function responsesFrames(model: string): FrameWriter {
  const response = { id: freshId('resp'), object: 'response', created_at: 1_700_000_000, model };
  let sequence = 0;
  const items: Item[] = [];
  const frame = (event: Event) => {
    sequence += 1;
    const place = 'output_index' in event ? { output_index: items.length - 1 } : {};
    return namedFrame({ ...event, ...place, sequence_number: sequence - 1 });
  };
  const closed = () => (items.at(-1)?.closing ?? []).map(frame);
  const begin = (next: Item) => {
    const end = closed();
    items.push(next);
    return [...end, ...next.opening.map(frame)];
  };
  return {
    open: () => [frame({ type: 'response.created', response: { ...response, status: 'in_progress', output: [] } })],
    text: (text) => begin(textItem(text)),
    toolCall: (name, argumentsJson) => begin(toolCallItem(name, argumentsJson)),
    thinking: (text) => begin(thinkingItem(text)),
    sealed: ({ seal, thinking, text, name, argumentsJson }) => [
      ...begin(thinkingItem(thinking, seal)),
      ...begin(textItem(text, seal)),
      ...begin(toolCallItem(name, argumentsJson, seal)),
    ],
    finish: (reason, usage) => [
      ...closed(),
      frame({
        type: reason === 'length' ? 'response.incomplete' : 'response.completed',
        response: { ...response, output: items.map(({ done }) => done), ...endOf(reason, usage) },
      }),
    ],
    error: (message) => [frame({ type: 'error', error: { type: 'provider_error', code: 'provider_error', message } })],
  };
}
