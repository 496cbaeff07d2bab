import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIssued, sealedIn, withoutForeign } from '../../../src/plugin/answer/foreign';

const isForeign = (sealed: string): boolean => sealed.includes('FOREIGN');
const filtered = (body: unknown): unknown => {
  const text = withoutForeign(JSON.stringify(body), isForeign);
  return text === null ? null : JSON.parse(text);
};
const USER = { role: 'user', content: 'One' };
const RESULT = { role: 'tool', tool_call_id: 'call_1', content: 'ok' };

describe('given a request whose history another account began', () => {
  it.each([
    [
      'Anthropic’s wire',
      {
        messages: [
          USER,
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'hm', signature: 'FOREIGN1' },
              { type: 'redacted_thinking', data: 'FOREIGN2' },
              { type: 'text', text: 'I look.' },
              { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }] },
          { role: 'assistant', content: [{ type: 'thinking', thinking: 'mine', signature: 'OWN' }] },
          { role: 'assistant', content: [{ type: 'thinking', thinking: 'alone', signature: 'FOREIGN3' }] },
        ],
      },
      {
        messages: [
          USER,
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'I look.' },
              { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }] },
          { role: 'assistant', content: [{ type: 'thinking', thinking: 'mine', signature: 'OWN' }] },
        ],
      },
    ],
    [
      'the Responses API',
      {
        input: [
          { role: 'user', content: [{ type: 'input_text', text: 'One' }] },
          { type: 'reasoning', id: 'rs_FOREIGN', encrypted_content: 'FOREIGN', summary: [] },
          { type: 'item_reference', id: 'rs_FOREIGN' },
          {
            type: 'message',
            id: 'msg_FOREIGN',
            role: 'assistant',
            content: [{ type: 'output_text', text: 'I look.' }],
          },
          { type: 'function_call', id: 'fc_FOREIGN', call_id: 'call_1', name: 'read', arguments: '{}' },
          { type: 'function_call_output', call_id: 'call_1', output: 'ok' },
          { type: 'reasoning', id: 'rs_own', encrypted_content: 'own', summary: [] },
        ],
      },
      {
        input: [
          { role: 'user', content: [{ type: 'input_text', text: 'One' }] },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
          { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{}' },
          { type: 'function_call_output', call_id: 'call_1', output: 'ok' },
          { type: 'reasoning', id: 'rs_own', encrypted_content: 'own', summary: [] },
        ],
      },
    ],
    [
      'Google’s wire',
      {
        contents: [
          { role: 'user', parts: [{ text: 'One' }] },
          {
            role: 'model',
            parts: [
              { text: 'hm', thought: true, thoughtSignature: 'FOREIGN' },
              { functionCall: { name: 'read', args: {} }, thoughtSignature: 'FOREIGN' },
              { text: 'mine', thoughtSignature: 'OWN' },
            ],
          },
        ],
      },
      {
        contents: [
          { role: 'user', parts: [{ text: 'One' }] },
          {
            role: 'model',
            parts: [{ functionCall: { name: 'read', args: {} } }, { text: 'mine', thoughtSignature: 'OWN' }],
          },
        ],
      },
    ],
    [
      'the chat wire of OpenRouter, Copilot and Google',
      {
        messages: [
          USER,
          {
            role: 'assistant',
            content: 'I look.',
            reasoning_opaque: 'FOREIGN',
            reasoning_details: [
              { type: 'reasoning.encrypted', data: 'FOREIGN' },
              { type: 'reasoning.text', text: 'hm', signature: 'FOREIGN' },
            ],
            tool_calls: [
              {
                id: 'call_1',
                type: 'function',
                function: {},
                extra_content: { google: { thought_signature: 'FOREIGN' } },
              },
            ],
          },
          RESULT,
          {
            role: 'assistant',
            content: 'mine',
            reasoning_details: [{ type: 'reasoning.text', text: 'x', signature: 'OWN' }],
          },
        ],
      },
      {
        messages: [
          USER,
          { role: 'assistant', content: 'I look.', tool_calls: [{ id: 'call_1', type: 'function', function: {} }] },
          RESULT,
          {
            role: 'assistant',
            content: 'mine',
            reasoning_details: [{ type: 'reasoning.text', text: 'x', signature: 'OWN' }],
          },
        ],
      },
    ],
  ])(
    'when it is of %s, then what only that one can read is left out, and all words and calls stay',
    (_, body, expected) => {
      expect(filtered(body)).toEqual(expected);
    },
  );

  it('when Gemini 3 reads a call of another model, then that has the seal which skips its check', () => {
    const call = (more: object) => ({ functionCall: { name: 'read', args: {} }, ...more });
    const of = (...parts: object[]) => JSON.stringify({ contents: [{ role: 'model', parts }] });
    const url = (model: string) => `https://g/v1beta/models/${model}:streamGenerateContent`;
    const skips = { thoughtSignature: 'skip_thought_signature_validator' };
    for (const model of ['gemini-3-pro', 'gemini-3.1-flash', 'gemini-flash-latest'])
      for (const before of [{}, { thoughtSignature: 'FOREIGN' }])
        expect(withoutForeign(of({ text: 'I look.' }, call(before), call({})), isForeign, url(model))).toBe(
          of({ text: 'I look.' }, call(skips), call({})),
        );
    const own = of(call({ thoughtSignature: 'OWN' }), call({}));
    expect(withoutForeign(own, isForeign, url('gemini-3-pro'))).toBeNull();
    expect(withoutForeign(of(call({})), isForeign, url('gemini-2.5-pro'))).toBeNull();
    const chat = (model: string, more: object) =>
      JSON.stringify({ model, messages: [{ role: 'assistant', tool_calls: [{ id: 'call_1', ...more }] }] });
    const google = (seal: string) => ({ extra_content: { google: { thought_signature: seal } } });
    expect(withoutForeign(chat('google/gemini-3-pro', google('FOREIGN')), isForeign)).toBe(
      chat('google/gemini-3-pro', google(skips.thoughtSignature)),
    );
    expect(withoutForeign(chat('gemini-2.5-pro', google('FOREIGN')), isForeign)).toBe(chat('gemini-2.5-pro', {}));
  });

  it.each([
    [
      'Anthropic',
      'functions_FOREIGN_0',
      (id: string): object[] => [
        { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
      ],
    ],
    [
      'a chat, which takes all letters,',
      'functions.FOREIGN:0',
      (id: string): object[] => [
        { role: 'assistant', tool_calls: [{ id, type: 'function', function: {} }] },
        { role: 'tool', tool_call_id: id, content: 'ok' },
      ],
    ],
  ])(
    'when another model’s call has an id that Anthropic or OpenAI refuses, then %s reads one that it takes',
    (_, fit, messages) => {
      const [own, foreign] = ['functions.OWN:0', 'functions.FOREIGN:0'];
      const sent = (...ids: string[]) => ({ messages: ids.flatMap(messages) });
      expect(filtered(sent(own, foreign)) ?? sent(own, foreign)).toEqual(sent(own, fit));
      expect(filtered(sent(own, 'call_FOREIGN'))).toBeNull();
      const [fits, long] = [35, 36].map((length) => `FOREIGN${'i'.repeat(length - 2)}`);
      expect([fits, long].map((id = '') => filtered(sent(id)))).toEqual([null, sent(`FOREIGN${'i'.repeat(33)}`)]);
    },
  );

  it('when Anthropic is to think in a turn that another model began with a call, then it goes on without thinking', () => {
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }] };
    const call = { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} };
    const thought = (signature: string) => ({ type: 'thinking', thinking: 'hm', signature });
    const sent = (...content: object[]) => ({ messages: [USER, { role: 'assistant', content }, result] });
    const thinking = { type: 'enabled', budget_tokens: 1_024 };
    expect(filtered({ ...sent(call), thinking })).toEqual(sent(call));
    expect(filtered({ ...sent(thought('FOREIGN'), call), thinking })).toEqual(sent(call));
    expect(filtered({ ...sent(thought('OWN'), call), thinking })).toBeNull();
    expect(filtered({ ...sent(call), thinking: { type: 'adaptive' } })).toBeNull();
    const later = {
      messages: [...sent(thought('OWN'), call).messages, { role: 'assistant', content: [call] }, result],
    };
    expect(filtered({ ...later, thinking })).toBeNull();
    const next = { messages: [...sent(call).messages, { role: 'assistant', content: 'Done.' }, USER], thinking };
    expect(filtered(next)).toBeNull();
  });

  it.each([
    ['nothing is sealed', { messages: [USER] }],
    [
      'all is sealed by the account that is asked',
      { messages: [{ role: 'assistant', content: [{ type: 'thinking', signature: 'OWN' }] }] },
    ],
    [
      'a user quotes such a field',
      { messages: [{ role: 'user', content: [{ type: 'text', text: '"signature":"FOREIGN"' }] }] },
    ],
    ['it is no object', ['FOREIGN']],
  ])('when %s, then the request stays as it is, byte by byte', (_, body) => {
    expect(withoutForeign(JSON.stringify(body), isForeign)).toBeNull();
  });

  it('when it is any text or any JSON, then nothing throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        withoutForeign(`${text}"signature"`, () => true);
        withoutForeign(`{"messages":${text},"signature":1}`, () => true);
        withoutForeign(`{"thinking":{"type":"enabled"},"messages":[{"role":"user"},${text}]}`, () => true);
        withoutForeign(`{"contents":[${text}],"functionCall":1}`, () => true, '/gemini-3-pro');
        sealedIn(`data: ${text}"signature"\n\n`);
      }),
    );
  });
});

