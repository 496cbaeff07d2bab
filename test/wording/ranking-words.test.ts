import { describe, expect, it } from 'vitest';
import type { PhaseNote, RankedRow } from '../../src/features/ranking/contract/ranking';
import {
  costSentence,
  doubtPhrases,
  livePhrase,
  notePhrase,
  unableSentence,
} from '../../src/features/ranking/wording/ranking-words';
import { saidIn } from '../../src/texts';
import { german } from '../../src/texts/de';

const row = (change: Partial<RankedRow>): RankedRow => ({
  ...{ model: 'openai/gpt', vendor: 'openai', account: 'openai', region: 'US', place: 'hosted', record: null },
  ...{ isPresent: false, rank: null, unranked: null, score: null, worth: null, known: 1, missing: [], estimated: [] },
  ...{ parts: [], live: null, price: null, budget: null },
  ...change,
});
const live = (answered: number, n: number): RankedRow['live'] => ({
  ...{ n, answered, firstTokenP50Ms: null, costPerAnswer: null },
  share: { value: answered / n, lower: 0, upper: 1 },
});

describe('given shares that are nearly what they are not', () => {
  it('when 399 of 400 attempts were answered, then that is not all of them', () => {
    expect(livePhrase(row({ live: live(399, 400) }))).toBe('99 % answered, n 400');
    expect(livePhrase(row({ live: live(400, 400) }))).toBe('100 % answered, n 400');
  });

  it('when 49.8 % of the weights are known, then that is not said to be the 50 % that are needed', () => {
    expect(doubtPhrases(row({ unranked: 'values.few', known: 0.498 }))).toEqual([
      'not ranked: 49 % of the weights known, 50 % needed',
    ]);
  });
});

describe('given what a phase came to', () => {
  const notes: readonly (readonly [PhaseNote, english: string, german: string])[] = [
    [
      { code: 'candidates', all: 7, hosted: 2, unlisted: ['ghost/model'] },
      '7 candidates, 2 of them hosted; OpenCode does not list ghost/model',
      '7 Kandidaten, davon 2 gehostet; OpenCode führt ghost/model nicht auf',
    ],
    [
      { code: 'values.read', values: 1, isIndicesOnly: true },
      '1 value; a free key reads only indices',
      '1 Wert; ein kostenloser Schlüssel liest nur Indizes',
    ],
    [{ code: 'missing', values: 3, found: 0 }, '3 values are missing', '3 Werte fehlen'],
    [{ code: 'headroom', accounts: [] }, 'Headroom is unknown', 'Der Spielraum ist unbekannt'],
    [{ code: 'told', text: 'Status 429.' }, 'Status 429.', 'Status 429.'],
  ];

  it.each(notes)('when it is %j, then it is told in the language of the reader', (note, english, inGerman) => {
    expect([notePhrase(note), saidIn('de', german, () => notePhrase(note))]).toEqual([english, inGerman]);
  });
});

describe('given a phase that asks outside with a key', () => {
  const cost = { phase: 'artificial_analysis', requests: null, dollars: null, unable: null, needsKey: true } as const;

  it('when there is none, then that is why it cannot be asked; when one is typed, nothing is in its way', () => {
    expect([unableSentence(cost, false), unableSentence(cost, true)]).toEqual([
      'An API key is required: set ARTIFICIAL_ANALYSIS_API_KEY or type it here for one use.',
      null,
    ]);
    expect(costSentence(cost)).toBe('A few requests to artificialanalysis.ai with your key, which is never stored.');
  });
});
