import { stat } from 'node:fs/promises';
import * as z from 'zod';
import type { Snapshot } from '../contract';
import { createCore } from '../core/core';
import { asSynced } from '../engine/tools';
import { nodeClock } from './clock';
import { healthPath, readHealth } from './health-file';
import { logPath, readLog } from './own-data';
import { readPrivateJson } from './private-folder';

/** What the files of a state home say, where no core runs. */
export type LastKnown = Readonly<{
  snapshot: Snapshot;
  /** When something was last written, in Unix ms. */
  at: number;
}>;

/** Larger files are not ours. */
const HEALTH_MAX_BYTES = 1_048_576;

/**
 * What is known while no core runs: its log, played again as if it were there, and what companions have shared since.
 * Writes nothing; null when there is nothing on disk.
 */
export async function lastKnown(home: string, app: Snapshot['app']): Promise<LastKnown | null> {
  const [logAt, healthAt] = await Promise.all([logPath(home), healthPath(home)].map(writtenAt));
  if (logAt == null && healthAt == null) return null;
  const clock = nodeClock();
  const log = { append: () => undefined, readAll: async () => ({ records: [] }) };
  const core = createCore({ clock, log, store: null, random: Math.random }, app);
  core.replay(await readLog(home));
  // A core takes the file away when companions have told it what is in there.
  const health = (healthAt ?? 0) > (logAt ?? 0) ? await sharedHealth(home) : null;
  if (health !== null) core.learned(asSynced(health, clock.now(), clock.wall() - clock.now()));
  const snapshot = await core.host.handlers['snapshot.get'](null);
  core.dispose();
  return { snapshot, at: Math.max(logAt ?? 0, healthAt ?? 0) };
}

async function sharedHealth(home: string) {
  const json = await readPrivateJson(healthPath(home), HEALTH_MAX_BYTES, z.unknown());
  const reading = readHealth(json);
  return typeof reading === 'string' ? null : reading.value;
}

const writtenAt = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
