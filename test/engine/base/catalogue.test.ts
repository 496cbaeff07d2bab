import { describe, expect, it } from 'vitest';
import { type Boundaries, isLarger, unfitFor, vendorOf } from '../../../src/engine/base/catalogue';

const models = {
  'anthropic/claude': { context: 200_000, vision: true, tools: true, vendor: 'Anthropic', priceIn: 3, priceOut: 15 },
  'openrouter/anthropic/claude': { context: 200_000, priceIn: 3, priceOut: 15 },
  'openai/small': { context: 8_000, vision: false, tools: false, priceIn: 1, priceOut: 2 },
  'openai/dear': { context: 400_000, priceIn: 15, priceOut: 75 },
  'local/free': { priceIn: 0, priceOut: 0 },
};
const lead = 'anthropic/claude';
const unfit = (model: string, boundaries: Omit<Boundaries, 'models'>, needs = {}) =>
  unfitFor(model, { lead, needs, boundaries: { ...boundaries, models } });

describe('given what is known of models', () => {
  it('when a request needs 8,000 tokens, 8,001 tokens, images or tools, then a small model takes only the first', () => {
    const of = (needs: object) => unfit('openai/small', {}, needs);
    expect([of({ contextTokens: 8_000 }), of({ contextTokens: 8_001 })]).toEqual([null, 'needs.context']);
    expect([of({ vision: true }), of({ tools: true }), of({})]).toEqual(['needs.vision', 'needs.tools', null]);
  });

  it('when nothing is known of a model, then nothing refuses it', () => {
    expect(unfit('who/knows', { maxPriceRatio: 0.1 }, { contextTokens: 1e9, vision: true, tools: true })).toBeNull();
  });

  it('when the vendor is locked, then a router to the same vendor passes and another vendor does not', () => {
    expect(unfit('openrouter/anthropic/claude', { vendorLock: true })).toBeNull();
    expect(unfit('openai/small', { vendorLock: true })).toBe('vendor.locked');
    expect(vendorOf(models, 'openrouter/mistralai/mistral-large')).toBe('mistralai');
    expect(vendorOf(undefined, 'google/gemini')).toBe('google');
    expect(vendorOf(undefined, 'google@work/gemini')).toBe('google');
  });

  it('when a model may cost 5 times the lead, then 5 passes and 5.01 does not', () => {
    expect(unfit('openai/dear', { maxPriceRatio: 5 })).toBeNull();
    expect(unfit('openai/dear', { maxPriceRatio: 4.99 })).toBe('price.ceiling');
    const fromFree = { lead: 'local/free', needs: undefined, boundaries: { models, maxPriceRatio: 100 } };
    expect([unfitFor('openai/small', fromFree), unfitFor('local/free', fromFree)]).toEqual(['price.ceiling', null]);
  });

  it('when a larger model is sought, then only one known to hold more and enough is', () => {
    const larger = (to: string, needs?: object) => isLarger(models, lead, to, needs);
    expect([larger('openai/dear'), larger('openai/small'), larger('who/knows')]).toEqual([true, false, false]);
    expect(larger('openai/dear', { contextTokens: 400_001 })).toBe(false);
    expect(isLarger(undefined, lead, 'openai/dear', undefined)).toBe(false);
  });
});
