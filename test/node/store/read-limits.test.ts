import { describe, expect, it } from 'vitest';
import type { LimitSample, StoreRow } from '../../../src/core/base/store-rows';
import { emptyScorecard, openPartOf } from '../../../src/engine/scorecard';
import { STORE_VERSION } from '../../../src/node/store/schema';
import { START } from '../../core/virtual-core';
import { look, newPath, olderStore, open } from './store-support';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NAME = { account: 'anthropic', window: 'unified-5h', model: null } as const;

const sample = (at: number, used: number, change: Partial<LimitSample> = {}): StoreRow => ({
  ...{ type: 'limit.seen', ...NAME, at, used, resetAt: START + 5 * HOUR, lengthMs: 5 * HOUR },
  ...change,
});
const used = (session: string, model: string, at: number): StoreRow => ({
  ...{ type: 'used', session, turn: 't1', agent: 'build', model, position: 0, purpose: 'turn', at },
  ...{ input: 10, output: 5, reasoning: 2, cacheRead: 1_000, cacheWrite: 3, costNanos: null },
});
const seen = (session: string, parent: string | null): StoreRow => ({
  ...{ type: 'session.seen', session, parent, project: 'shop', at: START },
});
async function kept(rows: readonly StoreRow[], path?: string) {
  const store = await open(path ?? (await newPath()));
  store.write({ cursor: 1, rows, cells: [], open: openPartOf(emptyScorecard()) });
  await store.flush();
  return store;
}

describe('given samples of plans', () => {
  it('when one is asked for, then its own are told as they were written, oldest first; of a model apart from those of all', async () => {
    const store = await kept([
      sample(START, 0.1),
      sample(START + 1, 0.2, { lengthMs: null }),
      sample(START, 0.9, { window: 'unified-7d' }),
      sample(START, 0.8, { account: 'openai' }),
      sample(START + 2, 0.7, { model: 'anthropic/opus' }),
    ]);
    const own = { ...NAME, resetAt: START + 5 * HOUR };
    expect(store.limits(NAME)).toEqual([
      { ...own, at: START, used: 0.1, lengthMs: 5 * HOUR },
      { ...own, at: START + 1, used: 0.2, lengthMs: null },
    ]);
    expect(store.limits({ ...NAME, model: 'anthropic/opus' })).toMatchObject([{ used: 0.7, model: 'anthropic/opus' }]);
  });

  it('when they are older than detail is kept, then they leave', async () => {
    const path = await newPath();
    const before = await kept([sample(START - 2 * DAY, 0.1), sample(START, 0.2)], path);
    before.keepAs({ detailDays: 1, maxBytes: 1e9 });
    await before.flush();
    await expect.poll(() => look(path, 'SELECT used FROM limits')).toEqual([{ used: 0.2 }]);
  });

  it('when the file is one of an earlier version, then it takes them', async () => {
    const path = await olderStore(STORE_VERSION - 1, []);
    expect((await kept([sample(START, 0.1)], path)).limits(NAME)).toHaveLength(1);
  });
});

describe('given what sessions and their sub-agents used', () => {
  it('when it is asked for by provider, then sub-agents count for the conversation a person began, and nothing out of a cache', async () => {
    const store = await kept([
      seen('top', null),
      seen('child', 'top'),
      seen('grandchild', 'child'),
      used('top', 'anthropic/claude', START + 1),
      used('grandchild', 'anthropic/claude', START + 2),
      used('unknown', 'anthropic/claude', START + 3),
      used('top', 'anthropic-2/claude', START + 4),
      used('top', 'anthropic/claude', START + HOUR),
    ]);
    const found = store.usesOf({ provider: 'anthropic', sinceMs: START, untilMs: START + HOUR });
    expect(found.map(({ at, session, tokens }) => [at - START, session, tokens])).toEqual([
      [1, 'top', 20],
      [2, 'top', 20],
      [3, 'unknown', 20],
    ]);
  });

  it('when sessions name each other as the one that started them, then nothing is counted twice', async () => {
    const store = await kept([seen('a', 'b'), seen('b', 'a'), used('a', 'anthropic/claude', START)]);
    const found = store.usesOf({ provider: 'anthropic', sinceMs: START, untilMs: START + 1 });
    expect(found.map(({ session }) => session)).toEqual(['a']);
  });
});
