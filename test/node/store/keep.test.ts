import { describe, expect, it } from 'vitest';
import type { StoreRow } from '../../../src/core/base/store-rows';
import { emptyScorecard, openPartOf } from '../../../src/engine/scorecard';
import { type Database, openDatabase } from '../../../src/node/store/driver';
import { type Keeping, keepSteps, sizeOf } from '../../../src/node/store/keep';
import { START } from '../../core/virtual-core';
import { patiently } from '../../support/eventually';
import { look, newPath, open } from './store-support';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = START + 40 * DAY;

function attempt(id: string, at: number, outcome: 'success' | 'failure' | null): StoreRow[] {
  const speaker = { session: 's1', turn: 't1', agent: 'build', model: 'acme/one', position: 0 };
  const start: StoreRow = { type: 'attempt.started', attempt: id, ...speaker, purpose: 'turn', at };
  if (outcome === null) return [start];
  const said = { kind: null, status: null, message: null, durationMs: 100, firstTokenMs: null };
  return [start, { type: 'attempt.ended', attempt: id, outcome, ...said }];
}
const used = (at: number, costNanos: number | null): StoreRow => ({
  type: 'used',
  session: 's1',
  turn: 't1',
  agent: 'build',
  model: 'acme/one',
  position: 0,
  purpose: 'turn',
  input: 10,
  output: 5,
  reasoning: 1,
  cacheRead: 2,
  cacheWrite: 3,
  costNanos,
  at,
});

const keep = (database: Database, now: number, keeping: Keeping): number =>
  [...keepSteps(database, now, keeping)].length;

async function filled(rows: readonly StoreRow[]) {
  const path = await newPath();
  const store = await open(path);
  store.write({ cursor: 1, rows, cells: [], open: openPartOf(emptyScorecard()) });
  await store.close();
  const database = openDatabase(path);
  if (!database) throw new Error('no SQLite here');
  return { path, database };
}

describe('given 4 attempts and 2 reports of one hour 40 days ago, and one attempt of today', () => {
  const rows = [
    ...attempt('a1', START, 'success'),
    ...attempt('a2', START + 1, 'success'),
    ...attempt('a3', START + 2, 'failure'),
    ...attempt('a4', START + 3, null),
    used(START, 500),
    used(START + 1, null),
    ...attempt('a5', NOW, 'success'),
  ];
  const SUM = {
    hour: Math.floor(START / HOUR),
    model: 'acme/one',
    provider: 'acme',
    agent: 'build',
    position: 0,
    success: 2,
    slow: 0,
    failure: 1,
    limited: 0,
    neutral: 1,
    in_flight: 0,
    answered_ms: 200,
    input: 20,
    output: 10,
    reasoning: 2,
    cache_read: 4,
    cache_write: 6,
    reports: 2,
    priced: 1,
    cost_nanos: 500,
  };

  it('when 30 days are kept, then the old ones are one sum of their hour, and the new one is as it was', async () => {
    const { path, database } = await filled(rows);
    keep(database, NOW, { detailDays: 30, maxBytes: 1e9 });
    keep(database, NOW, { detailDays: 30, maxBytes: 1e9 });
    database.close();
    const old = `SELECT * FROM rollups WHERE hour < ${Math.floor(NOW / HOUR)}`;
    expect(look(path, old)).toEqual([SUM]);
    expect(look(path, 'SELECT attempt FROM attempts')).toEqual([{ attempt: 'a5' }]);
    expect(look(path, 'SELECT count(*) AS n FROM usage')).toEqual([{ n: 0 }]);
  });

  it('when an hour is only half over, then it stays as it is', async () => {
    const { path, database } = await filled(rows);
    keep(database, Math.ceil(NOW / HOUR) * HOUR - 1, { detailDays: 0, maxBytes: 1e9 });
    database.close();
    expect(look(path, 'SELECT attempt FROM attempts')).toEqual([{ attempt: 'a5' }]);
  });
});

describe('given 5 days with 300 attempts each', () => {
  it('when the file may have two thirds of its size, then the oldest days become sums and the newest stays', async () => {
    const days = [0, 1, 2, 3, 4].flatMap((day) =>
      Array.from({ length: 300 }, (_, n) => attempt(`${day}:${n}`, NOW - day * DAY, 'success')).flat(),
    );
    const { path, database } = await filled(days);
    const maxBytes = (sizeOf(database) * 2) / 3;
    keep(database, NOW, { detailDays: 30, maxBytes });
    expect(sizeOf(database)).toBeLessThanOrEqual(maxBytes);
    database.close();
    expect(look(path, 'SELECT sum(success) AS n FROM rollups')[0]?.n).toBeGreaterThanOrEqual(300);
    expect(look(path, `SELECT count(*) AS n FROM attempts WHERE at = ${NOW}`)).toEqual([{ n: 300 }]);
  });
});
describe('given a store that keeps everything, with an attempt of 40 days ago', () => {
  it('when only a day is to be kept from now on, then that attempt goes at once, its sum and new ones stay', async () => {
    const path = await newPath();
    const store = await open(path, { wall: () => NOW, keeping: { detailDays: 3_650, maxBytes: 2 ** 30 } });
    const rows = [...attempt('old', START, 'success'), ...attempt('new', NOW, 'success')];
    store.write({ cursor: 1, rows, cells: [], open: openPartOf(emptyScorecard()) });
    await store.flush();
    expect(store.extent().attempts).toBe(2);
    store.keepAs({ detailDays: 1, maxBytes: 2 ** 30 });
    await patiently(() => expect(store.extent().attempts).toBe(1));
    expect(look(path, 'SELECT success FROM rollups')).toEqual([{ success: 1 }, { success: 1 }]);
  });
});
