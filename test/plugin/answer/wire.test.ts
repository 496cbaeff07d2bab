import { describe, expect, it } from 'vitest';
import { errorOf, type Progress, progressOf, type Wire, wireOf } from '../../../src/plugin/answer/wire';

const NOTHING: Progress = { text: 0, isTool: false, isThinking: false, finish: null, error: null, block: null };
const frame = (data: unknown, event?: string): string =>
  `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
const read = (wire: Wire, data: unknown): Progress => progressOf(wire, frame(data));

describe('given the SDK package and the URL of a request', () => {
  const CHAT = 'https://host/v1/chat/completions';
  it.each<[string, string, Wire]>([
    ['@ai-sdk/openai-compatible', CHAT, 'chat'],
    ['@ai-sdk/openai', 'https://api.openai.com/v1/responses', 'responses'],
    ['@ai-sdk/openai', CHAT, 'chat'],
    ['@ai-sdk/azure', 'https://x.openai.azure.com/openai/v1/responses?api-version=v1', 'responses'],
    ['@ai-sdk/anthropic', 'https://api.anthropic.com/v1/messages', 'anthropic'],
    ['@ai-sdk/google-vertex/anthropic', 'https://host/models/claude:streamRawPredict', 'anthropic'],
    ['@ai-sdk/google', 'https://host/v1beta/models/g:streamGenerateContent?alt=sse', 'google'],
    ['@ai-sdk/google-vertex', 'https://host/v1/models/g:streamGenerateContent?alt=sse', 'google'],
    ['@openrouter/ai-sdk-provider', 'https://openrouter.ai/api/v1/chat/completions', 'chat'],
    ['@ai-sdk/mistral', CHAT, 'chat'],
    ['@ai-sdk/groq', 'https://api.groq.com/openai/v1/chat/completions', 'chat'],
    ['@ai-sdk/xai', 'https://api.x.ai/v1/responses', 'responses'],
    ['@ai-sdk/deepinfra', CHAT, 'chat'],
    ['@ai-sdk/cerebras', CHAT, 'chat'],
    ['@ai-sdk/togetherai', CHAT, 'chat'],
    ['@ai-sdk/perplexity', 'https://api.perplexity.ai/chat/completions', 'perplexity'],
    ['@ai-sdk/vercel', CHAT, 'chat'],
    ['@ai-sdk/cohere', 'https://api.cohere.com/v2/chat', 'cohere'],
    ['@ai-sdk/gateway', 'https://ai-gateway.vercel.sh/v3/ai/language-model', 'gateway'],
    ['@ai-sdk/gateway', CHAT, 'chat'],
    ['@ai-sdk/amazon-bedrock', 'https://bedrock-runtime.eu.amazonaws.com/model/m/converse-stream', 'opaque'],
    ['@ai-sdk/amazon-bedrock/anthropic', 'https://bedrock-runtime/model/m/invoke-with-response-stream', 'opaque'],
    ['@ai-sdk/github-copilot', 'https://api.githubcopilot.com/chat/completions', 'chat'],
    ['some-package', 'https://host/v1/messages', 'anthropic'],
    ['some-package', 'https://host/unknown', 'opaque'],
    ['', CHAT, 'chat'],
  ])('when %s asks %s, then the wire is %s', (npm, url, wire) => {
    expect(wireOf(url, npm)).toBe(wire);
  });
});

describe('given events that say nothing', () => {
  const silent = [': ping\n\n', 'event: ping\ndata: {"type":"ping"}\n\n', '\n\n', 'data: {"half\n\n'];
  it.each(['chat', 'anthropic', 'responses', 'google'] as const)(
    'when %s sends pings and comments, then nothing was added',
    (wire) => {
      expect([...silent, 'data: []\n\n', 'data: 7\n\n'].map((event) => progressOf(wire, event))).toEqual(
        Array(6).fill(NOTHING),
      );
    },
  );
});

describe('given the end mark of the chat wire', () => {
  it.each([
    ['chat', 'unknown'],
    ['perplexity', 'unknown'],
    ['anthropic', null],
    ['responses', null],
    ['google', null],
  ] as const)('when %s sends it, then the finish is %j', (wire, finish) => {
    expect(progressOf(wire, 'data: [DONE]\n\n')).toEqual({ ...NOTHING, finish });
  });
});

describe('given the chat wire', () => {
  const choice = (delta: unknown, finish: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  it.each<[string, unknown, Partial<Progress>]>([
    ['the role', choice({ role: 'assistant', content: '' }), {}],
    ['text', choice({ content: 'Hello' }), { text: 5 }],
    ['a refusal', choice({ refusal: 'No.' }), { text: 3 }],
    ['reasoning', choice({ reasoning: 'Hm' }), { isThinking: true }],
    ['reasoning_content', choice({ reasoning_content: 'Hm' }), { isThinking: true }],
    [
      'Mistral’s text',
      choice({
        content: [
          { type: 'text', text: 'Hel' },
          { type: 'text', text: 'lo' },
        ],
      }),
      { text: 5 },
    ],
    [
      'Mistral’s thinking',
      choice({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }),
      { isThinking: true },
    ],
    ['Mistral’s thinking in no words', choice({ content: [{ type: 'thinking', thinking: [] }] }), {}],
    [
      'OpenRouter’s reasoning',
      choice({ content: '', reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] }),
      { isThinking: true },
    ],
    ['OpenRouter’s reasoning of nothing', choice({ reasoning_details: [] }), {}],
    [
      'a tool call',
      choice({ tool_calls: [{ index: 0, function: { name: 'read', arguments: '' } }] }),
      { isTool: true },
    ],
    ['stop', choice({}, 'stop'), { finish: 'stop' }],
    ['tool_calls', choice({}, 'tool_calls'), { finish: 'stop' }],
    ['length', choice({}, 'length'), { finish: 'length' }],
    ['content_filter', choice({}, 'content_filter'), { finish: 'filter' }],
    ['a reason that no list names', choice({}, 'because'), { finish: 'unknown', reason: 'because' }],
    ...(
      [
        ['network_error', 'server_error'],
        ['error', 'server_error'],
        ['overloaded', 'overloaded'],
        ['timeout', 'timeout'],
      ] as const
    ).map(([reason, code]): [string, unknown, Partial<Progress>] => [
      `the failure ${reason}`,
      choice({}, reason),
      { error: { message: `The provider ended its answer with "${reason}".`, code, status: null } },
    ]),
    ['usage alone', { choices: [], usage: { total_tokens: 3 } }, {}],
    ['a null error', { ...choice({ content: 'x' }), error: null }, { text: 1 }],
  ])('when it sends %s, then that is seen', (_, data, seen) => {
    expect([read('chat', data), read('perplexity', data)]).toEqual([
      { ...NOTHING, ...seen },
      { ...NOTHING, ...seen },
    ]);
  });

  it('when an event has CRLF and several data lines, then they are one value', () => {
    expect(progressOf('chat', 'data: {"choices":[{"delta":\r\ndata: {"content":"Hi"}}]}\r\n\r\n').text).toBe(2);
  });
});

describe('given the anthropic wire', () => {
  it.each<[string, unknown, Partial<Progress>]>([
    ['the start', { type: 'message_start', message: { stop_reason: null, content: [] } }, {}],
    [
      'an opened text block',
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { block: { index: 1, isOpen: true } },
    ],
    [
      'a text delta',
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hello' } },
      { text: 5 },
    ],
    [
      'a thinking delta',
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
      { isThinking: true },
    ],
    [
      'an opened tool block',
      { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', name: 'read' } },
      { isTool: true, block: { index: 2, isOpen: true } },
    ],
    [
      'tool arguments',
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{' } },
      { isTool: true },
    ],
    ['a closed block', { type: 'content_block_stop', index: 2 }, { block: { index: 2, isOpen: false } }],
    ['end_turn', { type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { finish: 'stop' }],
    ['max_tokens', { type: 'message_delta', delta: { stop_reason: 'max_tokens' } }, { finish: 'length' }],
    ['refusal', { type: 'message_delta', delta: { stop_reason: 'refusal' } }, { finish: 'filter' }],
    ['no reason yet', { type: 'message_delta', delta: { stop_reason: null } }, {}],
    ['the stop', { type: 'message_stop' }, {}],
  ])('when it sends %s, then that is seen', (_, data, seen) => {
    expect(read('anthropic', data)).toEqual({ ...NOTHING, ...seen });
  });
});

describe('given the responses wire', () => {
  it.each<[string, unknown, Partial<Progress>]>([
    ['the start', { type: 'response.created', response: { status: 'in_progress', error: null } }, {}],
    ['a text delta', { type: 'response.output_text.delta', delta: 'Hello' }, { text: 5 }],
    ['the whole text again', { type: 'response.output_text.done', text: 'Hello' }, {}],
    ['a refusal', { type: 'response.refusal.delta', delta: 'No' }, { text: 2 }],
    ['a reasoning summary', { type: 'response.reasoning_summary_text.delta', delta: 'Hm' }, { isThinking: true }],
    ['a reasoning item', { type: 'response.output_item.added', item: { type: 'reasoning' } }, { isThinking: true }],
    [
      'a function call',
      { type: 'response.output_item.added', item: { type: 'function_call', name: 'read' } },
      { isTool: true },
    ],
    ['its arguments', { type: 'response.function_call_arguments.delta', delta: '{' }, { isTool: true }],
    ['its input', { type: 'response.custom_tool_call_input.delta', delta: 'x' }, { isTool: true }],
    ['a search under way', { type: 'response.web_search_call.searching', item_id: 'ws_1' }, { isTool: true }],
    ['a web search', { type: 'response.output_item.added', item: { type: 'web_search_call' } }, { isTool: true }],
    ['completed', { type: 'response.completed', response: { status: 'completed', error: null } }, { finish: 'stop' }],
    [
      'incomplete',
      { type: 'response.incomplete', response: { incomplete_details: { reason: 'max_output_tokens' } } },
      { finish: 'length' },
    ],
    [
      'filtered',
      { type: 'response.incomplete', response: { incomplete_details: { reason: 'content_filter' } } },
      { finish: 'filter' },
    ],
  ])('when it sends %s, then that is seen', (_, data, seen) => {
    expect(read('responses', data)).toEqual({ ...NOTHING, ...seen });
  });
});

describe('given the google wire', () => {
  const candidate = (parts: unknown, finishReason?: string) => ({ candidates: [{ content: { parts }, finishReason }] });
  it.each<[string, unknown, Partial<Progress>]>([
    ['text', candidate([{ text: 'Hel' }, { text: 'lo' }]), { text: 5 }],
    ['a thought', candidate([{ text: 'Hm', thought: true }]), { isThinking: true }],
    [
      'a function call',
      candidate([{ functionCall: { name: 'read', args: {} } }], 'STOP'),
      { isTool: true, finish: 'stop' },
    ],
    ['an image', candidate([{ inlineData: { mimeType: 'image/png', data: 'x' } }]), { isTool: true }],
    ['a signature alone', candidate([{ text: '', thoughtSignature: 'x' }]), {}],
    ['text and the end', candidate([{ text: 'x' }], 'STOP'), { text: 1, finish: 'stop' }],
    ['MAX_TOKENS', candidate([], 'MAX_TOKENS'), { finish: 'length' }],
    ['SAFETY', candidate(undefined, 'SAFETY'), { finish: 'filter' }],
    ['PROHIBITED_CONTENT', candidate([], 'PROHIBITED_CONTENT'), { finish: 'filter' }],
    ['a blocked prompt', { promptFeedback: { blockReason: 'OTHER' } }, { finish: 'filter' }],
    ['usage alone', { usageMetadata: { totalTokenCount: 3 } }, {}],
  ])('when it sends %s, then that is seen', (_, data, seen) => {
    expect(read('google', data)).toEqual({ ...NOTHING, ...seen });
  });
});

describe('given the cohere wire', () => {
  const content = (type: string, value: unknown) => ({ type, index: 0, delta: { message: { content: value } } });
  const end = (reason: string) => ({ type: 'message-end', delta: { finish_reason: reason } });
  it.each<[string, unknown, Partial<Progress>]>([
    ['the start', { type: 'message-start', id: 'x', delta: { message: { role: 'assistant', content: [] } } }, {}],
    ['an opened text', content('content-start', { type: 'text', text: '' }), {}],
    ['a text delta', content('content-delta', { text: 'Hello' }), { text: 5 }],
    ['a thinking delta', content('content-delta', { thinking: 'Hm' }), { isThinking: true }],
    ['a plan', { type: 'tool-plan-delta', delta: { message: { tool_plan: 'I will' } } }, { isThinking: true }],
    ['a tool call', { type: 'tool-call-start', index: 0, delta: { message: { tool_calls: {} } } }, { isTool: true }],
    ['its arguments', { type: 'tool-call-delta', index: 0, delta: {} }, { isTool: true }],
    ['a citation', { type: 'citation-start', index: 0, delta: {} }, {}],
    ['COMPLETE', end('COMPLETE'), { finish: 'stop' }],
    ['TOOL_CALL', end('TOOL_CALL'), { finish: 'stop' }],
    ['MAX_TOKENS', end('MAX_TOKENS'), { finish: 'length' }],
    ['ERROR_TOXIC', end('ERROR_TOXIC'), { finish: 'filter' }],
    [
      'ERROR',
      end('ERROR'),
      { error: { message: 'The provider ended its answer with "ERROR".', code: 'server_error', status: null } },
    ],
  ])('when it sends %s, then that is seen', (_, data, seen) => {
    expect(read('cohere', data)).toEqual({ ...NOTHING, ...seen });
  });
});

describe('given the gateway wire', () => {
  it.each<[string, unknown, Partial<Progress>]>([
    ['the start', { type: 'stream-start', warnings: [] }, {}],
    ['its metadata', { type: 'response-metadata', id: 'x' }, {}],
    ['an opened text', { type: 'text-start', id: '1' }, {}],
    ['a text delta', { type: 'text-delta', id: '1', delta: 'Hello' }, { text: 5 }],
    ['reasoning', { type: 'reasoning-delta', id: '2', delta: 'Hm' }, { isThinking: true }],
    ['a tool call', { type: 'tool-call', toolCallId: '3', toolName: 'read', input: '{}' }, { isTool: true }],
    ['its arguments', { type: 'tool-input-delta', id: '3', delta: '{' }, { isTool: true }],
    ['a file', { type: 'file', mediaType: 'image/png', data: 'x' }, { isTool: true }],
    ['stop', { type: 'finish', finishReason: { unified: 'stop', raw: 'end_turn' } }, { finish: 'stop' }],
    ['length', { type: 'finish', finishReason: { unified: 'length', raw: 'max' } }, { finish: 'length' }],
    ['a filter', { type: 'finish', finishReason: { unified: 'content-filter' } }, { finish: 'filter' }],
    ['a finish for no known reason', { type: 'finish' }, { finish: 'unknown', reason: 'other' }],
  ])('when it sends %s, then that is seen', (_, data, seen) => {
    expect(read('gateway', data)).toEqual({ ...NOTHING, ...seen });
  });
});

describe('given a wire whose streams are not read', () => {
  it('when anything arrives, then it counts as an answer', () => {
    expect(read('opaque', { type: 'anything' })).toEqual({ ...NOTHING, text: 1, finish: 'stop' });
  });
});

describe('given an error inside a stream', () => {
  it.each<[string, Wire, unknown, NonNullable<Progress['error']>]>([
    [
      'an OpenAI error',
      'chat',
      { error: { message: 'Slow down', type: 'requests', code: 'rate_limit_exceeded' } },
      { message: 'Slow down', code: 'rate_limit_exceeded', status: null },
    ],
    [
      'an OpenRouter error with a status',
      'chat',
      { error: { message: 'Bad', code: 502 }, choices: [{ delta: {}, finish_reason: 'error' }] },
      { message: 'Bad', code: null, status: 502 },
    ],
    ['an error that is a text', 'chat', { error: 'overloaded' }, { message: 'overloaded', code: null, status: null }],
    [
      'an error without a message',
      'chat',
      { error: {} },
      { message: 'The provider reported an error.', code: null, status: null },
    ],
    [
      'an anthropic error',
      'anthropic',
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      { message: 'Overloaded', code: 'overloaded_error', status: null },
    ],
    [
      'a responses error event',
      'responses',
      { type: 'error', code: 'server_error', message: 'Broken', param: null },
      { message: 'Broken', code: 'server_error', status: null },
    ],
    [
      'response.failed',
      'responses',
      { type: 'response.failed', response: { error: { code: 'rate_limit_exceeded', message: 'Slow' } } },
      { message: 'Slow', code: 'rate_limit_exceeded', status: null },
    ],
    [
      'a google error',
      'google',
      { error: { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED' } },
      { message: 'Quota', code: 'RESOURCE_EXHAUSTED', status: 429 },
    ],
    [
      'a google code that is no status',
      'google',
      { error: { code: 8, message: 'Quota', status: 'RESOURCE_EXHAUSTED' } },
      { message: 'Quota', code: 'RESOURCE_EXHAUSTED', status: null },
    ],
    [
      'an error of a passing stream',
      'gateway',
      { type: 'error', error: { message: 'Broken' } },
      { message: 'Broken', code: null, status: null },
    ],
  ])('when it is %s on %s, then it is read', (_, wire, data, error) => {
    expect(read(wire, data)).toEqual({ ...NOTHING, error });
  });
});

describe('given a limit of Google', () => {
  const exhausted = (...ids: readonly unknown[]) =>
    errorOf({
      error: {
        code: 429,
        status: 'RESOURCE_EXHAUSTED',
        message: 'You exceeded your current quota.',
        details: [null, 7, { violations: ids.map((quotaId) => ({ quotaId })) }, { retryDelay: '36s' }],
      },
    })?.code;

  it('when one of the quotas it names is per day, then the code says so', () => {
    expect(exhausted('GenerateTokensPerModelPerMinute', 'GenerateRequestsPerDayPerProjectPerModel-FreeTier')).toBe(
      'RESOURCE_EXHAUSTED:PerDay',
    );
  });

  it('when all are per minute, or none is named, then the code is as it came', () => {
    expect([exhausted('GenerateTokensPerModelPerMinute'), exhausted(), exhausted(7, null)]).toEqual(
      Array(3).fill('RESOURCE_EXHAUSTED'),
    );
  });
});
