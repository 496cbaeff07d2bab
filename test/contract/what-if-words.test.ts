import { describe, expect, it } from 'vitest';
import { stallsPhrase } from '../../src/contract';
import { sampleWhatIf } from '../support/sample-scorecard';

describe('given what would have been', () => {
  it.each([
    [2, '2 more turns answered.'],
    [1, '1 more turn answered.'],
    [0, 'Just as many turns answered.'],
    [-1, '1 fewer turn answered.'],
  ])('when %i stalls are avoided, then it is told as "%s"', (stallsAvoided, phrase) => {
    expect(stallsPhrase({ ...sampleWhatIf, stallsAvoided })).toBe(phrase);
  });

  it('when no turn is recorded, then that is told and not a success', () => {
    const none = { ...sampleWhatIf.before, turns: 0 };
    expect(stallsPhrase({ before: none, after: none, stallsAvoided: 0, cutAtMs: null })).toBe(
      'There is no turn to play yet.',
    );
  });
});
