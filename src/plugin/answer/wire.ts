import { parseJson } from '../../contract/parse-json';
/** Stream format; `opaque` streams are read for errors only. */
export type Wire = 'chat' | 'perplexity' | 'anthropic' | 'responses' | 'google' | 'cohere' | 'gateway' | 'opaque';

/** Selects by SDK package, then by URL where one has several wires. */
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

export type Progress = Readonly<{
  text: number;
  isTool: boolean;
  isThinking: boolean;
  /** `unknown`: a reason in no list, or an end mark without one. */
  finish: 'stop' | 'length' | 'filter' | 'unknown' | null;
  reason?: string;
  error: Readonly<{ message: string; code: string | null; status: number | null }> | null;
  block: Readonly<{ index: number; isOpen: boolean }> | null;
}>;

const NOTHING: Progress = { text: 0, isTool: false, isThinking: false, finish: null, error: null, block: null };

export const END_MARK = '[DONE]';

export const dataOf = (raw: string): string =>
  raw
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trimStart())
    .join('\n');

export function progressOf(wire: Wire, raw: string): Progress {
  const data = dataOf(raw);
  if (data === '') return NOTHING;
  if (data === END_MARK) return READERS[wire] === readChat ? { ...NOTHING, finish: 'unknown' } : NOTHING;
  const json = parseJson(data);
  if (!isRecord(json)) return NOTHING;
  const error = errorOf(json);
  if (error) return { ...NOTHING, error };
  return READERS[wire](json);
}

export type Json = Readonly<Record<string, unknown>>;
export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const record = (value: unknown): Json => (isRecord(value) ? value : {});
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const lengthOf = (value: unknown): number => text(value).length;
const sum = (lengths: readonly number[]): number => lengths.reduce((total, length) => total + length, 0);

const CODE_MAX_CHARS = 200;
const UNSAID = 'The provider reported an error.';

export function errorOf(json: unknown): Progress['error'] {
  const outer = record(json);
  const isFailed = outer.type === 'response.failed' || outer.type === 'error';
  const inner = isRecord(outer.error) ? outer.error : record(record(outer.response).error);
  if (!isFailed && outer.error === undefined) return null;
  if (outer.error === null && !isFailed) return null;
  const stated = text(inner.message) || text(outer.error) || text(outer.message) || UNSAID;
  const reason = reasonIn(inner, stated);
  const message = reason?.message || stated;
  const code =
    reason?.code || (inner.code ?? inner.type ?? inner.status ?? outer.code ?? (isFailed ? null : outer.type));
  const status = Number(inner.status_code ?? (typeof inner.code === 'number' ? inner.code : Number.NaN));
  // The type is more precise than a status.
  const isName = typeof code === 'string' && !/^[45]\d\d$/.test(code);
  const name = isName ? code : text(inner.type) || text(inner.status) || null;
  return {
    message,
    code: name === null ? null : `${name}${detailIn(inner.details)}`.slice(0, CODE_MAX_CHARS),
    status: Number.isInteger(status) && status >= 400 && status < 600 ? status : null,
  };
}

const REASON_MAX_CHARS = 100_000;

