import { describe, expect, it } from 'vitest';
import { estimate, estimateText, TYPICAL } from '../../src/features/council/rules/money/estimate';
import { settingsOf, speaker } from '../support/council-world';

const settings = settingsOf([speaker('claude', 'anthropic'), speaker('gpt', 'openai')]);
const prices = {
  'anthropic/claude': { priceIn: 3, priceOut: 15 },
  'openai/gpt': { priceIn: 1, priceOut: 8 },
};

const review = (party: number) => ({ party, process: 'CODE_REVIEW' as const, hasRepository: true });

describe('what a review is thought to cost', () => {
  it('counts turns by the stages, heroes dealt in turn', () => {
    const { turns, perSpeaker } = estimate(settings, review(4), prices);
    // A hero: 2 + 2 + 1. The Oracle: 2 before, 1 after each of two stages, 1 review, 1 presentation. One synthesis.
    expect(turns).toBe(4 * 5 + 6 + 1);
    expect(perSpeaker.map(({ speaker: name, turns: own }) => [name, own])).toEqual([
      ['claude', 2 * 5 + 6 + 1],
      ['gpt', 2 * 5],
    ]);
  });

  it('multiplies typical tokens with the own price of each model', () => {
    const { cost, perSpeaker, unpriced, isEstimate } = estimate(settings, review(4), prices);
    // 17 × 30,000 × $3 / 1M + 17 × 1,500 × $15 / 1M, and 10 × 30,000 × $1 / 1M + 10 × 1,500 × $8 / 1M.
    expect(perSpeaker[0]?.cost).toBeCloseTo(1.53 + 0.3825, 9);
    expect(perSpeaker[1]?.cost).toBeCloseTo(0.3 + 0.12, 9);
    expect(cost).toBeCloseTo(2.3325, 9);
    expect(perSpeaker[1]).toMatchObject({
      input: 10 * TYPICAL.reading.inputPerTurn,
      output: 10 * TYPICAL.reading.outputPerTurn,
    });
    expect({ unpriced, isEstimate }).toEqual({ unpriced: [], isEstimate: true });
  });

  it('covers what has a price only, and says what has none', () => {
    const some = estimate(settings, review(4), { ...prices, 'openai/gpt': { priceIn: 1 } });
    expect(some.cost).toBeCloseTo(1.9125, 9);
    expect(some.unpriced).toEqual(['openai/gpt']);
    expect(estimateText(some)).toBe(
      'Estimate: about $1.91 for 27 turns, from typical token counts, not measured. Not included, because the price is unknown: openai/gpt.',
    );
    const none = estimate(settings, review(4), {});
    expect(none.cost).toBeNull();
    expect(none.unpriced).toEqual(['anthropic/claude', 'openai/gpt']);
    expect(estimateText(none)).toContain('No model has a known price');
  });

  it('counts a model that costs nothing as free, not as unpriced', () => {
    const free = { priceIn: 0, priceOut: 0 };
    expect(estimate(settings, review(4), { 'anthropic/claude': free, 'openai/gpt': free })).toMatchObject({
      ...{ cost: 0, unpriced: [] },
    });
  });

  it('takes less for a problem alone, where nothing is read', () => {
    const alone = { party: 4, process: 'STANDARD' as const, hasRepository: false };
    const { turns, perSpeaker } = estimate(settings, alone, prices);
    // A persona: 2 + 1 + 1. The Oracle: 2 before, 1 framing, 1 after the first stage alone, 1 presentation. One synthesis.
    expect(turns).toBe(4 * 4 + 5 + 1);
    expect(perSpeaker.map(({ input, turns: own }) => input / own)).toEqual([4_000, 4_000]);
    expect(estimate(settings, { ...alone, hasRepository: true }, prices).perSpeaker[0]?.input).toBe(
      (perSpeaker[0]?.turns ?? 0) * 30_000,
    );
  });

  it('leaves out who has nothing to do', () => {
    const apart = settingsOf(settings.speakers, { oracle: 'claude', heroes: ['claude'] });
    expect(estimate(apart, review(5), prices).perSpeaker.map(({ speaker: name }) => name)).toEqual(['claude']);
  });
});
