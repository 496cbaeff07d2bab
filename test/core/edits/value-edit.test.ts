import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addItems, setValues } from '../../../src/core/edits';

const set = (text: string, path: readonly string[], value: unknown) => setValues(text, [{ path, value }]);
const textOf = (edited: ReturnType<typeof setValues>): string =>
  edited.ok ? edited.text : `refused: ${edited.message}`;

const WRITTEN = `// mine
{
  "defaults": {
    "policy": "swift", // calm
    "circuitBreaker": { "failureThreshold": 3 /* of us */ },
  },
  "policies": { "mine": { "rows": { "timeout": ["retry:1", /* then */ "switch"] } } },
}
`;

describe('given a configuration with comments', () => {
  it.each<[string, readonly string[], unknown, string, string]>([
    ['a text is replaced', ['defaults', 'policy'], 'steady', '"policy": "swift"', '"policy": "steady"'],
    [
      'a number deep inside is replaced',
      ['defaults', 'circuitBreaker', 'failureThreshold'],
      5,
      '"failureThreshold": 3',
      '"failureThreshold": 5',
    ],
    [
      'a key is added to an object',
      ['defaults', 'circuitBreaker', 'windowMs'],
      60_000,
      '"failureThreshold": 3 /* of us */ }',
      '"failureThreshold": 3, "windowMs": 60000 /* of us */ }',
    ],
    [
      'a step is added to a row',
      ['policies', 'mine', 'rows', 'timeout'],
      ['retry:1', 'ask', 'switch'],
      '["retry:1", /* then */ "switch"]',
      '["retry:1", "ask", /* then */ "switch"]',
    ],
    ['a key is taken out', ['defaults', 'policy'], undefined, '\n    "policy": "swift", // calm', ''],
    [
      'objects that are missing are made',
      ['agents', 'build', 'policy'],
      'steady',
      '"switch"] } } },\n',
      '"switch"] } } },\n  "agents": { "build": { "policy": "steady" } },\n',
    ],
  ])('when %s, then nothing else changes, and a second time nothing at all', (_, path, value, from, to) => {
    const after = textOf(set(WRITTEN, path, value));
    expect(after).toBe(WRITTEN.replace(from, to));
    expect(textOf(set(after, path, value))).toBe(after);
  });

  it('when one of two changes cannot be made, then neither is', () => {
    const changes = [
      { path: ['defaults', 'policy'], value: 'steady' },
      { path: ['defaults', 'policy', 'deeper'], value: 1 },
    ];
    expect(setValues(WRITTEN, changes)).toMatchObject({ ok: false, message: 'defaults.policy must be an object' });
  });

  it('when items are added to a list that is missing, empty or there, then they stand at its end', () => {
    const item = { phrase: 'moon hides', kind: 'quota' };
    const json = '{ "phrase": "moon hides", "kind": "quota" }';
    expect(textOf(addItems('{}\n', ['patterns'], [item]))).toBe(`{\n  "patterns": [${json}]\n}\n`);
    expect(textOf(addItems('{ "patterns": [] }', ['patterns'], [item, 'x']))).toBe(`{ "patterns": [${json}, "x"] }`);
    expect(textOf(addItems('{ "patterns": [/* b */ "a"] }', ['patterns'], [item]))).toBe(
      `{ "patterns": [/* b */ "a", ${json}] }`,
    );
    expect(textOf(addItems('{ "patterns": {} }', ['patterns'], [item]))).toBe('refused: patterns must be a list');
  });
});

describe('given any object and any place in it', () => {
  it('when a value is written there and taken out again, then it is there, and then the object is what it was', () => {
    const key = fc.constantFrom('a', 'b', '__proto__', 'x y', '"');
    const leaf = fc.oneof(
      fc.integer(),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string(), { maxLength: 3 }),
    );
    const file = fc.dictionary(fc.constantFrom('k', 'l'), fc.dictionary(fc.constantFrom('m', 'n'), leaf));
    fc.assert(
      fc.property(
        file,
        fc.array(key, { minLength: 1, maxLength: 3 }),
        leaf,
        fc.constantFrom(0, 2),
        (held, path, value, indent) => {
          const text = JSON.stringify(held, null, indent);
          const there = set(text, path, value);
          expect(there.ok).toBe(true);
          const read = path.reduce<unknown>(
            (at, name) => Object.entries(at as object).find(([own]) => own === name)?.[1],
            JSON.parse(textOf(there)),
          );
          expect(read).toEqual(value);
          const gone = textOf(set(textOf(there), path.slice(0, 1), undefined));
          expect(JSON.parse(gone)).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 300 },
    );
  });
});