/** Routers pass on the reason in `metadata.raw`, or as JSON in place of a message. */
function reasonIn(error: Json, message: string): Readonly<{ message: string; code: string }> | null {
  const raw = record(error.metadata).raw ?? message;
  const json = typeof raw === 'string' ? parsed(raw) : raw;
  if (!isRecord(json)) {
    // A page or a part of a body may repeat the request.
    const isSentence = typeof raw === 'string' && raw !== message && !/^\s*(?:[[{]|<[^\d])/.test(raw);
    return isSentence ? { message: raw, code: '' } : null;
  }
  const nested = isRecord(json.error) ? errorOf(json) : null;
  if (nested) return { message: nested.message === UNSAID ? '' : nested.message, code: nested.code ?? '' };
  const reason = text(json.message) || text(json.error) || text(json.error_msg);
  const code = text(json.code) || text(json.type) || text(json.error_code);
  return reason === '' && code === '' ? null : { message: reason, code };
}

function parsed(raw: string): unknown {
  if (!/^\s*[[{]/.test(raw) || raw.length > REASON_MAX_CHARS) return null;
  const json = parseJson(raw);
  return Array.isArray(json) ? json[0] : json;
}

/** Reads Google's details: only they show a limit per day, or missing credits. */
function detailIn(details: unknown): string {
  const parts = list(details).map(record);
  const quotas = parts
    .flatMap(({ violations }) => list(violations))
    .map((violation) => text(record(violation).quotaId));
  if (quotas.some((quota) => quota.includes('PerDay'))) return ':PerDay';
  return parts.some(({ reason }) => /^INSUFFICIENT_.*(?:CREDIT|BALANCE)/.test(text(reason))) ? ':NoCredits' : '';
}

const WHOLE =
  /^(?:stop|stop_sequence|end|end_turn|pause_turn|eos|eos_token|completed?|finished|tool_use|tool[-_]calls?|function_call)$/i;
const BROKEN =
  /^(?:network_error|error|server_error|internal_error|model_error|overloaded|timeout|unavailable|malformed_(?:function_call|response)|unexpected_tool_call|too_many_tool_calls|missing_thought_signature)$/i;

function endOf(reason: string): Pick<Progress, 'finish' | 'error' | 'reason'> {
  if (reason === '') return { finish: null, error: null };
  if (BROKEN.test(reason)) {
    const message = `The provider ended its answer with "${reason}".`;
    // "network_error" is the provider's network: its model failed.
    const code = /overloaded|timeout/i.test(reason) ? reason : 'server_error';
    return { finish: null, error: { message, code, status: null } };
  }
  if (/length|max_?tokens|max_output_tokens|context_window/i.test(reason)) return { finish: 'length', error: null };
  if (/content.?filter|safety|refusal|blocklist|prohibited|toxic|recitation|spii|model_armor/i.test(reason))
    return { finish: 'filter', error: null };
  return WHOLE.test(reason) ? { finish: 'stop', error: null } : { finish: 'unknown', error: null, reason };
}

function readChat(json: Json): Progress {
  const choice = record(list(json.choices)[0]);
  const delta = record(choice.delta ?? choice.message);
  const parts = list(delta.content).map(record);
  return {
    ...NOTHING,
    text: lengthOf(delta.content) + lengthOf(delta.refusal) + sum(parts.map((part) => lengthOf(part.text))),
    isTool: list(delta.tool_calls).length > 0,
    isThinking:
      [delta.reasoning, delta.reasoning_content, delta.reasoning_text].some((part) => text(part) !== '') ||
      list(delta.reasoning_details).length > 0 ||
      parts.some((part) => list(part.thinking).length > 0),
    ...endOf(text(choice.finish_reason)),
  };
}

function readCohere(json: Json): Progress {
  const type = text(json.type);
  const delta = record(json.delta);
  const message = record(delta.message);
  const content = record(message.content);
  const reason = type === 'message-end' ? text(delta.finish_reason) : '';
  return {
    ...NOTHING,
    text: lengthOf(content.text),
    isTool: /^tool-call-(start|delta)$/.test(type),
    isThinking: text(content.thinking) !== '' || text(message.tool_plan) !== '',
    ...endOf(reason),
  };
}

function readGateway(json: Json): Progress {
  const type = text(json.type);
  return {
    ...NOTHING,
    text: type === 'text-delta' ? lengthOf(json.delta) : 0,
    isTool: /^(tool-|file$)/.test(type),
    isThinking: type === 'reasoning-delta' && text(json.delta) !== '',
    ...endOf(type === 'finish' ? text(record(json.finishReason).unified) || 'other' : ''),
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
      text: lengthOf(delta.text) + lengthOf(block.text),
      isTool: /tool_use/.test(text(block.type)) || delta.type === 'input_json_delta',
      isThinking: /thinking/.test(text(delta.type)) || /thinking/.test(text(block.type)),
      ...endOf(json.type === 'message_delta' ? text(delta.stop_reason) : ''),
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
      text: /output_text\.delta|refusal\.delta/.test(type) ? lengthOf(json.delta) : 0,
      // The provider's own searches and tools report while they run.
      isTool: /_call$/.test(item) || /_call[._]/.test(type),
      isThinking: item === 'reasoning' || (/reasoning/.test(type) && text(json.delta) !== ''),
      ...endOf(type === 'response.completed' ? 'stop' : type === 'response.incomplete' ? reason || 'length' : ''),
    };
  },
  google(json) {
    const candidate = record(list(json.candidates)[0]);
    const parts = list(record(candidate.content).parts).map(record);
    const spoken = parts.filter((part) => part.thought !== true);
    const isBlocked = text(record(json.promptFeedback).blockReason) !== '';
    return {
      ...NOTHING,
      text: sum(spoken.map((part) => lengthOf(part.text))),
      isTool: parts.some((part) => Object.values(part).some(isRecord)),
      isThinking: parts.some((part) => part.thought === true && text(part.text) !== ''),
      ...endOf(isBlocked ? 'safety' : text(candidate.finishReason)),
    };
  },
  cohere: readCohere,
  gateway: readGateway,
  // All data counts as output; only errors are detected.
  opaque: () => ({ ...NOTHING, text: 1, finish: 'stop' }),
};