describe('given the events of an answer', () => {
  it.each([
    ['content_block_delta', { delta: { type: 'signature_delta', signature: 'S' } }, ['S']],
    ['redacted thinking', { content_block: { type: 'redacted_thinking', data: 'D' } }, ['D']],
    ['an item', { item: { type: 'reasoning', id: 'rs_1', encrypted_content: 'E' } }, ['E', 'rs_1']],
    ['a part', { candidates: [{ content: { parts: [{ thoughtSignature: 'T' }] } }] }, ['T']],
    ['details', { choices: [{ delta: { reasoning_details: [{ type: 'reasoning.encrypted', data: 'R' }] } }] }, ['R']],
    [
      'a call',
      { choices: [{ delta: { tool_calls: [{ id: 'functions.read:0', function: {} }] } }] },
      ['functions.read:0'],
    ],
    ['an item of a call', { item: { id: 'x:1', call_id: 'read:0', type: 'function_call' } }, ['read:0']],
    ['a chunk', { id: 'gen:1', choices: [] }, []],
    ['text', { delta: { text: 'no signature here' } }, []],
  ])('when one holds %s, then its sealed values are found', (_, event, sealed) => {
    expect(sealedIn(`data: ${JSON.stringify(event)}\n\n`)).toEqual(sealed);
  });
});

