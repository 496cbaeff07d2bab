import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { SharedHealth } from '../engine/tools';
import { asSharedHealth, SharedHealth as Schema } from '../protocol';
import { logPath } from './own-data';
import { readPrivateJson } from './private-folder';
import type { Reading } from './shared-file';

/** Bump when an older companion could not read what this one writes. */
const VERSION = 1;

/** Where companions share health while no app is there. */
export const healthPath = (home: string): string => join(home, 'health.json');

/** What processes without an app have found out. */
export type Found = Readonly<{
  health: SharedHealth;
  /** Who has written it, as process ids; those that have ended may be left out. */
  by: readonly number[];
}>;

/** What was found as its file holds it. */
export const healthJson = ({ health, by }: Found): unknown => ({ v: VERSION, health, by });

const Versioned = z.object({ v: z.number() });
const Content = z.object({
  v: z.literal(VERSION),
  health: Schema,
  // An older companion does not say it.
  by: z.array(z.int().positive()).max(1_000).catch([]),
});

/** Reads what {@link healthJson} has made, by this version or another. */
export function readHealth(json: unknown): Reading<Found> {
  const content = Content.safeParse(json);
  if (content.success) return { value: { health: asSharedHealth(content.data.health), by: content.data.by } };
  return (Versioned.safeParse(json).data?.v ?? 0) > VERSION ? 'newer' : 'damaged';
}

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
