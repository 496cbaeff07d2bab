import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, storePath } from '../../src/node/store/open-store';
import { COMPANION, openTestCore, virtualClock } from '../core/virtual-core';
import { NOW, tellHistory } from './usage-story';

export async function openUsageCore(days = 14) {
  const root = await mkdtemp(join(tmpdir(), 'understudy-usage-'));
  const clock = virtualClock();
  const { store, notice } = await openStore({ path: storePath(root), wall: clock.wall });
  if (!store) throw new Error(notice ?? 'no store');
  const { core } = openTestCore(clock, store);
  core.connected(COMPANION);
  let seq = 0;
  tellHistory((at, event) => core.told('i1', { seq: ++seq, ageMs: NOW - at, sentAt: NOW, event }), days);
  core.flush();
  await store.flush();
  return {
    core,
    store,
    path: storePath(root),
    async close() {
      core.dispose();
      await store.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
