import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Hours, hoursOf, nanosOf, shifted, spentElsewhere, together } from '../../../src/core/budget/elsewhere';
import { type Budget, createLedger } from '../../../src/core/budget/ledger';
import type { SpentLine } from '../../../src/core/budget/spent';
import { keepOthersSpent, openOthersSpent } from '../../../src/node/data/others-spent';
import { HOURS_MAX, NANOS_MAX, readFleetText } from '../../../src/protocol';
import { fleetText } from '../../../src/protocol/fleet';
import { tempFolder } from '../../node/temp-folder';
import { runs } from '../../support/runs';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 27, 12, 30);
const NOON = Math.floor(NOW / HOUR);

const step = (cost: number | null, over: Partial<SpentLine> = {}): SpentLine => ({
  ...{ at: NOW, for: 'turn', provider: 'kimi', agent: 'build', directory: '/p', session: 's', tokens: 9, cost },
  ...over,
});
const budget = (over: Partial<Budget> = {}): Budget => ({
  ...{ period: 'day', action: 'stop', provider: 'kimi', agent: null, directory: null, limit: 5, maxPrice: null },
  ...over,
});

describe('given what machines of a fleet spend on an account', () => {
  it('when it is told, then by hours, of that account alone, and nothing of long ago, of what is to come and without a price', () => {
    const lines = [
      step(1),
      step(0.5, { at: NOW - 20 * 60_000 }),
      step(2, { at: NOW - HOUR }),
      step(null),
      step(4, { account: 'kimi@work' }),
      step(8, { provider: 'other' }),
      step(16, { at: NOW - 201 * HOUR }),
      step(32, { at: NOW + 3 * HOUR }),
    ];
    expect(hoursOf(lines, 'kimi', NOW)).toEqual([
      [NOON - 1, 2e9],
      [NOON, 1.5e9],
    ]);
    expect(hoursOf(lines, 'kimi@work', NOW)).toEqual([[NOON, 4e9]]);
  });

  it('when a budget of the provider is counted, then theirs count in its day and its week, all accounts of it, and are told apart', () => {
    const ledger = createLedger();
    ledger.add(step(1));
    const elsewhere = new Map<string, Hours>([
      [
        'kimi',
        [
          [NOON - 24, nanosOf(8)],
          [NOON - 1, nanosOf(2)],
        ],
      ],
      ['kimi@work', [[NOON, nanosOf(0.25)]]],
      ['kimiko', [[NOON, nanosOf(64)]]],
    ]);
    const by = { offsetAt: () => 0, elsewhere };
    const counted = ledger.count([budget(), budget({ period: 'week' })], NOW, by);
    expect(counted.map(({ spent, elsewhere: part }) => [spent, part])).toEqual([
      [3.25, 2.25],
      [11.25, 10.25],
    ]);
  });

  it('when it is a budget of all, of an agent, a project or a conversation, then what others spend is no part of it', () => {
    const ledger = createLedger();
    ledger.add(step(1));
    const elsewhere = new Map<string, Hours>([['kimi', [[NOON, nanosOf(8)]]]]);
    const budgets = [{}, { agent: 'build' }, { directory: '/p' }].map((whose) => budget({ provider: null, ...whose }));
    const all = [...budgets, budget({ period: 'session' })];
    const counted = ledger.count(all, NOW, { offsetAt: () => 0, elsewhere });
    expect(counted.map(({ spent }) => spent)).toEqual([1, 1, 1, 1]);
  });

  it('when it is written and read, then it is the same; where it makes no sense, health is read without it', () => {
    const spent: Hours = [[NOON, nanosOf(1.5)]];
    const text = fleetText({ machine: 'one', version: null, words: [], windows: [], spent });
    expect(readFleetText(text)?.spent).toEqual(spent);
    expect(readFleetText(text.replace('1500000000', '-1'))).toMatchObject({ machine: 'one', spent: [] });
  });

  it('when a machine says more than anybody spends in an hour, then nothing of it counts, and it says no more itself', () => {
    const words = { machine: 'one', version: null, words: [], windows: [] };
    const said = fleetText({ ...words, spent: [[NOON, 5e15]] });
    expect(readFleetText(said)?.spent).toEqual([[NOON, NANOS_MAX]]);
    expect(readFleetText(said.replace(String(NANOS_MAX), '9007199254740991'))?.spent).toEqual([]);
  });

  it('when a thousand machines spend in all hours that are told, one with a clock that is ahead, then the sum can be kept and read', async () => {
    const home = await tempFolder();
    const hours = (from: number): Hours => Array.from({ length: HOURS_MAX }, (_, at) => [from + at, NANOS_MAX]);
    const all = [...Array(999).fill(hours(NOON - HOURS_MAX + 1)), hours(NOON - HOURS_MAX + 2)];
    const sum = together(all, NOW);
    expect(sum).toHaveLength(HOURS_MAX);
    expect(await keepOthersSpent(home, new Map([['kimi', sum]]))).toBe(true);
    const kept = openOthersSpent(home);
    await kept.refresh();
    expect(kept.known().get('kimi')).toEqual(sum);
    expect(await keepOthersSpent(home, new Map([['kimi', sum]]))).toBe(false);
  });

  it('when a machine’s clock is two hours ahead, then its hours are told by the clock of all', () => {
    expect(shifted(hoursOf([step(1, { at: NOW + 2 * HOUR })], 'kimi', NOW + 2 * HOUR), -2)).toEqual([[NOON, 1e9]]);
  });
});

describe('given any spending of several machines', () => {
  const hours = fc
    .array(fc.tuple(fc.integer({ min: NOON - 190, max: NOON }), fc.integer({ min: 0, max: 1e12 })), { maxLength: 30 })
    .map((all) => [...new Map(all)].sort(([a], [b]) => a - b) as Hours);

  it('when it is joined in any order, then the sum is the same', () => {
    fc.assert(
      fc.property(hours, hours, hours, (one, two, three) => {
        expect(together([one, two, three], NOW)).toEqual(together([three, one, two], NOW));
        const sum = (all: Hours) => all.reduce((total, [, nanos]) => total + nanos, 0);
        const parts = [one, two].map((all) => spentElsewhere(new Map([['a', all]]), 'a', 0, NOW + HOUR));
        expect(sum(together([one, two], NOW))).toBe(parts.reduce((a, b) => a + b, 0));
      }),
      { numRuns: runs(300) },
    );
  });
});
