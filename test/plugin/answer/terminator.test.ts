import { describe, expect, it } from 'vitest';
import { finalResponse, goOn, isGoOnCall, wholeEnd } from '../../../src/plugin/answer/terminator';
import { progressOf, type Wire } from '../../../src/plugin/answer/wire';
import { retriedBy } from '../support/retry-patterns';

const EVERY_WIRE: readonly Wire[] = [
  ...(['chat', 'perplexity', 'anthropic', 'responses', 'google', 'cohere', 'gateway', 'opaque'] as const),
];

describe('given an empty turn that shall make OpenCode go on', () => {
  const FRESH = { isBegun: false, openBlock: null };
  const BEGUN = { isBegun: true, openBlock: null };
  /** The data of each event. */
  const eventsIn = (text: string): unknown[] =>
    text
      .split('\n\n')
      .filter(Boolean)
      .map((event) => {
        const data = event.slice(event.indexOf('data: ') + 6);
        return data === '[DONE]' ? data : JSON.parse(data);
      });

  it.each(['perplexity', 'opaque'] as const)('when the wire is %s, then the body is empty', (wire) => {
    expect([goOn(wire, FRESH, ''), goOn(wire, { isBegun: true, openBlock: 1 }, '')]).toEqual(['', '']);
  });

  const BEFORE = ['', '1.17.19', '1.18.20', '1.18.21-dev', 'local'];
  const SINCE = ['1.18.21', '1.18.34', '1.19.0'];

  it.each(BEFORE)(
    'when the wire is responses and OpenCode is "%s", then a tool that does not exist is called',
    (version) => {
      const call = { type: 'function_call', name: 'understudy_go_on', arguments: '{}' };
      const rest = [
        expect.objectContaining({ type: 'response.output_item.added' }),
        expect.objectContaining({ type: 'response.function_call_arguments.delta', delta: '{}' }),
        expect.objectContaining({ type: 'response.output_item.done', item: expect.objectContaining(call) }),
        expect.objectContaining({ type: 'response.completed' }),
      ];
      const start = expect.objectContaining({ type: 'response.created' });
      expect(eventsIn(goOn('responses', BEGUN, version))).toEqual(rest);
      expect(eventsIn(goOn('responses', FRESH, version))).toEqual([start, ...rest]);
    },
  );

  it.each(SINCE)(
    'when the wire is responses and OpenCode is %s, then the response ends for an unknown reason',
    (version) => {
      const usage = { input_tokens: 0, output_tokens: 0 };
      const end = { type: 'response.incomplete', response: { incomplete_details: { reason: 'understudy' }, usage } };
      const start = expect.objectContaining({ type: 'response.created' });
      expect(eventsIn(goOn('responses', BEGUN, version))).toEqual([end]);
      expect(eventsIn(goOn('responses', FRESH, version))).toEqual([start, end]);
    },
  );

  it.each(BEFORE)(
    'when the wire is google and OpenCode is "%s", then a tool that does not exist is called',
    (version) => {
      const parts = [{ functionCall: { name: 'understudy_go_on', args: {} } }];
      expect(eventsIn(goOn('google', FRESH, version))).toEqual([
        { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }] },
      ]);
    },
  );

  it.each(SINCE)(
    'when the wire is google and OpenCode is %s, then the answer ends for an unknown reason',
    (version) => {
      expect(eventsIn(goOn('google', FRESH, version))).toEqual([
        { candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'OTHER', index: 0 }] },
      ]);
    },
  );

  it('when OpenCode runs that call, then it is no call of a model; every other one is', () => {
    const calls = [
      ['understudy_go_on', {}],
      ['invalid', { tool: 'understudy_go_on', error: 'Model tried to call unavailable tool' }],
      ['invalid', { tool: 'read', error: 'JSON parsing failed' }],
      ['invalid', undefined],
      ['read', { tool: 'understudy_go_on' }],
    ] as const;
    expect(calls.map(([tool, input]) => isGoOnCall(tool, input))).toEqual([true, true, false, false, false]);
  });

  it('when the wire is chat, then it finishes for tool calls and is done', () => {
    expect(eventsIn(goOn('chat', FRESH, ''))).toEqual([
      expect.objectContaining({
        choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: 'tool_calls' }],
      }),
      '[DONE]',
    ]);
  });

  it('when the wire is cohere or gateway, then it finishes in their words', () => {
    expect([...eventsIn(goOn('cohere', FRESH, '')), ...eventsIn(goOn('gateway', FRESH, ''))]).toEqual([
      {
        type: 'message-end',
        delta: { finish_reason: 'TOOL_CALL', usage: { tokens: { input_tokens: 0, output_tokens: 0 } } },
      },
      expect.objectContaining({ type: 'finish', finishReason: { unified: 'tool-calls', raw: 'tool_calls' } }),
    ]);
  });

  const DELTA = {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { output_tokens: 0 },
  };
  const STOP = { type: 'message_stop' };
  it.each([
    ['has not begun', FRESH, [expect.objectContaining({ type: 'message_start' }), DELTA, STOP]],
    ['has begun', { isBegun: true, openBlock: null }, [DELTA, STOP]],
    ['has block 3 open', { isBegun: true, openBlock: 3 }, [{ type: 'content_block_stop', index: 3 }, DELTA, STOP]],
  ])('when an anthropic stream %s, then it is ended where it stands', (_, begun, events) => {
    expect(eventsIn(goOn('anthropic', begun, ''))).toEqual(events);
  });

  it('when our own reader reads it, then it is a finish on every wire that has one', () => {
    const finishes = EVERY_WIRE.map((wire) => {
      const events = goOn(wire, FRESH, '').split(/(?<=\n\n)/);
      return events.map((event) => progressOf(wire, event).finish).find((finish) => finish !== null) ?? null;
    });
    expect(finishes).toEqual(['stop', null, 'stop', 'stop', 'stop', 'stop', 'stop', null]);
  });
});

