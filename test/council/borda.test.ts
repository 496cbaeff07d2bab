import { describe, expect, it } from 'vitest';
import { bestRanked, bordaCount, byRank } from '../../src/features/council/rules/ideas/borda';
import type { Idea } from '../../src/features/council/rules/ideas/ideas';

const idea = (nth: number, by = 'pragmatist', more: Partial<Idea> = {}): Idea => ({
  ...{ id: `i${nth}`, by, stage: 'divergence', title: `Idea ${nth}`, text: 'Text.', evidence: [], alsoBy: [] },
  ...{ supports: [], challenges: [], buildsOn: [] },
  ...more,
});

describe('the Borda count', () => {
  it('gives n − 1 points to the first of a ballot and one less to each that follows', () => {
    // Three ballots over four ideas, by hand: i1 3 + 3 + 0, i2 2 + 1 + 3, i3 1 + 2 + 1, i4 0 + 0 + 2.
    const counts = bordaCount(['i1', 'i2', 'i3', 'i4'], {
      a: ['i1', 'i2', 'i3', 'i4'],
      b: ['i1', 'i3', 'i2', 'i4'],
      c: ['i2', 'i4', 'i3', 'i1'],
    });
    expect([...counts]).toEqual([
      ['i1', { points: 6, firstPlaces: 2 }],
      ['i2', { points: 6, firstPlaces: 1 }],
      ['i3', { points: 4, firstPlaces: 0 }],
      ['i4', { points: 2, firstPlaces: 0 }],
    ]);
  });

  it('shares what is left among those that a ballot does not name, so that each ballot weighs the same', () => {
    const counts = bordaCount(['i1', 'i2', 'i3', 'i4'], { a: ['i3'], b: ['i4', 'i1'] });
    // a: i3 3, the others (2 + 1 + 0) / 3 = 1. b: i4 3, i1 2, the others (1 + 0) / 2 = 0.5.
    expect([...counts].map(([id, { points }]) => [id, points])).toEqual([
      ['i1', 3],
      ['i2', 1.5],
      ['i3', 3.5],
      ['i4', 4],
    ]);
    expect([...counts.values()].reduce((sum, { points }) => sum + points, 0)).toBe(2 * (3 + 2 + 1 + 0));
  });

  it('counts an idea once, and neither unknown ones nor an empty ballot', () => {
    const counts = bordaCount(['i1', 'i2'], { a: ['i2', 'i2', 'i9', 'i1'], b: [], c: ['i9'] });
    expect([...counts].map(([, { points }]) => points)).toEqual([0, 1]);
  });
});

describe('ranking', () => {
  it('settles equal points by first places, then by who speaks for it, then as posted', () => {
    const ideas = [idea(1), idea(2, 'skeptic', { supports: [{ by: 'engineer', why: 'w' }] }), idea(3), idea(4)];
    expect(byRank(ideas, {}).map(({ id }) => id)).toEqual(['i2', 'i1', 'i3', 'i4']);
    const ballots = { a: ['i1', 'i2', 'i3', 'i4'], b: ['i1', 'i3', 'i2', 'i4'], c: ['i2', 'i4', 'i3', 'i1'] } as const;
    expect(byRank(ideas, ballots).map(({ id }) => id)).toEqual(['i1', 'i2', 'i3', 'i4']);
  });

  it('counts whoever had an idea as well once, however they speak for it, and for the synthesis like its author', () => {
    const both = idea(1, 'a', { alsoBy: ['b'], supports: [{ by: 'b', why: 'w' }] });
    const backed = idea(2, 'c', {
      supports: [
        { by: 'd', why: 'w' },
        { by: 'e', why: 'w' },
      ],
    });
    expect(byRank([both, backed], {}).map(({ id }) => id)).toEqual(['i2', 'i1']);
    expect(bestRanked([both, idea(2, 'c')], { x: ['i1', 'i2'] }, ['c', 'b'])).toBe('b');
  });

  it('finds whose ideas have the most points together, ties by the order of coming', () => {
    const ideas = [idea(1, 'a'), idea(2, 'b'), idea(3, 'b')];
    expect(bestRanked(ideas, { x: ['i1', 'i2', 'i3'], y: ['i2', 'i1', 'i3'] }, ['a', 'b'])).toBe('a');
    expect(bestRanked(ideas, { x: ['i2', 'i3', 'i1'] }, ['a', 'b'])).toBe('b');
    expect(bestRanked([], {}, ['a', 'b'])).toBe('a');
    expect(bestRanked(ideas, {}, [])).toBeNull();
  });
});
