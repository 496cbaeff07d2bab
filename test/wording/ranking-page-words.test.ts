import { describe, expect, it } from 'vitest';
import type { RankAnswer } from '../../src/features/ranking/contract/ranking';
import { rankHeadline, valueText, weightText } from '../../src/features/ranking/wording/ranking-page-words';
import { sampleRanking } from '../support/sample-ranking';

const ask = async (
  sample: Parameters<typeof sampleRanking>[0],
  about: Partial<Readonly<{ agent: string; isLive: boolean; formula: string }>> = {},
): Promise<RankAnswer> =>
  sampleRanking(sample).handlers['rank.get']({
    ...{ directory: null, agent: 'build', role: null, formula: null, isLive: false },
    ...about,
  });

describe('given rankings of invented models', () => {
  it('when the one that leads is the first, then who follows is told, with the points between them', async () => {
    const { title, lede } = rankHeadline(await ask({ world: { present: ['gamma/gale-3'] } }));
    expect(title).toBe('For build, gale-3 scores highest.');
    expect(lede).toMatch(/^gale-3 is the current primary\. atlas-1 follows, 3\.4 points behind\. /);
  });

  it('when the one that leads cannot be ranked, then that is told, and no points', async () => {
    const { lede } = rankHeadline(await ask({ world: { present: ['zeta/zephyr-pro'] } }));
    expect(lede).toMatch(/^zephyr-pro, the current primary, cannot be ranked\. 1 of 8 models cannot be ranked\./);
  });

  it('when no model leads, then that is told', async () => {
    expect(rankHeadline(await ask({ world: { present: [] } })).lede).toMatch(/^There is no current primary\. /);
  });

  it('when what happened here counts and lifts another one, then it comes first, and is not said to score highest', async () => {
    const answered = { n: 1_000, answered: 1_000, share: { value: 1, lower: 0.996, upper: 1 } };
    const live = new Map([['alpha/atlas-mini', { ...answered, firstTokenP50Ms: null, costPerAnswer: null }]]);
    const answer = await ask({ port: { live: async () => live } }, { isLive: true });
    expect(rankHeadline(answer).title).toBe('For build, atlas-mini comes first.');
  });

  it('when one alone can be ranked, then it is not said to score highest, and what would complete it is named', async () => {
    const answer = await ask({}, { formula: 'scicode' });
    const [first] = answer.proposal?.models ?? [];
    const known = { ...answer.proposal, models: [{ ...first, rank: 1, score: 0.5, worth: 0.5, unranked: null }] };
    const others = answer.proposal?.models.slice(1) ?? [];
    const headline = rankHeadline({
      ...answer,
      proposal: { ...known, models: [...known.models, ...others] } as RankAnswer['proposal'],
    });
    expect(headline.title).toMatch(/^For build, only \S+ can be ranked\.$/);
    expect(headline.lede).toMatch(/7 of 8 models cannot be ranked\..*Import benchmark values/);
  });

  it('when nothing is known, then each benchmark that counts is named with how many lack it, and what would complete it', async () => {
    const { title, lede } = rankHeadline(await ask({ hasValues: false }));
    expect(title).toBe('No model can be ranked for Builder.');
    expect(lede).toContain('swe_bench_pro, swe_bench_verified, livecodebench missing for 8 of 8 models. ');
    expect(lede).toMatch(/Import benchmark values, .*\.$/);
  });

  it('when a formula cannot be read, then why is told', async () => {
    const answer = await ask({}, { formula: 'gpqa *' });
    expect(rankHeadline(answer)).toEqual({ title: 'The formula cannot be read yet.', lede: answer.problem?.reason });
  });
});

describe('given values in their units', () => {
  it.each([
    [{ value: 0.912, unit: 'fraction' }, '0.91'],
    [{ value: 76.34, unit: 'percent' }, '76.3'],
    [{ value: 72, unit: 'index' }, '72'],
    [{ value: 1_270.4, unit: 'elo' }, '1270'],
    [{ value: 1_048_576, unit: 'tokens' }, '1M'],
  ] as const)('when %o is shown in a cell, then it says %s', (value, text) => {
    expect(valueText(value)).toBe(text);
  });

  it('when weights are shown as percent, then no digit says nothing', () => {
    expect([0.3, 0.125, 0.0834].map(weightText)).toEqual(['30', '12.5', '8.34']);
  });
});
