import { describe, expect, it } from 'vitest';
import { setChain } from '../../../src/core/edits';

const FILE = `{
  "agents": {
    "build": { "fallbackModels": ["a/1#high", /* cheap */ "b/2", "c/3#low"] } // mine
  }
}
`;
const TIERED = `{ "agents": { "build": {
  "fallbackModels": ["a/1#high"],
  "tiers": [{ "name": "good", "models": ["b/2#max", "c/3"] }]
} } }`;

const textOf = (edited: ReturnType<typeof setChain>): string => {
  if (!edited.ok) throw new Error(edited.message);
  return edited.text;
};
const chainIn = (text: string): unknown => JSON.parse(text.replace(/\/\*.*?\*\/|\/\/.*$/gm, '')).agents.build;

describe('given a chain whose file names variants', () => {
  it('when it is put in another order by its models alone, then each keeps its variant', () => {
    expect(chainIn(textOf(setChain(FILE, 'build', ['c/3', 'a/1', 'b/2'])))).toEqual({
      fallbackModels: ['c/3#low', 'a/1#high', 'b/2'],
    });
  });

  it('when it is written as it stands, then not a byte changes', () => {
    expect(textOf(setChain(FILE, 'build', ['a/1', 'b/2', 'c/3']))).toBe(FILE);
  });

  it('when a variant is given, then that is written in the place of the old one', () => {
    expect(chainIn(textOf(setChain(FILE, 'build', ['a/1#low', 'b/2#high', 'c/3#default'])))).toEqual({
      fallbackModels: ['a/1#low', 'b/2#high', 'c/3#default'],
    });
  });

  it('when it is to be written exactly as it is given, then a model that is given without a variant has none, and the others keep theirs', () => {
    const edited = setChain(FILE, 'build', ['a/1', 'b/2', 'c/3#low'], { isExact: true });
    expect(textOf(edited)).toBe(FILE.replace('a/1#high', 'a/1'));
  });

  it('when variants come and go, then what people have written above a model and behind it stays with it', () => {
    const told = `{
  "agents": { "build": { "fallbackModels": [
    // the strong one
    "a/1#high", // dear
    "b/2", // cheap
    /* last */ "c/3#low"
  ] } }
}
`;
    expect(textOf(setChain(told, 'build', ['a/1', 'b/2#max', 'c/3#low'], { isExact: true }))).toBe(
      told.replace('a/1#high', 'a/1').replace('b/2', 'b/2#max'),
    );
    expect(textOf(setChain(told, 'build', ['b/2#max', 'a/1#low', 'c/3']))).toContain(
      '"b/2#max", // cheap\n    // the strong one\n    "a/1#low", // dear\n',
    );
  });

  it.each([
    [['a/1', 'c/3', 'b/2'], { fallbackModels: ['a/1'], tiers: [{ name: 'good', models: ['c/3', 'b/2'] }] }],
    [
      ['a/1#low', 'b/2', 'c/3#max'],
      { fallbackModels: ['a/1#low'], tiers: [{ name: 'good', models: ['b/2', 'c/3#max'] }] },
    ],
  ])(
    'when it stands in tiers and is to be exactly %j, then each tier has its models in those variants',
    (models, chain) => {
      expect(chainIn(textOf(setChain(TIERED, 'build', models, { isExact: true })))).toEqual(chain);
    },
  );

  it('when one that stands in tiers is given a variant, then that is written in its tier', () => {
    expect(chainIn(textOf(setChain(TIERED, 'build', ['a/1', 'c/3#low', 'b/2'])))).toEqual({
      fallbackModels: ['a/1#high'],
      tiers: [{ name: 'good', models: ['c/3#low', 'b/2#max'] }],
    });
  });

  it('when one model is named in two variants, then nothing is written', () => {
    expect(setChain(FILE, 'build', ['a/1#low', 'a/1'])).toMatchObject({
      ok: false,
      message: 'a/1 is in the chain twice',
    });
  });

  it('when models go from tier to tier, then their variants go with them', () => {
    const tiers = [{ from: 0, name: 'good', size: 1 }];
    expect(chainIn(textOf(setChain(TIERED, 'build', ['b/2', 'a/1', 'c/3'], { tiers })))).toEqual({
      fallbackModels: ['b/2#max', 'a/1#high'],
      tiers: [{ name: 'good', models: ['c/3'] }],
    });
  });
});
