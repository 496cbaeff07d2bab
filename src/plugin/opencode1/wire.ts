import { calm } from './calm';

/** How a provider's SDK speaks; `opaque` streams are seen by their status only. */
export type Wire = 'chat' | 'perplexity' | 'anthropic' | 'responses' | 'google' | 'cohere' | 'gateway' | 'opaque';

/** The wire of a request, by its SDK package first and its URL where one package speaks several. */
export function wireOf(url: string, npm: string): Wire {
  if (/bedrock/.test(npm)) return 'opaque';
  if (/cohere/.test(npm)) return 'cohere';
  if (/gateway/.test(npm) && /language-model/.test(url)) return 'gateway';
  if (/anthropic/.test(npm) || /\/messages(\?|$)/.test(url)) return 'anthropic';
  if (/\/responses(\?|$)/.test(url)) return 'responses';
  if (/GenerateContent/.test(url)) return 'google';
  if (!/\/completions(\?|$)/.test(url)) return 'opaque';
  return /perplexity/.test(npm) ? 'perplexity' : 'chat';
}

/** What one server-sent event adds to an answer. */
export type Progress = Readonly<{
  /** Characters of visible text. */
  text: number;
  isTool: boolean;
  isThinking: boolean;
  finish: 'stop' | 'length' | 'filter' | null;
  error: Readonly<{ message: string; code: string | null; status: number | null }> | null;
  /** Anthropic content block that this event opened or closed. */
  block: Readonly<{ index: number; isOpen: boolean }> | null;
}>;

const NOTHING: Progress = { text: 0, isTool: false, isThinking: false, finish: null, error: null, block: null };

/** Reads one server-sent event (with its blank line) of a wire; comments and pings are nothing. */
export function progressOf(wire: Wire, raw: string): Progress {
  const data = raw
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trimStart())
    .join('\n');
  if (data === '' || data === '[DONE]') return NOTHING;
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch {
    return NOTHING;
  }
  if (!isRecord(json)) return NOTHING;
  const error = errorOf(json);
  if (error) return { ...NOTHING, error };
  return READERS[wire](json);
}

type Json = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const record = (value: unknown): Json => (isRecord(value) ? value : {});
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Longest code that travels; a longer one is no code. */
const CODE_MAX_CHARS = 200;

/** The error inside an event or a body, in any of the providers' shapes. */
export function errorOf(json: unknown): Progress['error'] {
  const outer = record(json);
  const isFailed = outer.type === 'response.failed' || outer.type === 'error';
  const inner = isRecord(outer.error) ? outer.error : record(record(outer.response).error);
  if (!isFailed && outer.error === undefined) return null;
  if (outer.error === null && !isFailed) return null;
  const message = text(inner.message) || text(outer.error) || text(outer.message) || 'The provider reported an error.';
  const code = inner.code ?? inner.type ?? inner.status ?? outer.code ?? null;
  const status = Number(inner.status_code ?? (typeof inner.code === 'number' ? inner.code : Number.NaN));
  const name = typeof code === 'string' ? code : text(inner.type) || text(inner.status) || null;
  return {
    message,
    code: name === null ? null : name.slice(0, CODE_MAX_CHARS),
    status: Number.isInteger(status) && status >= 400 && status < 600 ? status : null,
  };
}

const finishOf = (reason: string): Progress['finish'] => {
  if (reason === '') return null;
  if (/length|max_?tokens|max_output_tokens/i.test(reason)) return 'length';
  return /content_?filter|safety|refusal|blocklist|prohibited/i.test(reason) ? 'filter' : 'stop';
};

function readChat(json: Json): Progress {
  const choice = record(list(json.choices)[0]);
  const delta = record(choice.delta ?? choice.message);
  return {
    ...NOTHING,
    text: text(delta.content).length + text(delta.refusal).length,
    isTool: list(delta.tool_calls).length > 0,
    isThinking: [delta.reasoning, delta.reasoning_content, delta.reasoning_text].some((part) => text(part) !== ''),
    finish: finishOf(text(choice.finish_reason)),
  };
}

const READERS: Readonly<Record<Wire, (json: Json) => Progress>> = {
  chat: readChat,
  perplexity: readChat,
  anthropic(json) {
    const delta = record(json.delta);
    const block = record(json.content_block);
    const index = typeof json.index === 'number' ? json.index : 0;
    return {
      ...NOTHING,
      text: text(delta.text).length + text(block.text).length,
      isTool: /tool_use/.test(text(block.type)) || delta.type === 'input_json_delta',
      isThinking: /thinking/.test(text(delta.type)) || /thinking/.test(text(block.type)),
      finish: json.type === 'message_delta' ? finishOf(text(delta.stop_reason)) : null,
      block:
        json.type === 'content_block_start'
          ? { index, isOpen: true }
          : json.type === 'content_block_stop'
            ? { index, isOpen: false }
            : null,
    };
  },
  responses(json) {
    const type = text(json.type);
    const item = text(record(json.item).type);
    const reason = text(record(record(json.response).incomplete_details).reason);
    return {
      ...NOTHING,
      text: /output_text\.delta|refusal\.delta/.test(type) ? text(json.delta).length : 0,
      isTool: /function_call|custom_tool_call|_call$/.test(item) || /function_call_arguments\.delta/.test(type),
      isThinking: item === 'reasoning' || (/reasoning/.test(type) && text(json.delta) !== ''),
      finish:
        type === 'response.completed' ? 'stop' : type === 'response.incomplete' ? (finishOf(reason) ?? 'length') : null,
    };
  },
  google(json) {
    const candidate = record(list(json.candidates)[0]);
    const parts = list(record(candidate.content).parts).map(record);
    const spoken = parts.filter((part) => part.thought !== true).map((part) => text(part.text).length);
    const isBlocked = text(record(json.promptFeedback).blockReason) !== '';
    return {
      ...NOTHING,
      text: spoken.reduce((sum, length) => sum + length, 0),
      isTool: parts.some((part) => isRecord(part.functionCall)),
      isThinking: parts.some((part) => part.thought === true && text(part.text) !== ''),
      finish: isBlocked ? 'filter' : finishOf(text(candidate.finishReason)),
    };
  },
  // Their streams pass as they are: whatever arrives counts as an answer, and only an error inside is seen.
  cohere: () => ({ ...NOTHING, text: 1, finish: 'stop' }),
  gateway: () => ({ ...NOTHING, text: 1, finish: 'stop' }),
  opaque: () => ({ ...NOTHING, text: 1, finish: 'stop' }),
};

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
