import type { PanelHost } from '../../contract/contract';
import type { Snapshot } from '../../contract/snapshot';
import { createCore } from '../../core/core';
import { nodeClock } from '../base/clock';
import { learnedFrom } from './health-file';
import { readOnDisk } from './on-disk';
import { readLog } from './own-data';

export type LastKnown = Readonly<{
  snapshot: Snapshot;
  /** Last write, in Unix ms. */
  at: number;
}>;

/** The state while no core runs; null with nothing on disk. */
export const lastKnown = (home: string, app: Snapshot['app']): Promise<LastKnown | null> =>
  withLastKnown(home, app, async (_, last) => last);

export async function withLastKnown<Value>(
  home: string,
  app: Snapshot['app'],
  use: (host: PanelHost, last: LastKnown) => Promise<Value>,
): Promise<Value | null> {
  const { at, news } = await readOnDisk(home);
  if (at === null) return null;
  const clock = nodeClock();
  const log = { append: () => undefined, readAll: async () => ({ records: [] }) };
  const core = createCore({ clock, log, store: null, random: Math.random }, app);
  core.replay(await readLog(home));
  if (news !== null) core.learned(learnedFrom(news, clock, { words: true }));
  const snapshot = await core.host.handlers['snapshot.get'](null);
  const value = await use(core.host, { snapshot, at });
  core.dispose();
  return value;
}