describe('given a session in which two accounts have answered', () => {
  it('when each is asked, then the values of the other are foreign to it, and unknown ones to nobody', () => {
    const issued = createIssued();
    issued.note('s', 'a/1', ['1']);
    expect(issued.foreignTo('s', 'a/2')).toBeNull();
    issued.note('s', 'b/1', ['2']);
    issued.note('plain', 'a/1', []);
    expect([issued.foreignTo('plain', 'a/1'), issued.foreignTo('plain', 'b/1')?.('1')]).toEqual([null, false]);
    const [toA, toB] = ['a/1', 'b/1'].map((model) => issued.foreignTo('s', model));
    expect(['1', '2', '3'].map((value) => [toA?.(value), toB?.(value)])).toEqual([
      [false, true],
      [true, false],
      [false, false],
    ]);
    expect(issued.foreignTo('other', 'a/1')).toBeNull();
  });

  it('when 51 sessions and 2,001 values come, then the oldest are forgotten', () => {
    const issued = createIssued();
    for (let n = 0; n <= 50; n++) issued.note(`s${n}`, 'a/1', ['1']);
    expect([issued.foreignTo('s0', 'b/1'), issued.foreignTo('s1', 'b/1')?.('1')]).toEqual([null, true]);
    issued.note(
      's9',
      'a',
      Array.from({ length: 2_001 }, (_, n) => `v${n}`),
    );
    expect(['v0', 'v1'].map((value) => issued.foreignTo('s9', 'b/1')?.(value))).toEqual([false, true]);
  });
});
