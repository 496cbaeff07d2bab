import { describe, expect, it } from 'vitest';
import type { ModelAbilities } from '../../src/contract/snapshot';
import { chainNotes, leadChangeSentence, leadNotes, remainingPhrase } from '../../src/wording/chain-words';
import { modelRow, snapshotOf } from '../support/rows';

const row = (model: string, abilities: Partial<ModelAbilities>, change: Parameters<typeof modelRow>[0] = {}) =>
  modelRow({
    model,
    name: model.slice(model.indexOf('/') + 1),
    abilities: { context: null, vision: null, tools: null, priceIn: null, priceOut: null, ...abilities },
    ...change,
  });

const snapshot = snapshotOf([], {
  models: [
    row('a/large', { context: 400_000, vision: true, tools: true, priceIn: 1, priceOut: 10 }),
    row('b/small', { context: 128_000, vision: false, tools: false, priceIn: 2, priceOut: 12 }),
    row('c/dear', { vision: true, priceIn: 15, priceOut: 60 }),
    row('d/blocked', {}, { state: 'blocked', code: 'blocked.auth' }),
    row('a/other', {}),
    row('m/million', { context: 1_000_000 }),
    row('m/mebi', { context: 1_048_576 }),
  ],
});
const told = (...models: string[]) =>
  chainNotes(snapshot, { directory: '/p', agent: 'build' }, models).map(({ severity, text }) => `${severity}: ${text}`);

describe('given a draft that begins with another model', () => {
  const noted = (agent: string, from: string | undefined, to: string | undefined) =>
    leadNotes(snapshot, { agent, from, to }).map(({ severity, text }) => `${severity}: ${text}`);

  it('when it is an agent’s own, then it is told who leads and who led, with prices where they are known', () => {
    expect(noted('build', 'a/large', 'c/dear')).toEqual([
      'warning: dear ($15 / $60) becomes build’s primary instead of large ($1 / $10).',
    ]);
    expect(noted('build', 'a/large', 'x/new')).toEqual([
      'warning: new becomes build’s primary instead of large ($1 / $10).',
    ]);
  });

  it('when it is for all others, stays the same or is not known, then nothing is told', () => {
    expect(noted('*', 'a/large', 'c/dear')).toEqual([]);
    expect([noted('build', 'a/large', 'a/large'), noted('build', undefined, 'a/large')]).toEqual([[], []]);
  });

  it('when both are called the same, then they are told apart by their providers', () => {
    const [{ abilities }] = [snapshot.models[4]!];
    const leads = { agent: 'build', from: { model: 'a/one', abilities }, to: { model: 'b/one', abilities } };
    expect(leadChangeSentence(leads)).toBe('b/one becomes build’s primary instead of a/one.');
  });
});

describe('given a chain that is being changed', () => {
  it('when nothing is known against it, then nothing is told', () => {
    expect(told('a/large', 'c/dear').filter((text) => !text.includes('costs'))).toEqual([]);
  });

  it('when a model stands in that can do less, then what is missing and the smaller context are told', () => {
    expect(told('a/large', 'b/small')).toEqual([
      'warning: small cannot read images: turns with images skip it.',
      'warning: small cannot use tools: turns that need them skip it.',
      'info: Context shrinks from 400k to 128k when small takes over from large.',
    ]);
    expect(told('b/small', 'a/large')).toEqual([]);
    expect(told('m/mebi', 'm/million').filter((text) => text.includes('Context'))).toEqual([]);
  });

  it('when a price is 15 times the lead’s, then it is told; when a price is not known, then it is not', () => {
    expect(told('a/large', 'c/dear')).toEqual(['warning: dear costs about 15 times as much as large.']);
    expect(told('d/blocked', 'c/dear')[0]).toContain('blocked needs your action.');
  });

  it('when one is named twice, is no model, a pattern or unknown, then each is told with what can be applied', () => {
    expect(told('a/large', 'nonsense', 'c/dear', 'a/large', 'x/new', 'b/*')).toEqual([
      'error: nonsense is not a model: write provider/model.',
      'error: large is in the chain twice.',
      'warning: x/new has not been used here yet: check its name.',
      'info: b/* is a pattern: it includes every matching model.',
      'warning: dear costs about 15 times as much as large.',
    ]);
  });

  it('when all are of one provider, there is one, or none, then the shared fate is told', () => {
    expect(told('a/large', 'a/other')).toEqual(['warning: Shared fate: both models use a.']);
    expect(told('a/large')).toEqual(['warning: build has one model. If it fails, work stops.']);
    expect(told()).toEqual(['warning: An empty chain has no fallback: if the model fails, work stops.']);
  });

  it('when a chain is taken out, then it is said who stands in from then on', () => {
    expect([
      remainingPhrase('build', { by: 'nobody', models: [] }),
      remainingPhrase('build', { by: 'rest', models: ['a/one', 'b/two'] }),
      remainingPhrase('build', { by: 'own', models: ['a/one'] }),
      remainingPhrase('*', { by: 'nobody', models: [] }),
    ]).toEqual([
      'build then has no fallback: if its model fails, work stops.',
      'build then uses the chain for all other agents: one, two.',
      'A chain for build in another file then applies: one.',
      'Agents without their own chain then have no fallback: if their model fails, work stops.',
    ]);
  });
});
