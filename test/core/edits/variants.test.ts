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

  it('when one model is named in two variants, then nothing is written', () => {
    expect(setChain(FILE, 'build', ['a/1#low', 'a/1'])).toMatchObject({
      ok: false,
      message: 'a/1 is in the chain twice',
    });
  });

  it('when models go from tier to tier, then their variants go with them', () => {
    const tiers = [{ from: 0, name: 'good', size: 1 }];
    expect(chainIn(textOf(setChain(TIERED, 'build', ['b/2', 'a/1', 'c/3'], tiers)))).toEqual({
      fallbackModels: ['b/2#max', 'a/1#high'],
      tiers: [{ name: 'good', models: ['c/3'] }],
    });
  });
});
