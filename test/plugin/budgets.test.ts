import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ScopeConfig } from '../../src/engine';
import { createBrain } from '../../src/plugin/brain';
import { keepBudgets } from '../../src/plugin/budgets';
import type { UsageRecorded } from '../../src/protocol';
import { scopeOf } from '../core/virtual-core';

const NOW = Date.UTC(2026, 10, 27, 12);
let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'us-budget-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const used = (cost: number | null): UsageRecorded => ({
  ...{ type: 'usage.recorded', session: 's', turn: 't', agent: 'build', model: 'anthropic/claude', purpose: 'turn' },
  ...{ directory: '/p', tokens: { input: 10, output: 5, reasoning: 0, cacheRead: 0, cacheWrite: 0 }, cost },
});

function openProcess() {
  const brain = createBrain(() => 0);
  const told: unknown[] = [];
  brain.onEntry(({ event }) => {
    if (event.type === 'money.counted') told.push(event.levels.map(({ spent, isAllowed }) => [spent, isAllowed]));
  });
  const budgets = keepBudgets(brain, { home, warn: () => undefined, wall: () => NOW });
  return { brain, budgets, told };
}

describe('given a process that spends', () => {
  it('when no budget is set, then it is written down, and the engine is told nothing', async () => {
    const { brain, budgets, told } = openProcess();
    brain.note(used(4));
    await budgets.refresh();
    await budgets.flush();
    expect(told).toEqual([]);
    const later = openProcess();
    later.budgets.follow('/p', { day: 5 });
    await later.budgets.refresh();
    expect(later.told).toEqual([[[4, false]]]);
  });

  it('when a budget fills up, then the engine hears of it where that makes a difference, and not each time', async () => {
    const { brain, budgets, told } = openProcess();
    budgets.follow('/p', { day: 5 });
    for (const cost of [1, 3, 0.01, 1, null]) {
      brain.note(used(cost));
      await budgets.refresh();
    }
    expect(told).toEqual([[[4, false]], [[5.01, false]]]);
  });

  it('when the file sets it higher, or no more, then the engine hears that as well', async () => {
    const { brain, budgets, told } = openProcess();
    budgets.follow('/p', { day: 5 });
    brain.note(used(5));
    await budgets.refresh();
    budgets.follow('/p', { day: 6 });
    await budgets.refresh();
    budgets.follow('/p', undefined);
    await budgets.refresh();
    expect(told).toEqual([[[5, false]], [[5, false]], []]);
    expect(brain.state().money).toEqual([]);
  });

  it('when a person says yes here, then every other process knows it, after a restart too', async () => {
    const { brain, budgets } = openProcess();
    budgets.follow('/p', { day: 5, action: 'ask' });
    brain.note(used(5));
    await budgets.refresh();
    const place = { session: 's', directory: '/p', agent: 'build', model: 'anthropic/claude' };
    const config: ScopeConfig = { ...scopeOf(), abilities: ['ask'] };
    brain.tell({ type: 'scope.configured', directory: '/p', config });
    brain.tell({ type: 'prompt.submitted', turn: 'u', hostLead: null, isExplicit: false, ...place });
    const [asked] = brain.tell({ type: 'attempt.started', attempt: 'x', turn: 'u', purpose: 'turn', ...place });
    expect(asked?.code).toBe('ask.money');
    brain.tell({ type: 'question.answered', yes: true, actor: 'ann' });
    await budgets.flush();
    const later = openProcess();
    later.budgets.follow('/p', { day: 5, action: 'ask' });
    await later.budgets.refresh();
    expect(later.told).toEqual([[[5, true]]]);
  });
});
