import { stat } from 'node:fs/promises';
import * as z from 'zod';
import { type Found, healthPath, readHealth } from './health-file';
import { logPath } from './own-data';
import { readPrivateJson } from './private-folder';

/** Larger files are not ours. */
const MAX_BYTES = 1_048_576;

/** What is on disk of a state home in which no core runs. */
export type OnDisk = Readonly<{
  /** When something was last written, in Unix ms; null for never. */
  at: number | null;
  /** What companions have found out since the log of a core was last written; null for nothing. */
  news: Found | null;
}>;

/** Looks for what companions have shared since a core last ran: one that has heard of it takes the file away. Never rejects. */
export async function readOnDisk(home: string): Promise<OnDisk> {
  const [logAt, healthAt] = await Promise.all([logPath(home), healthPath(home)].map(writtenAt));
  const isNews = healthAt != null && healthAt > (logAt ?? 0);
  const at = logAt == null && healthAt == null ? null : Math.max(logAt ?? 0, healthAt ?? 0);
  return { at, news: isNews ? await sharedHealth(home) : null };
}

async function sharedHealth(home: string): Promise<Found | null> {
  const json = await readPrivateJson(healthPath(home), MAX_BYTES, z.unknown());
  const reading = readHealth(json);
  return typeof reading === 'string' ? null : reading.value;
}

const writtenAt = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
