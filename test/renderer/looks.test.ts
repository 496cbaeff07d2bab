import { describe, expect, it } from 'vitest';
import { lookClass, lookOfModel, lookOfPart, OTHERS } from '../../src/renderer/app/looks';

const slots = Array.from({ length: 64 }, (_, slot) => slot);

describe('given the numbers of models', () => {
  it('when 64 of them are drawn, then no two look alike, and none is grey', () => {
    const looks = slots.map(lookOfModel);
    expect(new Set(looks.map(({ colour, pattern }) => `${colour} ${pattern}`)).size).toBe(64);
    expect(new Set(looks.map(({ id }) => id)).size).toBe(64);
    expect(looks.every(({ colour }) => colour.startsWith('var(--model-'))).toBe(true);
  });

  it('when the first eight are drawn, then hues and patterns all differ; the ninth is the first hue with the second pattern', () => {
    const first = slots.slice(0, 8).map(lookOfModel);
    expect(new Set(first.map(({ colour }) => colour)).size).toBe(8);
    expect(new Set(first.map(({ pattern }) => pattern)).size).toBe(8);
    expect(lookOfModel(8)).toMatchObject({ colour: first[0]?.colour, pattern: first[1]?.pattern });
    expect(lookOfModel(64)).toEqual(lookOfModel(0));
  });

  it('when a style alone draws them, then in the same hue and pattern', () => {
    for (const slot of slots) {
      const { id } = lookOfModel(slot);
      expect(lookClass(slot)).toBe(id.replace(/^m(\d)-/, 'hue-$1 pat-'));
    }
  });

  it('when something is no model, or has no number, then it is grey', () => {
    const greys = [lookOfModel(null), OTHERS, ...[0, 1, 2, 3, 4, 5, 6].map(lookOfPart)];
    expect(greys.every(({ colour }) => /^var\(--(?:series-1|ink(?:-\d)?)\)$/.test(colour))).toBe(true);
    expect(new Set([0, 1, 2, 3, 4, 5].map((place) => lookOfPart(place).pattern)).size).toBe(6);
  });
});
