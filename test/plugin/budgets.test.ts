import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConfigFile } from '../../src/core/config';
import type { ScopeConfig } from '../../src/engine';
import type { LoadedConfig } from '../../src/node/config/config-reader';
import { createBrain } from '../../src/plugin/brain';
import { keepBudgets } from '../../src/plugin/budgets';
import type { UsageRecorded } from '../../src/protocol';
import { scopeOf } from '../core/virtual-core';

const ASK = { day: 5, action: 'ask' } as const;
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

/** A process of a user whose own file says what may be spent. */
function openProcess(budget?: ConfigFile['budget']) {
  const said = { budget };
  const brain = createBrain(() => 0);
  const told: unknown[] = [];
  brain.onEntry(({ event }) => {
    if (event.type === 'money.counted') told.push(event.levels.map(({ spent, isAllowed }) => [spent, isAllowed]));
  });
  const config = async () => ({
    refresh: async () => true,
    loaded: () =>
      ({ sources: { project: null, global: { path: 'own', config: said, problems: [] } } }) as unknown as LoadedConfig,
  });
  const budgets = keepBudgets(brain, { home, warn: () => undefined, wall: () => NOW, config });
  return { brain, budgets, told, say: (next: ConfigFile['budget']) => Object.assign(said, { budget: next }) };
}

describe('given a process that spends', () => {
  it('when no budget is set, then it is written down, and the engine is told nothing', async () => {
    const { brain, budgets, told } = openProcess();
    brain.note(used(4));
    await budgets.refresh();
    await budgets.flush();
    expect(told).toEqual([]);
    const later = openProcess({ day: 5 });
    await later.budgets.refresh();
    expect(later.told).toEqual([[[4, false]]]);
  });

  it('when a budget fills up, then the engine hears of it where that makes a difference, and not each time', async () => {
    const { brain, budgets, told } = openProcess({ day: 5 });
    for (const cost of [1, 3, 0.01, 1, null]) {
      brain.note(used(cost));
      await budgets.refresh();
    }
    expect(told).toEqual([[[4, false]], [[5.01, false]]]);
  });

  it('when the file sets it higher, or no more, then the engine hears that as well', async () => {
    const { brain, budgets, told, say } = openProcess({ day: 5 });
    brain.note(used(5));
    await budgets.refresh();
    say({ day: 6 });
    await budgets.refresh();
    say(undefined);
    await budgets.refresh();
    expect(told).toEqual([[[5, false]], [[5, false]], []]);
    expect(brain.state().money).toEqual([]);
  });

  it('when a person says yes here, then every other process knows it, after a restart too', async () => {
    const { brain, budgets } = openProcess(ASK);
    const other = openProcess(ASK);
    brain.note(used(5));
    await budgets.refresh();
    const place = { session: 's', directory: '/p', agent: 'build', model: 'anthropic/claude' };
    const config: ScopeConfig = { ...scopeOf(), abilities: ['ask'] };
    await other.budgets.refresh();
    for (const each of [brain, other.brain]) {
      each.tell({ type: 'scope.configured', directory: '/p', config });
      each.tell({ type: 'prompt.submitted', turn: 'u', hostLead: null, isExplicit: false, ...place });
      const [asked] = each.tell({ type: 'attempt.started', attempt: 'x', turn: 'u', purpose: 'turn', ...place });
      expect(asked?.code).toBe('ask.money');
    }
    const wentOn: string[] = [];
    other.brain.onStep(({ decisions }) => wentOn.push(...decisions.map(({ code }) => code)));
    brain.tell({ type: 'question.answered', yes: true, actor: 'ann' });
    await budgets.flush();
    // Its turn waits: it looks again by itself.
    await expect.poll(() => wentOn).toEqual(['hold.money']);
    expect(other.brain.state().questions).toEqual([]);
    const later = openProcess(ASK);
    await later.budgets.refresh();
    expect(later.told).toEqual([[[5, true]]]);
  });
});
