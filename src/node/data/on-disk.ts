import * as z from 'zod';
import { statOrNull } from '../base/look';
import { readPrivateJson } from '../base/private-folder';
import { type Found, healthPath, readHealth } from './health-file';
import { logPath } from './own-data';

const MAX_BYTES = 1_048_576;

export type OnDisk = Readonly<{
  /** Last write, in Unix ms. */
  at: number | null;
  /** Null if nothing is new since a core last ran. */
  news: Found | null;
}>;

/** Never rejects. */
export async function readOnDisk(home: string): Promise<OnDisk> {
  const [logAt, healthAt] = await Promise.all([logPath(home), healthPath(home)].map(writtenAt));
  // File times do not decide: the clock may have been set.
  const news = healthAt === null ? null : await sharedHealth(home);
  const times = [logAt, news?.isApps ? null : healthAt].filter((at) => at != null);
  return { at: times.length > 0 ? Math.max(...times) : null, news: news?.isApps ? null : news };
}

async function sharedHealth(home: string): Promise<Found | null> {
  const json = await readPrivateJson(healthPath(home), MAX_BYTES, z.unknown());
  const reading = readHealth(json);
  return typeof reading === 'string' ? null : reading.value;
}

const writtenAt = async (path: string): Promise<number | null> => (await statOrNull(path))?.mtimeMs ?? null;
