import { describe, expect, it } from 'vitest';
import {
  contextPhrase,
  dependantsOf,
  pricePhrase,
  recentPhrase,
  stretchesOf,
  timelinePhrase,
  totalsOf,
} from '../../src/wording/model-words';
import { agentRow, snapshotOf, understudyRow } from '../support/rows';

const HOUR_MS = 3_600_000;

describe('given the states of a model', () => {
  const states = [
    { state: 'ready', at: 0 },
    { state: 'open', at: 20 * HOUR_MS },
    { state: 'ready', at: 21 * HOUR_MS },
  ] as const;
  const stretches = stretchesOf({ states: [...states] }, 24 * HOUR_MS);

  it('when they are told at the 24th hour, then each lasts to the next and the last until now', () => {
    expect(stretches.map(({ from, to }) => (to - from) / HOUR_MS)).toEqual([20, 1, 3]);
    expect(totalsOf(stretches).map(({ state, ms }) => [state, ms / HOUR_MS])).toEqual([
      ['ready', 23],
      ['open', 1],
    ]);
    expect(timelinePhrase(stretches)).toBe('In the last 24 hours: ready 23 h, open 60 min.');
    expect(timelinePhrase([])).toBe('No change of state in the last 24 hours.');
  });
});

describe('given a model of two chains', () => {
  it('when its dependants are told, then each has its place and who speaks now', () => {
    const { chain } = agentRow();
    const chains = [
      { directory: '/home/ada/shop', agent: 'build', chain },
      { directory: '/home/ada/other', agent: '*', chain: chain.toReversed() },
      { directory: '/home/ada/other', agent: 'plan', chain: chain.slice(1) },
    ];
    const phrases = dependantsOf(snapshotOf([understudyRow()], { chains }), 'anthropic/claude-sonnet-4-5');
    expect(phrases.map(({ label, phrase }) => `${label}: ${phrase}`)).toEqual([
      'build: 1 of 2, now uses gpt-5',
      'all other agents: 2 of 2',
    ]);
  });
});

describe('given figures', () => {
  it('when they are told, then they are short and never claim more than is known', () => {
    const abilities = { context: null, vision: null, tools: null, priceIn: null, priceOut: null };
    expect([8_000, 200_000, 1_048_576].map(contextPhrase)).toEqual(['8k', '200k', '1M']);
    expect(pricePhrase(abilities)).toBeNull();
    expect(pricePhrase({ ...abilities, priceIn: 1.25 })).toBe('$1.25 / ?');
    expect(pricePhrase({ ...abilities, priceIn: 15, priceOut: 75 })).toBe('$15 / $75');
    expect(recentPhrase([])).toBe('no call in 2 min');
    expect(recentPhrase([{ at: 0, calls: 4, failed: 1 }])).toBe('4 in 2 min, 1 failed');
  });
});
