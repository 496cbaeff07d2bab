import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConfigFile } from '../../src/core/config';
import type { ScopeConfig } from '../../src/engine';
import type { LoadedConfig } from '../../src/node/config/config-reader';
import { createBrain } from '../../src/plugin/base/brain';
import { type Budgets, keepBudgets } from '../../src/plugin/stores/budgets';
import type { UsageRecorded } from '../../src/protocol';
import { scopeOf } from '../core/virtual-core';

const ASK = { day: 5, action: 'ask' } as const;
const NOW = Date.UTC(2026, 10, 27, 12);
let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'us-budget-'));
});
afterEach(async () => {
  await Promise.all(opened.map((each) => each.flush()));
  opened = [];
  await rm(home, { recursive: true, force: true });
});
/** What is still being written is waited for. */
let opened: Budgets[] = [];

const used = (cost: number | null): UsageRecorded => ({
  ...{ type: 'usage.recorded', session: 's', turn: 't', agent: 'build', model: 'anthropic/claude', purpose: 'turn' },
  ...{ directory: '/p', tokens: { input: 10, output: 5, reasoning: 0, cacheRead: 0, cacheWrite: 0 }, cost },
});

/** A process of a user whose own file says what may be spent. */
function openProcess(budget?: ConfigFile['budget'], headroom?: ConfigFile['headroom']) {
  const said: Pick<ConfigFile, 'budget' | 'headroom'> = { budget, headroom };
  const clock = { now: 0 };
  const brain = createBrain(() => clock.now);
  const told: unknown[] = [];
  brain.onEntry(({ event }) => {
    if (event.type === 'money.counted') told.push(event.levels.map(({ spent, isAllowed }) => [spent, isAllowed]));
    if (event.type !== 'headroom.counted') return;
    told.push(event.accounts.map(([account, windows]) => [account, ...windows.map((w) => [w.remaining, w.resetInMs])]));
  });
  const config = async () => ({
    refresh: async () => true,
    loaded: () =>
      ({ sources: { project: null, global: { path: 'own', config: said, problems: [] } } }) as unknown as LoadedConfig,
  });
  const spendOf = () => undefined;
  const budgets = keepBudgets(brain, {
    home,
    instance: `${process.pid}-test`,
    spendOf,
    warn: () => undefined,
    wall: () => NOW + clock.now,
    config,
  });
  opened.push(budgets);
  const enter = (next: ConfigFile['headroom']) => Object.assign(said, { headroom: next });
  return {
    brain,
    budgets,
    told,
    clock,
    enter,
    say: (next: ConfigFile['budget']) => Object.assign(said, { budget: next }),
  };
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

describe('given a project that says what models cost', () => {
  const DEAR = { input: 100_000, output: 1_000_000, cacheRead: 0, cacheWrite: 0 };

  it('when the user says otherwise, or nobody else says it, then the ledger has the user’s price, or none', async () => {
    const { brain, budgets, told } = openProcess({ day: 5, action: 'stop' });
    const spend = async (model: string) => {
      brain.note({ ...used(0.001), model });
      await budgets.refresh();
    };
    await spend('anthropic/claude');
    budgets.follow('/p', { isEvery: false, models: { 'anthropic/claude': DEAR, 'gw/new': null } });
    await spend('anthropic@work/claude');
    await spend('gw/new');
    budgets.follow('/p', { isEvery: true, models: { 'anthropic/claude': DEAR } });
    await spend('anthropic/other');
    budgets.follow('/p', null);
    await spend('gw/new');
    await budgets.flush();
    const lines = (await readFile(join(home, 'spent-2026-11-27.jsonl'), 'utf8')).trim().split('\n');
    // 10 tokens in and 5 out.
    expect(lines.map((line) => JSON.parse(line).cost)).toEqual([0.001, 6, null, null, 0.001]);
    expect(told.at(-1)).toEqual([[6.001, false]]);
  });
});

const HOUR = 3_600_000;

describe('given limits that a user has entered', () => {
  const FIVE_HOURS = { limits: { anthropic: [{ requests: 3, hours: 5 }] } };
  const TOKENS = { limits: { anthropic: [{ tokens: 100_000, hours: 5 }] } };

  it('when none is entered, then the engine hears nothing, and nothing is read', async () => {
    const { brain, budgets, told } = openProcess();
    brain.note(used(4));
    await budgets.refresh();
    expect([told, brain.state().counted.flat()]).toEqual([[], []]);
  });

  it('when steps are taken here and elsewhere, then each process knows all of them before its next request', async () => {
    const [one, other] = [openProcess(undefined, FIVE_HOURS), openProcess(undefined, FIVE_HOURS)];
    await one.budgets.refresh();
    one.brain.note(used(null));
    await one.budgets.refresh();
    other.brain.note(used(0));
    await Promise.all([other.budgets.flush(), other.budgets.refresh()]);
    await one.budgets.refresh();
    expect(one.told).toEqual([
      [['anthropic', [3, null]]],
      [['anthropic', [2, 5 * HOUR]]],
      [['anthropic', [1, 5 * HOUR]]],
    ]);
    expect(other.told.at(-1)).toEqual([['anthropic', [1, 5 * HOUR]]]);
    const later = openProcess(undefined, FIVE_HOURS);
    await later.budgets.refresh();
    expect(later.told).toEqual([[['anthropic', [1, 5 * HOUR]]]]);
  });

  it('when nothing is used, and time goes by, then the engine hears nothing more until the window has begun anew', async () => {
    const { brain, budgets, told, clock } = openProcess(undefined, FIVE_HOURS);
    brain.note(used(null));
    await budgets.refresh();
    const before = told.length;
    for (const now of [HOUR, 4 * HOUR, 5 * HOUR, 9 * HOUR]) {
      clock.now = now;
      await budgets.refresh();
    }
    expect(told).toHaveLength(before);
    brain.note(used(null));
    await budgets.refresh();
    expect(told.at(-1)).toEqual([['anthropic', [2, 5 * HOUR]]]);
  });

  it('when a request is asked of another account, or the limit is of tokens, then that is what counts', async () => {
    const { brain, budgets, told } = openProcess(undefined, TOKENS);
    brain.tell({
      ...{ type: 'scope.configured', directory: '/p' },
      config: { ...scopeOf(), books: { anthropic: '0123456789ab' } },
    });
    brain.note(used(null));
    brain.note({
      ...used(null),
      directory: '/elsewhere',
      tokens: { input: 900, output: 50, reasoning: 0, cacheRead: 50, cacheWrite: 0 },
    });
    await budgets.refresh();
    expect(told.at(-1)).toEqual([
      ['anthropic', [99_000, 5 * HOUR]],
      ['anthropic@0123456789ab', [99_985, 5 * HOUR]],
    ]);
  });

  it('when the file changes, or wants limits neither read nor told, then the engine hears that with the next look', async () => {
    const { brain, budgets, told, enter } = openProcess(undefined, FIVE_HOURS);
    brain.note(used(null));
    await budgets.refresh();
    enter({ limits: { anthropic: [{ requests: 10, hours: 5 }] } });
    await budgets.refresh();
    enter({ ...FIVE_HOURS, act: 'off' });
    await budgets.refresh();
    expect(told.slice(-2)).toEqual([[['anthropic', [9, 5 * HOUR]]], []]);
    expect(brain.state().counted.flat()).toEqual([]);
  });

  it('when a budget is set as well, then each is told for itself', async () => {
    const { brain, budgets, told } = openProcess({ day: 5 }, FIVE_HOURS);
    brain.note(used(4));
    await budgets.refresh();
    expect(told).toEqual(expect.arrayContaining([[[4, false]], [['anthropic', [2, 5 * HOUR]]]]));
  });
});
