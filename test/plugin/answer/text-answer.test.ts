import { describe, expect, it } from 'vitest';
import { followAnswer } from '../../../src/plugin/answer/answer-stream';
import { askedText } from '../../../src/plugin/answer/asked-text';
import { textAnswer } from '../../../src/plugin/answer/text-answer';
import type { Wire } from '../../../src/plugin/answer/wire';

const TEXT = 'A title,\nwith "quotes" and ünïcode';

describe('given a text that goes back as an answer', () => {
  it.each<Wire>(['chat', 'perplexity', 'anthropic', 'responses', 'google', 'cohere', 'gateway'])(
    'when the wire is %s, then its reader finds the whole text, a tidy end and no open block',
    async (wire) => {
      const body = textAnswer(wire, TEXT) ?? '';
      const stream = followAnswer(new Blob([body]).stream(), wire);
      const kinds: string[] = [];
      for (let kind = ''; kind !== 'end' && kind !== 'failed'; ) {
        ({ kind } = await stream.read(1_000));
        kinds.push(kind);
      }
      expect([kinds.at(-1), stream.outputChars(), stream.isFinished(), stream.openBlock()]).toEqual([
        'end',
        TEXT.length,
        true,
        null,
      ]);
      expect(body).toContain(JSON.stringify(TEXT));
    },
  );

  it('when the wire is not readable text, then there is none', () => {
    expect(textAnswer('opaque', TEXT)).toBeNull();
  });
});

describe('given a request’s body', () => {
  const image = { type: 'image', source: { data: 'AAAA' } };
  it.each<[string, unknown]>([
    [
      'chat',
      {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Title this:' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Hello' },
              { type: 'image_url', image_url: { url: 'x' } },
            ],
          },
        ],
      },
    ],
    [
      'anthropic',
      {
        system: [{ type: 'text', text: 'Be brief.' }],
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Title this:' }, image, { type: 'text', text: 'Hello' }] },
        ],
      },
    ],
    [
      'responses',
      {
        input: [
          { role: 'developer', content: 'Be brief.' },
          { role: 'user', content: [{ type: 'input_text', text: 'Title this:' }] },
          { role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
        ],
      },
    ],
    [
      'responses with a login',
      {
        instructions: 'Be brief.',
        input: [
          { role: 'user', content: 'Title this:' },
          { role: 'user', content: 'Hello' },
        ],
      },
    ],
    [
      'google',
      {
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        contents: [{ role: 'user', parts: [{ text: 'Title this:' }, { inlineData: {} }, { text: 'Hello' }] }],
      },
    ],
    [
      'gateway',
      {
        prompt: [
          { role: 'system', content: 'Be brief.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Title this:' },
              { type: 'text', text: 'Hello' },
            ],
          },
        ],
      },
    ],
  ])('when it is of %s, then instructions and texts are told apart, and what it shows is left out', (_, body) => {
    expect(askedText(JSON.stringify(body))).toEqual({ system: 'Be brief.', text: 'Title this:\n\nHello' });
  });

  it.each([
    ['a stream', new Blob([]).stream()],
    ['no JSON', 'hello'],
    ['null', 'null'],
    ['without messages', '{"model":"x"}'],
    ['without texts', '{"messages":[{"role":"user","content":[{"type":"image"}]},null,{"role":"user"}]}'],
  ])('when it is %s, then there is nothing to ask another model', (_, body) => {
    expect(askedText(body)).toBeNull();
  });
});
