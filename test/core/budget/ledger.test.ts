import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zoneOffset } from '../../../src/core/base/zone-offset';
import { budgetsOf } from '../../../src/core/budget/budgets';
import { type Budget, createLedger } from '../../../src/core/budget/ledger';
import { isOldNews, levelsOf } from '../../../src/core/budget/levels';
import { stretchAt } from '../../../src/core/budget/periods';
import { ledgerLineIn, type SpentLine } from '../../../src/core/budget/spent';

const BERLIN = zoneOffset('Europe/Berlin');
/** A Friday, 15:00 in Berlin. */
const NOW = Date.UTC(2026, 10, 27, 14);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const step = (cost: number | null, over: Partial<SpentLine> = {}): SpentLine => ({
  ...{ at: NOW - HOUR, for: 'turn', provider: 'anthropic', agent: 'build', directory: '/home/ada/shop', session: 's' },
  ...{ tokens: 1_000, cost },
  ...over,
});
const budget = (over: Partial<Budget> = {}): Budget => ({
  ...{ period: 'day', action: 'warn', provider: null, agent: null, directory: null, limit: 5, maxPrice: null },
  ...over,
});

function counted(budgets: readonly Budget[], lines: readonly Parameters<ReturnType<typeof createLedger>['add']>[0][]) {
  const ledger = createLedger();
  for (const line of lines) ledger.add(line);
  return ledger.count(budgets, NOW, { offsetAt: BERLIN });
}

