import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogRecord } from '../../src/core/base/record';
import { createCore } from '../../src/core/core';
import { emptyScorecard, openPartOf } from '../../src/engine/scorecard';
import { nodeClock } from '../../src/node/base/clock';
import { openStore } from '../../src/node/store/open-store';
import { manyEvents } from './many-events';

const STEP_MS = 20_000;

export async function openManyEvents(count: number) {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-events-'));
  const { store, notice } = await openStore({ path: join(folder, 'history.db') });
  if (!store) throw new Error(notice ?? 'no store');
  const rows = [...manyEvents(count, Date.now() - 60_000, STEP_MS)];
  store.write({ cursor: 0, rows, cells: [], open: openPartOf(emptyScorecard()) });
  await store.flush();
  const records: LogRecord[] = [];
  const core = createCore(
    {
      clock: nodeClock(),
      log: { append: (record) => records.push(record), readAll: async () => ({ records }) },
      store,
      random: () => 0.5,
    },
    { version: '0.1.0', runtime: 'panel' },
  );
  core.connected({ instance: 'one', epoch: 'e1', pid: 42, opencode: '1.18.33', plugin: '0.1.0' });
  return {
    core,
    async close() {
      core.dispose();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
