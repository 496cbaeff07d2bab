import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calm, calmBody } from '../../../src/plugin/answer/calm';
import { RETRY_WORDS, retriedBy } from '../support/retry-patterns';

const JOINER = '\u2060';
const visible = (text: string): string => text.replaceAll(JOINER, '');

/** Texts in which OpenCode's words stand alone, side by side and across each other, in any case. */
const troubled = fc
  .array(fc.oneof(fc.constantFrom(...RETRY_WORDS), fc.constantFrom('4', '5', '0', '2', '9', ' ', '_'), fc.string()))
  .map((words) => words.join(''))
  .chain((text) => fc.constantFrom(text, text.toUpperCase()));

/** Every name, text and number in a JSON value, as text. */
function wordsOf(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...wordsOf(item)]);
}

describe('given any text', () => {
  it('when it is calmed, then no retry pattern is left and the visible text is the same', () => {
    fc.assert(
      fc.property(troubled, (text) => {
        const calmed = calm(text);
        expect(retriedBy(calmed)).toBeNull();
        expect(visible(calmed)).toBe(visible(text));
      }),
    );
  });

  it.each(RETRY_WORDS.map((word) => [word]))(
    'when it says %j, then that is a pattern of OpenCode and is calmed',
    (word) => {
      const sentence = `The ${word} came`;
      expect([retriedBy(sentence) ?? retriedBy(word), retriedBy(calm(sentence)), retriedBy(calm(word))]).toEqual([
        expect.any(RegExp),
        null,
        null,
      ]);
    },
  );

  it('when two numbers share digits (50429), then neither is left', () => {
    expect(calm('code 50429')).toBe(`code 5${JOINER}04${JOINER}29`);
  });
});

describe('given any JSON body', () => {
  const json = fc.jsonValue();
  const body = fc.oneof(
    json,
    fc.dictionary(troubled, fc.oneof(troubled, fc.integer(), fc.array(troubled))),
    fc.record({ error: fc.record({ message: troubled, code: fc.constantFrom(429, 500, 65_000, 1.5e5, 'x') }) }),
  );

  it('when it is calmed, then it is JSON in which no name, text or number matches, and it says the same', () => {
    fc.assert(
      fc.property(body, (value) => {
        const before = wordsOf(JSON.parse(JSON.stringify(value)));
        const after = wordsOf(JSON.parse(calmBody(JSON.stringify(value))));
        expect(after.filter((word) => retriedBy(word))).toEqual([]);
        // Names that are numbers have an order of their own in JavaScript; a calmed one is no number any more.
        expect(after.map(visible).sort()).toEqual(before.map(visible).sort());
      }),
    );
  });

  it('when a limit of 65000 is refused, then the whole body is calm and reads as it did', () => {
    const text = JSON.stringify({ error: { message: 'max_tokens must be at most 65000', param: 65_000 } });
    expect([retriedBy(calmBody(text)), visible(calmBody(text))]).toEqual([
      null,
      JSON.stringify({ error: { message: 'max_tokens must be at most 65000', param: '65000' } }),
    ]);
  });

  it('when it is no JSON, then its text is calmed', () => {
    expect([retriedBy(calmBody('<h1>500</h1>')), visible(calmBody('<h1>500</h1>'))]).toEqual([null, '<h1>500</h1>']);
  });
});
