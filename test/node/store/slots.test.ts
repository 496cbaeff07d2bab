import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoreBatch, StoreRow } from '../../../src/core/base/store-rows';
import { emptyScorecard, openPartOf } from '../../../src/engine/scorecard';
import { openDatabase } from '../../../src/node/store/driver';
import { keepSteps } from '../../../src/node/store/keep';
import { migrate } from '../../../src/node/store/schema';
import { START } from '../../core/virtual-core';
import { runs } from '../../support/runs';
import { look, newPath, open } from './store-support';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What a home may go through: a model is asked, or reported on, its detail goes, or the app starts anew. */
type Happening = Readonly<{ what: 'asked' | 'used' | 'imported' | 'forgotten' | 'restarted'; model: number }>;

const happening: fc.Arbitrary<Happening> = fc.record({
  what: fc.constantFrom('asked', 'asked', 'used', 'imported', 'forgotten', 'restarted'),
  model: fc.nat(11),
});

const nameOf = (model: number): string => `provider-${model % 3}/model-${model}`;
const speaker = { turn: 't', session: 's', agent: 'build', position: 0, purpose: 'turn' } as const;
const tokens = { input: 1, output: 1, reasoning: 0, cacheRead: 0, cacheWrite: 0 };

const rowOf = (n: number, { what, model }: Happening): StoreRow =>
  what === 'used'
    ? { type: 'used', ...speaker, model: nameOf(model), ...tokens, costNanos: 1, at: START + n * HOUR_MS }
    : { type: 'attempt.started', attempt: `a${n}`, ...speaker, model: nameOf(model), at: START + n * HOUR_MS };

const batchOf = (cursor: number, row: StoreRow): StoreBatch => ({
  cursor,
  rows: [row],
  cells: [],
  open: openPartOf(emptyScorecard()),
});

/** What must be so: models in the order in which they were first seen. */
const inOrder = (happenings: readonly Happening[]): string[] => [
  ...new Set(
    happenings.filter(({ what }) => what !== 'forgotten' && what !== 'restarted').map(({ model }) => nameOf(model)),
  ),
];

async function live(happenings: readonly Happening[]): Promise<readonly string[][]> {
  const path = await newPath();
  let store = await open(path);
  const seen: string[][] = [];
  for (const [n, one] of happenings.entries()) {
    if (one.what === 'restarted') {
      await store.close();
      store = await open(path);
    } else if (one.what === 'forgotten') {
      await store.flush();
      const database = openDatabase(path);
      if (!database) throw new Error('no SQLite here');
      for (const _ of keepSteps(database, START + n * HOUR_MS + 60 * DAY_MS, { detailDays: 1, maxBytes: 1e9 }));
      database.close();
    } else if (one.what === 'imported') {
      const answer = { at: START + n * HOUR_MS, durationMs: 1, agent: 'build', isAnswer: true, tokens, costNanos: 1 };
      await store.takeIn([{ ...answer, model: nameOf(one.model) }]);
    } else store.write(batchOf(n, rowOf(n, one)));
    await store.flush();
    const slots = store.slots() ?? [];
    expect(slots.map(({ slot }) => slot)).toEqual(slots.map((_, at) => at));
    seen.push(slots.map(({ model }) => model));
  }
  await store.close();
  return seen;
}

describe('given homes in which models are asked, used, imported, forgotten and started anew in any order', () => {
  it('when a model is seen for the first time, then it gets the next number, and nobody’s number ever changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 20 }), async (happenings) => {
        const seen = await live(happenings);
        for (const [at, models] of seen.entries()) expect(models).toEqual(inOrder(happenings.slice(0, at + 1)));
      }),
      { numRuns: runs(100, 5) },
    );
  });
});

describe('given a store of the version before models had numbers', () => {
  it('when it is opened, then models have numbers in the order of their first hours, imported ones included', async () => {
    const path = await newPath();
    const database = openDatabase(path);
    if (!database) throw new Error('no SQLite here');
    migrate(database, 7);
    const hour = Math.floor(START / HOUR_MS);
    for (const [model, first] of [
      ['b/late', 9],
      ['a/same', 5],
      ['a/first', 1],
      ['b/same', 5],
    ] as const)
      for (const later of [7, 0])
        database.run(
          'INSERT INTO rollups (hour, model, provider, agent, position, success) VALUES (?, ?, ?, ?, ?, 1)',
          [hour + first + later, model, 'a', 'build', 0],
        );
    database.close();
    await (await open(path)).close();
    expect(look(path, 'SELECT model, slot FROM model_slots ORDER BY slot')).toEqual([
      { model: 'a/first', slot: 0 },
      { model: 'a/same', slot: 1 },
      { model: 'b/same', slot: 2 },
      { model: 'b/late', slot: 3 },
    ]);
  });
});
