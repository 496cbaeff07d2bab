import { describe, expect, it } from 'vitest';
import { exceeded, readBudgets } from '../../scripts/budgets.mjs';
import { oddRate } from '../../scripts/plain-english.mjs';
import { draw } from '../../scripts/sample-texts.mjs';
import { VIEW_NAMES } from '../../src/contract/shell';
import { runnableCommands } from '../cli/all-commands';

describe('given the limits of budgets.json', () => {
  it('when a measure exceeds its limit or has none, then a sentence names it', () => {
    expect(exceeded({ commands: 80, views: 12, pages: 1 }, { commands: 79, views: 12 })).toEqual([
      'commands: 80 exceeds 79',
      'pages: budgets.json has no limit for it',
    ]);
  });

  it.each([
    ['What a machine has found out is told to the others.', 2],
    ['Each machine shares the limits that it detects.', 0],
    ['Where no app runs, the file counts.', 1],
    ['The app asks nobody.', 1],
  ])('when the phrases of "%s" are counted, then %i are odd', (sentence, count) => {
    expect(Math.round((oddRate([sentence]) * sentence.split(' ').length) / 10_000)).toBe(count);
  });

  it('when texts are drawn twice with a seed, then the same ones come, and others with another seed', () => {
    const texts = Array.from({ length: 1_000 }, (_, at) => at);
    expect(draw(texts, 7)).toEqual(draw(texts, 7));
    expect(draw(texts, 8)).not.toEqual(draw(texts, 7));
    expect(new Set(draw(texts, 7)).size).toBe(100);
  });

  it('when runnable commands and views are counted, then none exceeds its limit', async () => {
    const commands = await runnableCommands();
    expect(commands.length).toBeGreaterThan(20);
    expect(exceeded({ commands: commands.length, views: VIEW_NAMES.length }, readBudgets())).toEqual([]);
  });
});
