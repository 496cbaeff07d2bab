import { describe, expect, it } from 'vitest';
import type { EventFilter } from '../../../src/contract/events';
import type { StoreRow } from '../../../src/core/base/store-rows';
import { createEventDesk } from '../../../src/core/history/event-desk';
import { emptyScorecard, openPartOf } from '../../../src/engine/scorecard';
import { type Database, drivers, openDatabase } from '../../../src/node/store/driver';
import { eventsIn } from '../../../src/node/store/read-events';
import { migrate } from '../../../src/node/store/schema';
import { writeBatch } from '../../../src/node/store/write';
import {
  CHAIN,
  COMPANION,
  configured,
  openTestCore,
  START,
  SWITCHED_TURN,
  virtualClock,
} from '../../core/virtual-core';
import { eventOf, manyEvents } from '../../support/many-events';
import { newPath, olderStore, open } from './store-support';

const COUNT = 1_000;
const write = (database: Database, rows: Iterable<StoreRow>): void =>
  void writeBatch(database, { cursor: 1, rows: [...rows], cells: [], open: openPartOf(emptyScorecard()) });

/** One of every way to look for events, and some together. */
const FILTERS: readonly EventFilter[] = [
  {},
  { codes: ['switch'] },
  { codes: ['swit'] },
  { codes: ['reset.model', 'switch.rate_limit'] },
  { codes: [] },
  { kinds: ['rate_limit'] },
  { kinds: ['auth'] },
  { agent: 'build' },
  { model: 'openai/gpt-5' },
  { provider: 'openai' },
  { provider: 'open' },
  { session: 'ses_3' },
  { actor: 'panel' },
  { actor: 'rules' },
  { text: 'NUMBER 505' },
  { text: '%' },
  { text: 'ses_2' },
  { sinceMs: START - 100_000 },
  { untilMs: START - 100_000 },
  { codes: ['switch'], provider: 'google', agent: 'build', text: 'limit', sinceMs: START - 5_000_000 },
];

describe.each(drivers().map((driver) => [driver.name, driver] as const))(
  'given 1000 events in a store of %s',
  (_, driver) => {
    const filled = async () => {
      const database = openDatabase(await newPath(), driver);
      if (!database) throw new Error('no SQLite here');
      migrate(database);
      write(database, manyEvents(COUNT, START, 20_000));
      return createEventDesk(() => [], eventsIn(database));
    };
    const inMemory = createEventDesk(
      () => Array.from({ length: COUNT }, (_, at) => eventOf(at + 1, START - (COUNT - at - 1) * 20_000)),
      null,
    );

    it.each(FILTERS.map((filter) => [JSON.stringify(filter), filter] as const))(
      'when those of %s are asked for, then they and their counts are the same as memory would find',
      async (_, filter) => {
        const desk = await filled();
        const page = { filter, limit: 500, offset: 3 };
        expect(desk.page(page).events).toEqual(inMemory.page(page).events);
        expect(desk.page(page).total).toBe(inMemory.page(page).total);
        expect(desk.counts(filter)).toEqual(inMemory.counts(filter));
      },
    );

    it('when pages are asked for, then they have no gap, newest first, and new ones change no place', async () => {
      const desk = await filled();
      const all = desk.page({ limit: 500 }).events.concat(desk.page({ limit: 500, before: 501 }).events);
      expect(all.map(({ id }) => id)).toEqual(Array.from({ length: COUNT }, (_, at) => COUNT - at));
      expect(desk.page({ before: 801, offset: 100, limit: 2 }).events.map(({ id }) => id)).toEqual([700, 699]);
      expect(desk.page({ after: 997, limit: 0 })).toMatchObject({ events: [], total: 3, newest: COUNT });
      expect(desk.page({ limit: 1, isBrief: true }).events[0]?.trace).toEqual([]);
    });

    it('when an import adds older ones, then each stands at its time, and one between two has its place', async () => {
      const database = openDatabase(await newPath(), driver);
      if (!database) throw new Error('no SQLite here');
      migrate(database);
      const rows = [0, 20, -10, 10].map((minutes, at) => eventOf(at + 1, START + minutes * 60_000));
      write(
        database,
        rows.map((row) => ({ type: 'event', row })),
      );
      const desk = createEventDesk(() => [], eventsIn(database));
      expect(desk.page({}).events.map(({ id }) => id)).toEqual([2, 4, 1, 3]);
      expect(desk.page({ before: 4, offset: 1, limit: 1 }).events.map(({ id }) => id)).toEqual([1]);
    });
  },
);

describe('given a store of version 5, whose numbers began anew', () => {
  it('when it is opened, then its events have numbers of their own, in order, and can be looked for', async () => {
    const rows = [eventOf(7, START), eventOf(5, START + 1), eventOf(5, START + 2)];
    const path = await olderStore(
      5,
      rows.map((row) => `INSERT INTO events VALUES (${row.at}, '${row.code}', null, '${JSON.stringify(row)}')`),
    );
    const { events } = await open(path);
    const query = { before: 100, after: 0, offset: 0, limit: 10 };
    expect(events.page({ ...query, filter: {} }).map(({ id, at }) => [id, at - START])).toEqual([
      [3, 2],
      [2, 1],
      [1, 0],
    ]);
    expect(events.count({ ...query, filter: { agent: 'plan' } })).toBe(2);
  });
});

describe('given a core whose app is started anew', () => {
  it('when more happens, then the numbers go on, the last rows are there, and an old event is explained from the history', async () => {
    const path = await newPath();
    const first = await open(path);
    const one = openTestCore(virtualClock(), first);
    one.core.connected(COMPANION);
    one.tell(configured());
    for (const event of SWITCHED_TURN) one.tell(event);
    one.core.flush();
    await first.close();
    const told = await (await open(path)).events.page({ filter: {}, before: 1e9, after: 0, offset: 0, limit: 100 });
    expect(told.find(({ code }) => code === 'switch.rate_limit')).toMatchObject({ durationMs: 31, agent: 'build' });

    const second = await open(path);
    const two = openTestCore(virtualClock(START + 60_000), second);
    two.core.replay(one.log);
    const { events } = (await two.core.host.handlers['events.page']({
      filter: {},
      offset: 0,
      limit: 100,
      isBrief: false,
    })) as { events: { id: number; code: string }[] };
    const ids = events.map(({ id }) => id);
    expect(ids).toEqual(ids.map((_, at) => ids.length - at));
    expect(events.slice(-told.length).map(({ code }) => code)).toEqual(told.map(({ code }) => code));
    const switched = events.find(({ code }) => code === 'switch.rate_limit');
    const explained = await two.core.host.handlers['decision.explain']({ event: switched?.id ?? 0 });
    expect(explained).toMatchObject({
      event: { code: 'switch.rate_limit', trace: [{ model: CHAIN[0] }, {}, {}] },
      asked: [{ model: CHAIN[0], outcome: 'limited', status: 429 }, {}],
    });
    expect(await two.core.host.handlers['decision.explain']({ event: 1e6 })).toBeNull();
  });
});