describe('given the calendar of Berlin', () => {
  it.each([
    ['a day', 'day', NOW, '2026-11-27', Date.UTC(2026, 10, 26, 23), DAY],
    ['a week', 'week', NOW, '2026-11-23', Date.UTC(2026, 10, 22, 23), 7 * DAY],
    [
      'the day on which clocks are put back',
      'day',
      Date.UTC(2026, 9, 25, 12),
      '2026-10-25',
      Date.UTC(2026, 9, 24, 22),
      25 * HOUR,
    ],
    [
      'the day on which they are put forward',
      'day',
      Date.UTC(2026, 2, 29, 12),
      '2026-03-29',
      Date.UTC(2026, 2, 28, 23),
      23 * HOUR,
    ],
    ['a moment after midnight', 'day', Date.UTC(2026, 10, 26, 23), '2026-11-27', Date.UTC(2026, 10, 26, 23), DAY],
  ] as const)(
    'when %s is asked for, then it begins and ends at midnight there',
    (_case, period, at, name, begin, length) => {
      expect(stretchAt(period, at, BERLIN)).toEqual({ name, beginsAt: begin, endsAt: begin + length });
    },
  );

  it('when any moment is looked at in any zone, then it lies in its day, which lies in its week', () => {
    const zones = fc.constantFrom(
      'Asia/Kathmandu',
      'America/St_Johns',
      'Pacific/Apia',
      'Europe/Berlin',
      'UTC',
      'Atlantic/Azores',
      'America/Santiago',
      'America/Havana',
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), zones, (at, zone) => {
        const offset = zoneOffset(zone);
        const [day, week] = [stretchAt('day', at, offset), stretchAt('week', at, offset)];
        expect(day.beginsAt <= at && at < day.endsAt).toBe(true);
        expect(week.beginsAt <= day.beginsAt && day.endsAt <= week.endsAt).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('given what was spent', () => {
  it('when a day is counted, then yesterday is not in it, and the unpriced part is told', () => {
    const lines = [step(1.5), step(0.25), step(null), step(9, { at: NOW - 16 * HOUR })];
    expect(counted([budget()], lines)).toEqual([
      {
        ...budget(),
        ...{ id: 'day 2026-11-27 * * * 5', session: null, spent: 1.75, pricedShare: 2 / 3, at: NOW - HOUR },
        place: '/home/ada/shop',
        elsewhere: 0,
        ...{ endsAt: Date.UTC(2026, 10, 27, 23), isAllowed: false },
      },
    ]);
  });

  it('when a week is counted, then Monday is in it and Sunday is not', () => {
    const lines = [step(1, { at: NOW - 4 * DAY }), step(2, { at: NOW - 5 * DAY })];
    expect(counted([budget({ period: 'week' })], lines)).toMatchObject([{ spent: 1 }]);
  });

  it.each([
    ['a provider', { provider: 'openai' }, 2],
    ['an agent', { agent: 'plan' }, 4],
    ['a project, and the folders in it', { directory: '/home/ada' }, 7],
    ['a project whose name another one begins with', { directory: '/home/ada/sh' }, 0],
  ])('when it is that of %s, then only that counts', (_case, whose, spent) => {
    const lines = [
      step(1),
      step(2, { provider: 'openai' }),
      step(4, { agent: 'plan' }),
      step(8, { directory: '/other' }),
    ];
    expect(counted([budget(whose)], lines)).toMatchObject([{ spent }]);
  });

  it('when conversations have budgets, then each is counted by itself, over midnight; of those of the day before what is spent stays so', () => {
    const lines = [
      ...[step(1, { at: NOW - 20 * HOUR }), step(1)],
      ...[step(3, { session: 'other' }), step(4, { session: 'old', at: NOW - 2 * DAY })],
      step(1.5, { session: 'gone', at: NOW - 2 * DAY }),
    ];
    expect(
      counted([budget({ period: 'session', limit: 2 })], lines).map(({ id, session, spent, endsAt }) => [
        id,
        session,
        spent,
        endsAt,
      ]),
    ).toEqual([
      ['session s * * * 2', 's', 2, null],
      ['session other * * * 2', 'other', 3, null],
      ['session old * * * 2', 'old', 4, null],
    ]);
  });

  it('when the clock was set back, then what seems to come is spent all the same', () => {
    expect(counted([budget()], [step(2, { at: NOW + DAY }), step(4, { at: NOW + 40 * DAY })])).toMatchObject([
      { spent: 2 },
    ]);
  });

  it('when a person has said to go on, then that is for this day of this budget alone', () => {
    const said = { at: NOW, allowed: 'day 2026-11-27 * * * 5' };
    expect(counted([budget(), budget({ limit: 6 })], [step(7), said]).map(({ isAllowed }) => isAllowed)).toEqual([
      true,
      false,
    ]);
  });

  it('when a hundred thousand tenths of a cent are added, then not one is lost', () => {
    expect(
      counted(
        [budget({ limit: 500 })],
        Array.from({ length: 100_000 }, () => step(0.001)),
      ),
    ).toMatchObject([{ spent: 100 }]);
  });

  it('when it comes in any order, then it comes to the same', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { maxLength: 20 }), (costs) => {
        const sum = (list: readonly number[]) =>
          counted(
            [budget()],
            list.map((cost) => step(cost)),
          )[0]?.spent;
        expect(sum(costs)).toBe(sum(costs.toReversed()));
      }),
    );
  });
});

describe('given lines of a ledger', () => {
  it.each([
    ['is whole', JSON.stringify(step(1)), true],
    ['is a word of a person', '{"at":1,"allowed":"day x"}', true],
    ['was cut off', JSON.stringify(step(1)).slice(0, 60), false],
    ['costs less than nothing', JSON.stringify(step(-1)), false],
    ['costs more than any number', JSON.stringify(step(1)).replace('"cost":1', '"cost":1e999'), false],
    ['is something else', '{"a":1}', false],
    ['is empty', '', false],
  ])('when one %s, then it counts or does not', (_case, text, isOne) => {
    expect(ledgerLineIn(text) !== null).toBe(isOne);
  });
});

/** A day's budget that is nearly spent, as the engine is told of it at a moment. */
function budgetsAt(now: number) {
  const ledger = createLedger();
  ledger.add(step(4.5));
  return levelsOf([budget()], ledger.count([budget()], now, { offsetAt: BERLIN }), now);
}

describe('given what the engine is told of budgets', () => {
  const told = (spent: number, over: Partial<Budget> = {}) =>
    levelsOf([budget(over)], counted([budget(over)], [step(spent)]), NOW);

  it('when less than four fifths are spent, then nothing; else the budget with its end', () => {
    expect(told(3.99)).toEqual([]);
    expect(told(4)).toEqual([
      {
        ...{
          id: 'day 2026-11-27 * * * 5',
          period: 'day',
          action: 'warn',
          provider: null,
          agent: null,
          directory: null,
        },
        ...{ session: null, limit: 5, spent: 4, maxPrice: null, endsInMs: 9 * HOUR, isAllowed: false },
      },
    ]);
  });

  it('when one is to be held, then it is told of from the first cent on, and that of conversations for those that begin', () => {
    const short = (over: Partial<Budget>) =>
      told(1, over).map(({ id, session, spent, endsInMs }) => [id, session, spent, endsInMs]);
    expect(short({ action: 'stop' })).toEqual([['day 2026-11-27 * * * 5', null, 1, 9 * HOUR]]);
    expect(short({ action: 'ask', period: 'session' })).toEqual([['session 2026-11-27 * * * 5', null, 0, null]]);
    expect([short({ action: 'degrade' }), short({ period: 'session' })]).toEqual([[], []]);
  });

  it.each([
    ['a cent more is spent', told(4.01), true],
    ['a tenth of it more is spent', told(4.5), false],
    ['it is spent', told(5), false],
    ['its action is another', told(4, { action: 'stop' }), false],
    ['it is gone', [], false],
  ])('when %s, then it is old news or is told', (_case, now, isOld) => {
    expect(isOldNews(told(4), now, 0)).toBe(isOld);
  });
});

describe('given budgets that the engine has heard of an hour ago', () => {
  it('when the clocks went on, then that is old news; when one was set meanwhile, then it is told anew', () => {
    const counted = budgetsAt(NOW);
    expect([HOUR, 0].map((agoMs) => isOldNews(counted, budgetsAt(NOW + HOUR), agoMs))).toEqual([true, false]);
  });
});

describe('given a file that sets budgets', () => {
  it('when parts say nothing of what happens, then what holds for all does; `~` is the home', () => {
    const file = {
      ...{
        day: 5,
        week: 20,
        action: 'ask' as const,
        providers: { anthropic: { day: 3, action: 'degrade' as const, maxPrice: 2 } },
      },
      ...{ agents: { explore: { session: 1 } }, projects: { '~/shop/': { week: 7 } } },
    };
    expect(budgetsOf({ budget: file }, '/home/ada')).toEqual([
      budget({ action: 'ask' }),
      budget({ period: 'week', limit: 20, action: 'ask' }),
      budget({ provider: 'anthropic', limit: 3, action: 'degrade', maxPrice: 2 }),
      budget({ period: 'session', agent: 'explore', limit: 1, action: 'ask' }),
      budget({ period: 'week', directory: '/home/ada/shop/', limit: 7, action: 'ask' }),
    ]);
    expect(budgetsOf({}, '/home/ada')).toEqual([]);
  });
});
