import { describe, expect, it } from 'vitest';
import { exceeded, readBudgets } from '../../scripts/budgets.mjs';
import { VIEWS } from '../../src/contract';
import { cliUser } from '../cli/real-cli';

describe('given the limits of budgets.json', () => {
  it('when a measure exceeds its limit or has none, then a sentence names it', () => {
    expect(exceeded({ commands: 80, views: 12, pages: 1 }, { commands: 79, views: 12 })).toEqual([
      'commands: 80 exceeds 79',
      'pages: budgets.json has no limit for it',
    ]);
  });

  it('when runnable commands and views are counted, then none exceeds its limit', async () => {
    const { run } = await cliUser();
    const { said } = await run(['completion', 'fish']);
    const commands = new Set([...said.matchAll(/'__understudy_within ([^']+)'/g)].map(([, name]) => name));
    expect(commands.size).toBeGreaterThan(20);
    expect(exceeded({ commands: commands.size, views: VIEWS.length }, readBudgets())).toEqual([]);
  });
});
