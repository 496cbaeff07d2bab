import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverageOf } from '../../../src/features/ranking/rules/chain/coverage';
import { TIER_SIZES, type TierQuestion, tiersOf, type Worthy } from '../../../src/features/ranking/rules/chain/tiers';
import { worthy } from '../../support/candidates';
import { runs } from '../../support/runs';

const ask = (candidates: readonly Worthy[], more: Partial<TierQuestion> = {}) =>
  tiersOf({
    candidates: ranked(candidates),
    present: [],
    lead: null,
    kept: new Map(),
    isOneVendor: false,
    maxPriceRatio: null,
    ...more,
  });
const ranked = (candidates: readonly Worthy[]): Worthy[] =>
  candidates.toSorted((one, other) => (other.worth ?? -1) - (one.worth ?? -1));
const lines = (candidates: readonly Worthy[], more: Partial<TierQuestion> = {}): string[] =>
  ask(candidates, more).placed.map(({ model, tier, code }) => `${tier} ${model} ${code}`);

const US = { region: 'US' };
const OPUS = worthy('anthropic/opus', 'anthropic', 0.9, US);
const SONNET = worthy('anthropic/sonnet', 'anthropic', 0.8, US);
const GPT = worthy('openai/gpt', 'openai', 0.7, US);
const GEMINI = worthy('google/gemini', 'google', 0.6, US);
const MISTRAL = worthy('mistral/large', 'mistral', 0.5, { region: 'EU' });
const QWEN = worthy('alibaba/qwen', 'alibaba', 0.2, { region: 'CN' });
const GROK = worthy('xai/grok', 'xai', 0.4, US);

describe('given candidates of several accounts', () => {
  it('when they are put into tiers, then the best comes first and no two neighbours share an account', () => {
    expect(lines([OPUS, SONNET, GPT, GEMINI, MISTRAL, GROK, QWEN])).toEqual([
      'premium anthropic/opus score',
      'premium openai/gpt apart',
      'premium anthropic/sonnet score',
      'standard google/gemini vendor',
      'standard mistral/large vendor',
      'standard xai/grok vendor',
      'alternative alibaba/qwen region',
    ]);
  });

  it('when a tier has too few, then it is said how many fit', () => {
    expect(ask([OPUS, GPT]).notes).toEqual([
      { code: 'tier.short', tier: 'premium', wanted: 3, found: 2 },
      { code: 'tier.short', tier: 'standard', wanted: 3, found: 0 },
      { code: 'tier.short', tier: 'alternative', wanted: 3, found: 0 },
      { code: 'tier.short', tier: 'local', wanted: 1, found: 0 },
    ]);
  });

  it('when the last hosted model would be of the vendor of the first, then another one goes there, if neighbours allow', () => {
    const far = worthy('openrouter/anthropic/sonnet', 'anthropic', 0.8, US);
    expect(lines([OPUS, GPT, far])).toEqual([
      'premium anthropic/opus score',
      'premium openrouter/anthropic/sonnet score',
      'premium openai/gpt score',
    ]);
    expect(ask([OPUS, GPT, SONNET]).notes).toContainEqual({
      ...{ code: 'last.vendor', vendor: 'anthropic', model: SONNET.model },
    });
  });

  it('when there is one vendor alone, then it is said that first and last fall together', () => {
    expect(ask([OPUS, SONNET]).notes).toContainEqual({
      ...{ code: 'last.vendor', vendor: 'anthropic', model: 'anthropic/sonnet' },
    });
  });
});

describe('given models that run here, and the bridge', () => {
  const bridge = worthy('free/openrouter/free', 'openrouter', null, { place: 'bridge' });
  const local = (name: string, isPresent = false) =>
    worthy(`ollama/${name}`, 'alibaba', null, { place: 'local', isPresent });

  it('when the chain ends, then the bridge comes before them, and those of the present chain before others', () => {
    expect(lines([OPUS, local('a'), local('b', true), local('c'), bridge], { present: ['ollama/b'] })).toEqual([
      'premium anthropic/opus score',
      'local free/openrouter/free bridge',
      'local ollama/b local',
      'local ollama/a local',
    ]);
  });
});

