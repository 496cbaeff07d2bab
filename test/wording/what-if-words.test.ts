import { describe, expect, it } from 'vitest';
import { forecastPhrases, stallsPhrase, verdictPhrase } from '../../src/wording/what-if-words';
import { sampleForecast, sampleWhatIf } from '../support/sample-scorecard';

describe('given what would have been', () => {
  it.each([
    [2, '2 more turns answered.'],
    [1, '1 more turn answered.'],
    [0, 'The same number of turns answered.'],
    [-1, '1 fewer turn answered.'],
  ])('when %i stalls are avoided, then it is told as "%s"', (stallsAvoided, phrase) => {
    expect(stallsPhrase({ ...sampleWhatIf, stallsAvoided })).toBe(phrase);
  });

  it('when no turn is recorded, then that is told and not a success', () => {
    const none = { ...sampleWhatIf.before, turns: 0 };
    expect(stallsPhrase({ ...sampleWhatIf, before: none, after: none, stallsAvoided: 0 })).toBe(
      'There is no turn to replay yet.',
    );
  });

  it.each([
    ['better', 0.085, 0.26, 'Better: of the next 100 turns, 8.5 to 26 more would be answered.'],
    ['worse', -0.26, -0.085, 'Worse: of the next 100 turns, 8.5 to 26 fewer would be answered.'],
    ['even', -0.018, 0.004, 'Even: of the next 100 turns, at most 1.8 more or fewer would be answered.'],
    ['unclear', -0.03, 0.05, 'Unclear: of the next 100 turns, from 3 fewer to 5 more would be answered.'],
    ['unclear', 0, 0.05, 'Unclear: of the next 100 turns, from 0 fewer to 5 more would be answered.'],
  ] as const)('when it is %s, with bounds of %d and %d, then it says so', (verdict, lower, upper, phrase) => {
    const difference = { value: 0, lower, upper };
    expect(verdictPhrase({ verdict, forecast: { ...sampleForecast, difference } })).toBe(phrase);
  });

  it('when too few turns are known, then that is all that is said', () => {
    expect(verdictPhrase(sampleWhatIf)).toBe('Too few turns are recorded for a forecast.');
    expect(forecastPhrases(sampleWhatIf)).toEqual([]);
  });

  it('when a share is likely, then its bounds stand beside it; what is not known is told', () => {
    const shares =
      'Expected share of answered turns: 97\u{202f}% (90\u{202f}% to 99\u{202f}%); without this draft, 80\u{202f}% (71\u{202f}% to 88\u{202f}%).';
    expect(forecastPhrases({ forecast: sampleForecast })).toEqual([shares]);
    expect(forecastPhrases({ forecast: { ...sampleForecast, known: 380 } })).toEqual([
      shares,
      'The result of 380 of 400 turns is clear; the others may be answered or not.',
    ]);
  });
});
