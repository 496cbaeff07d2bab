import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UsageFigures, UsageRange } from '../../src/contract/usage';
import { type Counted, recountDays, sumsOf, turnsIn, turnsOf, within } from '../support/recount/days';
import { openUsageCore } from '../support/usage-core';
import { NOW, tellHistory } from '../support/usage-story';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = 45;
const TODAY = Math.floor(NOW / DAY) * DAY;

type Opened = Awaited<ReturnType<typeof openUsageCore>>;
type At = Readonly<{ at: number }>;
type Row = Counted['requests'][number] | Counted['used'][number];

/** Ranges, and which rows are in them. */
const RANGES: readonly (readonly [string, UsageRange, (row: Row) => boolean])[] = [
  ['all', { kind: 'all' }, () => true],
  ['7 days', { kind: 'days', days: 7 }, ({ at }) => at >= TODAY - 6 * DAY],
  [
    'three days of another month',
    { kind: 'custom', from: '2026-08-20', to: '2026-08-22' },
    ({ at }) => at >= Date.UTC(2026, 7, 20) && at < Date.UTC(2026, 7, 23),
  ],
  ['one session', { kind: 'session', session: 'ses_10' }, ({ session }) => session === 'ses_10'],
];

const namesBy: Readonly<Record<'position' | 'model' | 'provider' | 'agent', (row: Row) => string>> = {
  position: ({ position }) => String(position),
  model: ({ model }) => model,
  provider: ({ model }) => model.split('/')[0] ?? '',
  agent: ({ agent }) => agent,
};

/** The product's figures in the words of the other count. */
const seen = ({ attempts, answered, failed, fallback, tokens, cost }: UsageFigures) => ({
  ...{ attempts, answered, failed, tokens },
  past: fallback?.past,
  cost: cost.total === null ? null : Math.round(Number(cost.total) * 1e9) / 1e9,
  pricedShare: cost.pricedShare,
});
const groups = (counted: Counted, nameOf: (row: Row) => string): Readonly<Record<string, Counted>> => {
  const names = new Set([...counted.requests, ...counted.used].map(nameOf));
  return Object.fromEntries([...names].map((name) => [name, within(counted, (row) => nameOf(row) === name)]));
};
const counts = <T extends At>(rows: readonly T[], slotOf: (row: T) => string): Record<string, number> => {
  const slots: Record<string, number> = {};
  for (const row of rows) slots[slotOf(row)] = (slots[slotOf(row)] ?? 0) + 1;
  return slots;
};