describe('given a present chain', () => {
  it('when nobody can rank its primary, then that one keeps its place', () => {
    const own = worthy('acme/own', 'acme', null, { isPresent: true });
    expect(lines([OPUS, own], { present: ['acme/own'] })).toEqual([
      'premium acme/own primary',
      'premium anthropic/opus score',
    ]);
  });

  it('when nobody can rank another of its models, then it stays in the chain, further back', () => {
    const own = worthy('acme/own', 'acme', null, { isPresent: true });
    expect(lines([OPUS, GPT, own], { present: ['anthropic/opus', 'acme/own'] })).toEqual([
      'premium anthropic/opus score',
      'premium openai/gpt score',
      'alternative acme/own present',
    ]);
  });

  it('when a person keeps a place, then that model holds it, whatever it scores', () => {
    expect(lines([OPUS, SONNET, GPT, GEMINI], { kept: new Map([[GEMINI.model, 1]]) })).toEqual([
      'premium google/gemini kept',
      'premium anthropic/opus score',
      'premium openai/gpt apart',
    ]);
  });

  it('when it keeps to one vendor, then nobody of another one is proposed, and no rule asks for them', () => {
    const { placed, notes } = ask([OPUS, SONNET, GPT, MISTRAL], { isOneVendor: true });
    expect(placed.map(({ model }) => model)).toEqual(['anthropic/opus', 'anthropic/sonnet']);
    expect(notes.map(({ code }) => code)).toEqual(Array(4).fill('tier.short'));
  });
});

describe('given a limit on prices', () => {
  it('when a model costs more than so many times the first, then it is not proposed, and one without a price may be', () => {
    const [cheap, dear] = [{ price: { in: 1, out: 5 } }, { price: { in: 2, out: 11 } }];
    const chain = [{ ...OPUS, ...cheap }, { ...GPT, ...dear }, GEMINI];
    expect(lines(chain, { maxPriceRatio: 2 })).toEqual(['premium anthropic/opus score', 'premium google/gemini score']);
    expect(lines(chain, { maxPriceRatio: 3 })).toHaveLength(3);
  });
});

describe('given any candidates', () => {
  const candidate = fc.record({
    model: fc.constantFrom('a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'c/1', 'd/1', 'e/1', 'f/1', 'g/1', 'h/1'),
    vendor: fc.constantFrom('v', 'w', 'x', 'y', 'z'),
    region: fc.constantFrom('US', 'EU', 'CN', null),
    worth: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(null)),
    place: fc.constantFrom('hosted' as const, 'hosted' as const, 'local' as const),
  });
  const any = fc
    .uniqueArray(candidate, { selector: ({ model }) => model, maxLength: 11 })
    .map((rows) => ranked(rows.map(({ model, vendor, worth, ...more }) => worthy(model, vendor, worth, more))));

  it('when they are put into tiers, then each stands there once, tiers are in order and none is too long', () => {
    fc.assert(
      fc.property(any, (candidates) => {
        const { placed } = tiersOf({
          candidates,
          present: [],
          lead: null,
          kept: new Map(),
          isOneVendor: false,
          maxPriceRatio: null,
        });
        expect(new Set(placed.map(({ model }) => model)).size).toBe(placed.length);
        const order = placed.map(({ tier }) => Object.keys(TIER_SIZES).indexOf(tier));
        expect(order).toEqual(order.toSorted((one, other) => one - other));
        for (const [tier, size] of Object.entries(TIER_SIZES))
          expect(placed.filter((one) => one.tier === tier).length).toBeLessThanOrEqual(size);
        const best = candidates.find(({ place, worth }) => place === 'hosted' && worth !== null);
        if (best !== undefined) expect(placed[0]?.model).toBe(best.model);
        expect(coverageOf(placed, candidates).models).toBe(placed.length);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('when a place is kept that the chain reaches, then it is that model’s', () => {
    fc.assert(
      fc.property(any, fc.integer({ min: 1, max: 6 }), (candidates, position) => {
        const one = candidates.findLast(({ place }) => place === 'hosted');
        if (one === undefined) return;
        const kept = new Map([[one.model, position]]);
        const { placed } = tiersOf({
          candidates,
          present: [],
          lead: null,
          kept,
          isOneVendor: false,
          maxPriceRatio: null,
        });
        const hosted = placed.filter(({ tier }) => tier !== 'local').map(({ model }) => model);
        expect(hosted).toContain(one.model);
        if (hosted.length > position) expect(hosted.indexOf(one.model)).toBe(position - 1);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('given who leads now, and many who are better', () => {
  const HAIKU = worthy('anthropic/haiku', 'anthropic', 0.1, US);
  const better = [OPUS, SONNET, GPT, GEMINI, MISTRAL, GROK, QWEN];

  it('when nobody would choose it, then it stays behind the others: named nowhere, OpenCode would ask it first', () => {
    for (const present of [
      [HAIKU.model, GPT.model],
      [GPT.model, HAIKU.model],
    ])
      expect(lines([...better, HAIKU], { present, lead: HAIKU.model })).toContain(
        'alternative anthropic/haiku present',
      );
  });

  it('when it is in the chain and OpenCode has another for the agent, then it may go', () => {
    const present = [HAIKU.model, GPT.model];
    expect(lines([...better, HAIKU], { present, lead: GPT.model }).join()).not.toContain('haiku');
  });
});
