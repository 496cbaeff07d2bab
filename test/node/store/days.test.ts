import { describe, expect, it } from 'vitest';
import { type CellRow, ledgerOf, reportOf, unwatchedCell } from '../../../src/engine/scorecard';
import { addUpDays } from '../../../src/node/store/days';
import { type Database, openDatabase } from '../../../src/node/store/driver';
import { importSteps } from '../../../src/node/store/imported';
import { lastDay, readFigures } from '../../../src/node/store/read';
import { inTransaction, migrate } from '../../../src/node/store/schema';
import { writeCell } from '../../../src/node/store/write';
import { newPath } from './store-support';

const DAY = 20_000;
const FIRST = DAY * 24;
const MODELS = ['acme/one', 'globex/two'] as const;

const cellAt = (hour: number, model: string): CellRow => ({
  session: null,
  serial: 0,
  hour,
  model,
  cell: unwatchedCell({
    tokens: { input: hour - FIRST + 1, output: 1, reasoning: 0, cacheRead: 0, cacheWrite: 0 },
    cost: 0.5,
    durationMs: 1_000 + hour - FIRST,
  }),
});

/** Figures of two models in every hour of four days, the first three of which are added up. */
async function fourDays(): Promise<Database> {
  const database = openDatabase(await newPath());
  if (!database) throw new Error('no SQLite here');
  migrate(database);
  inTransaction(database, () => {
    for (let hour = FIRST; hour < FIRST + 96; hour++)
      for (const model of MODELS) writeCell(database, cellAt(hour, model));
  });
  expect([...addUpDays(database, FIRST + 95)]).toHaveLength(3);
  return database;
}

const report = (database: Database, sinceHour: number, untilHour: number, isByDay: boolean) =>
  reportOf(ledgerOf(readFigures(database, { sinceHour, untilHour, isByDay })), { now: 0 }, null);

describe('given four days of 24 hours, three of which are added up', () => {
  it('when all of it is asked for by the day, then 3 days and 24 hours are read, and the report is that of 96 hours', async () => {
    const database = await fourDays();
    expect(readFigures(database, { isByDay: true })).toHaveLength((3 + 24) * MODELS.length);
    expect(readFigures(database, {})).toHaveLength(96 * MODELS.length);
    expect(report(database, 0, FIRST + 999, true)).toEqual(report(database, 0, FIRST + 999, false));
    database.close();
  });

  it.each([
    [0, 96],
    [1, 95],
    [23, 25],
    [5, 7],
    [24, 48],
    [30, 96],
    [0, 71],
  ])('when hours %i to %i are asked for by the day, then the report is that of these hours', async (since, until) => {
    const database = await fourDays();
    const range = [FIRST + since, FIRST + until] as const;
    expect(report(database, ...range, true)).toEqual(report(database, ...range, false));
    database.close();
  });

  it('when an hour of the second day changes, then that day and the third are added up again, with the change', async () => {
    const database = await fourDays();
    writeCell(database, { ...cellAt(FIRST + 30, MODELS[0]), cell: cellAt(FIRST + 90, MODELS[0]).cell });
    expect(lastDay(database)).toBe(DAY);
    expect(report(database, 0, FIRST + 999, true)).toEqual(report(database, 0, FIRST + 999, false));
    expect([...addUpDays(database, FIRST + 95)]).toHaveLength(2);
    expect(report(database, 0, FIRST + 999, true)).toEqual(report(database, 0, FIRST + 999, false));
    database.close();
  });

  it('when answers of the day before them are imported, and of their own hours, then only the former count', async () => {
    const database = await fourDays();
    const tokens = { input: 7, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
    const answer = { durationMs: 5, model: MODELS[0], agent: 'build', isAnswer: true, tokens, costNanos: null };
    const answers = [FIRST - 20, FIRST - 1, FIRST + 3].map((hour) => ({ ...answer, at: hour * 3_600_000 }));
    const before = report(database, 0, FIRST + 999, false).overall.tokens.input;
    for (const _ of importSteps(database, answers));
    expect([...addUpDays(database, FIRST + 95)]).toHaveLength(4);
    const byDay = report(database, 0, FIRST + 999, true);
    expect(byDay.overall.tokens.input).toBe(before + 14);
    expect(byDay).toEqual(report(database, 0, FIRST + 999, false));
    database.close();
  });
});