describe('given an answer that only lacks its finish', () => {
  const AT_BLOCK = { isBegun: true, openBlock: 1 };
  it('when our own reader reads its end, then it is a finish on every wire that is read', () => {
    const finishes = EVERY_WIRE.map((wire) => {
      const events = wholeEnd(wire, AT_BLOCK).split(/(?<=\n\n)/);
      return events.map((event) => progressOf(wire, event).finish).find((finish) => finish !== null) ?? null;
    });
    expect(finishes).toEqual(['stop', 'stop', 'stop', 'stop', 'stop', 'stop', 'stop', null]);
  });

  it('when an anthropic block is open, then it is closed first', () => {
    const end = wholeEnd('anthropic', AT_BLOCK);
    expect([end.includes('"stop_reason":"end_turn"'), end.startsWith('event: content_block_stop')]).toEqual([
      true,
      true,
    ]);
  });
});

describe('given the error that ends an exhausted turn', () => {
  it('when it is sent, then it is a calm 400 in every provider’s shape', async () => {
    const response = finalResponse('No model: rate limit (429), try again later.');
    const body = await response.text();
    const { type, error } = JSON.parse(body) as {
      type: string;
      error: { message: string; type: string; code: null };
    };
    expect([
      response.status,
      response.headers.get('content-type'),
      retriedBy(body),
      type,
      error.type,
      error.code,
    ]).toEqual([400, 'application/json', null, 'error', 'invalid_request_error', null]);
    expect(error.message.replaceAll('\u2060', '')).toBe('No model: rate limit (429), try again later.');
    // Mistral's package takes no other shape, and OpenCode then shows the whole body. [observed: 1.18.34]
    expect(JSON.parse(body)).toMatchObject({ object: 'error', message: error.message, param: '', code: '400' });
  });
});