describe('given 45 days of work, counted a second time by a program that knows nothing of the product', () => {
  let opened: Opened;
  let all: Counted;
  beforeAll(async () => {
    opened = await openUsageCore(DAYS);
    const told: Parameters<typeof recountDays>[0][number][] = [];
    tellHistory((at, event) => void told.push({ at, event }), DAYS);
    all = recountDays(told);
  });
  afterAll(() => opened.close());
  const handlers = () => opened.core.host.handlers;
  const usage = async (range: UsageRange, splitBy: keyof typeof namesBy) =>
    handlers()['usage.get']({ range, splitBy, timeZone: 'UTC' });

  it.each(RANGES)(
    'when usage of %s is asked for, then totals, turns and each row of each split agree',
    async (_, range, isIn) => {
      const counted = within(all, isIn);
      expect(counted.requests.length).toBeGreaterThan(5);
      for (const splitBy of ['position', 'model', 'provider', 'agent'] as const) {
        const { totals, turns, rows } = await usage(range, splitBy);
        expect(seen(totals)).toEqual(sumsOf(counted));
        const { total, answered, saved } = turnsOf(counted);
        expect(turns).toMatchObject({ total, answered, saved });
        const own = groups(counted, namesBy[splitBy]);
        expect(Object.fromEntries(rows.map((row) => [row.name, seen(row)]))).toEqual(
          Object.fromEntries(Object.entries(own).map(([name, group]) => [name, sumsOf(group)])),
        );
      }
    },
  );

  it('when usage is shown by day and by hour, then each point, each cell and each pair of a switch agrees', async () => {
    const { points, hours, standIns, models } = await usage({ kind: 'days', days: 40 }, 'model');
    const counted = within(all, ({ at }) => at >= TODAY - 39 * DAY);
    for (const { at, until, figures } of points) {
      const { past: _, ...expected } = sumsOf(within(counted, (row) => row.at >= at && row.at < until));
      const { past: __, ...shown } = figures ? seen(figures) : { past: 0 };
      expect(shown).toEqual(expected);
    }
    expect(points).toHaveLength(40);
    const slotOf = ({ at }: At): string => `${(new Date(at).getUTCDay() + 6) % 7} ${new Date(at).getUTCHours()}`;
    const cells = hours.flatMap((day, weekday) => day.map((count, hour) => [`${weekday} ${hour}`, count] as const));
    expect(Object.fromEntries(cells.filter(([, count]) => count))).toEqual(counts(counted.requests, slotOf));
    const moved = turnsIn(counted).flatMap(({ requests: [one, two] }) =>
      one && two ? [{ at: one.at, pair: `${one.model} ${two.model}` }] : [],
    );
    expect(Object.fromEntries(standIns.map(({ from, to, count }) => [`${from} ${to}`, count]))).toEqual(
      counts(moved, ({ pair }) => pair),
    );
    for (const { model, totalCalls, successes, failures, avgResponseTimeMs, failureReasons } of models) {
      const own = counted.requests.filter((request) => request.model === model);
      const answers = own.filter(({ end }) => end === 'answered');
      const failed = own.length - answers.length;
      const took = answers.reduce((sum, { durationMs }) => sum + durationMs, 0);
      expect([totalCalls, successes, failures]).toEqual([own.length, answers.length, failed]);
      expect(avgResponseTimeMs).toBe(Math.round(took / answers.length));
      expect(failureReasons).toEqual(failed === 0 ? {} : { overloaded: failed });
    }
  });

  it('when sessions are listed, then turns, requests, switches and money of each agree', async () => {
    const { entries, total } = await handlers()['sessions.list']({ search: '', before: null, limit: 100 });
    const own = groups(all, ({ session }) => session);
    expect(total).toBe(Object.keys(own).length);
    const shown = entries.map(({ session, turns, answered, lost, saved, attempts, switches, cost }) => [
      session,
      { turns, answered, lost, saved, attempts, switches, cost: cost === null ? null : Math.round(cost * 1e9) / 1e9 },
    ]);
    const expected = Object.entries(own).map(([session, counted]) => {
      const { total: turns, answered, saved, switches } = turnsOf(counted);
      const { attempts, cost } = sumsOf(counted);
      return [session, { turns, answered, lost: turns - answered, saved, attempts, switches, cost }];
    });
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
  });

  it.each([
    ['all', {}, () => true],
    ['one session', { session: 'ses_10' }, ({ session }: Row) => session === 'ses_10'],
  ] as const)(
    'when the scorecard of %s is exported, then its figures, as JSON and as CSV, agree',
    async (_, range, isIn) => {
      const counted = within(all, isIn);
      const text = async (format: 'json' | 'csv') => (await handlers()['scorecard.export']({ ...range, format })).text;
      const { totals, models } = JSON.parse(await text('json')) as Awaited<
        ReturnType<Opened['core']['host']['handlers']['scorecard.get']>
      >;
      const { attempts, answered, failed, tokens, cost } = sumsOf(counted);
      const turns = turnsOf(counted);
      expect(totals).toMatchObject({
        ...{ totalCalls: attempts, successes: answered, failures: failed, tokens },
        turns: { total: turns.total, answered: turns.answered, saved: turns.saved, firstTry: turns.firstTry },
      });
      expect(totals.cost.total).toBeCloseTo(cost ?? 0, 6);
      expect(Object.fromEntries(models.map(({ model, totalCalls }) => [model, totalCalls]))).toEqual(
        counts(counted.requests, ({ model }) => model),
      );
      const lines = (await text('csv')).trim().split('\r\n').slice(1);
      const expected = counted.requests.map((one) => {
        const cells = [
          new Date(one.at).toISOString(),
          one.session,
          one.turn,
          one.agent,
          one.model,
          one.position + 1,
          'turn',
        ];
        const end = one.end === 'answered' ? ['success', '', ''] : ['failure', 'overloaded', one.status];
        return [...cells, ...end, one.durationMs, one.firstTokenMs ?? ''].join(',');
      });
      expect(lines.toSorted()).toEqual(expected.toSorted());
    },
  );
});
