import { describe, expect, it } from 'vitest';
import { roundsOf } from '../../scripts/soak-random.mjs';

describe('given `npm run soak -- random`', () => {
  it.each([
    [[], 5],
    [['1'], 1],
    [['200'], 200],
  ])('when it is asked with %j, then %i rounds are played', (words, rounds) => {
    expect(roundsOf(words)).toBe(rounds);
  });

  it.each([[['0']], [['-1']], [['many']], [['1.5']], [['3', 'times']]])(
    'when it is asked with %j, then it says that this is no number of rounds',
    (words) => {
      expect(() => roundsOf(words)).toThrow(`${words.join(' ')}: not a number of rounds`);
    },
  );
});
