import { join } from 'node:path';
import * as z from 'zod';
import { ClockReading, setMs } from '../../core/base/clock-reading';
import { watchClock } from '../../core/ports/clock-watch';
import type { Clock } from '../../core/ports/ports';
import type { SyncedHealth } from '../../engine';
import { asSynced, type SharedHealth, type SharedWords, shiftShared, shiftWords } from '../../engine/tools';
import { asSharedHealth, SharedHealth as Schema, SharedWords as Words } from '../../protocol';
import { openSharedFile, type Reading, type SharedFile } from '../base/shared-file';

/** Increase when an older companion could not read the new format. */
const VERSION = 1;

/** Companions share health here without an app; a running app writes its own health here. */
export const healthPath = (home: string): string => join(home, 'health.json');

/** Health that processes without an app or the app found. */
export type Found = Readonly<{
  health: SharedHealth;
  /** Process ids of the writers; ended ones may be missing. */
  by: readonly number[];
  /** An app wrote the file, and its log holds all of it. */
  isApps?: boolean;
  /** What users set when an app last wrote the file; absent if nothing is set or an older version wrote it. */
  words?: SharedWords | undefined;
  /** Clock readings at the write: times in the file use that wall clock. Older versions omit it. */
  clock?: ClockReading | null;
}>;

export const healthJson = ({ health, by, isApps, words, clock }: Found): unknown => ({
  v: VERSION,
  health,
  by,
  ...(isApps ? { app: true } : {}),
  ...(words ? { said: words } : {}),
  ...(clock ? { clock } : {}),
});

const Versioned = z.lazy(() => z.object({ v: z.number() }));
export const StoredHealth = z.lazy(() =>
  z.object({
    v: z.literal(VERSION),
    health: Schema,
    // Older companions omit it.
    by: z.array(z.int().positive()).max(1_000).catch([]),
    app: z.boolean().optional(),
    said: Words.optional().catch(undefined),
    clock: ClockReading.optional().catch(undefined),
  }),
);

/** Opens the file in a state home; calls `onUnreadable` once if it cannot be read. */
export const openHealthFile = (home: string, onUnreadable: (message: string) => void): SharedFile<Found> =>
  openSharedFile({
    path: healthPath(home),
    parse: readHealth,
    write: healthJson,
    onUnreadable,
    loss: 'What others had found out about models is not taken in.',
  });

/** Returns a file's health on the current wall clock, which may have been set since the file was written. */
export function healthAt(found: Found, now: ClockReading | null): SharedHealth {
  const movedMs = movedSince(found, now);
  return movedMs === 0 ? found.health : shiftShared(found.health, movedMs);
}

export function wordsAt(found: Found, now: ClockReading | null): SharedWords | undefined {
  return found.words && shiftWords(found.words, movedSince(found, now));
}

const movedSince = ({ clock }: Found, now: ClockReading | null): number =>
  now && clock ? Math.round(setMs(clock, now)) : 0;

/**
 * Returns a file's contents for use in this process.
 * @param words include what users set, for a reader without an app.
 */
export function learnedFrom(
  found: Found,
  clock: Pick<Clock, 'now' | 'wall' | 'uptime'>,
  { words = false }: Readonly<{ words?: boolean }> = {},
): SyncedHealth {
  const time = watchClock(clock);
  const read = time.read();
  return asSynced(healthAt(found, read), clock.now(), time.offsetMs(), (words && wordsAt(found, read)) || null);
}

/** Returns the same health with the counts of `own`. Limits, blocks and open circuits count from every source. */
export const withCountsOf = (own: SyncedHealth, { models, providers, ...rest }: SyncedHealth): SyncedHealth => ({
  ...rest,
  models: counted(models, own.models),
  providers: counted(providers, own.providers),
});

function counted(told: SyncedHealth['models'], own: SyncedHealth['models']): SyncedHealth['models'] {
  const known = new Map(own);
  return told.map(([key, health]) => {
    const { breaker: counts, calls = 0, failed = 0 } = known.get(key) ?? {};
    const isSame = counts?.kind === 'closed' && counts.generation === health.breaker.generation;
    const failures = isSame ? counts.failures : [];
    const breaker = health.breaker.kind === 'closed' ? { ...health.breaker, failures } : health.breaker;
    return [key, { ...health, breaker, calls, failed }];
  });
}

/** Time that changes wait for more before they are written to the file, in ms. */
export const WRITE_AFTER_MS = 15;

export function readHealth(json: unknown): Reading<Found> {
  const content = StoredHealth.safeParse(json);
  if (content.success) {
    const { health, by, app, said, clock = null } = content.data;
    return { value: { health: asSharedHealth(health), by, clock, words: said, ...(app ? { isApps: true } : {}) } };
  }
  return (Versioned.safeParse(json).data?.v ?? 0) > VERSION ? 'newer' : 'damaged';
}
