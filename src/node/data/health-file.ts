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

/** Without an app, companions share health here. */
export const healthPath = (home: string): string => join(home, 'health.json');

export type Found = Readonly<{
  health: SharedHealth;
  /** Ended processes may be missing. */
  by: readonly number[];
  /** An app wrote the file, and its log holds all of it. */
  isApps?: boolean;
  words?: SharedWords | undefined;
  /** The wall clock of the file's times; missing in older versions. */
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
    by: z.array(z.int().positive()).max(1_000).catch([]),
    app: z.boolean().optional(),
    said: Words.optional().catch(undefined),
    clock: ClockReading.optional().catch(undefined),
  }),
);

export const openHealthFile = (home: string, onUnreadable: (message: string) => void): SharedFile<Found> =>
  openSharedFile({
    path: healthPath(home),
    parse: readHealth,
    write: healthJson,
    onUnreadable,
    loss: 'Other processes’ results about models are ignored.',
  });

/** Corrects for a clock that was set since the write. */
export function healthAt(found: Found, now: ClockReading | null): SharedHealth {
  const movedMs = movedSince(found, now);
  return movedMs === 0 ? found.health : shiftShared(found.health, movedMs);
}

export function wordsAt(found: Found, now: ClockReading | null): SharedWords | undefined {
  return found.words && shiftWords(found.words, movedSince(found, now));
}

const movedSince = ({ clock }: Found, now: ClockReading | null): number =>
  now && clock ? Math.round(setMs(clock, now)) : 0;

/** @param words include what users set. */
export function learnedFrom(
  found: Found,
  clock: Pick<Clock, 'now' | 'wall' | 'uptime'>,
  { words = false }: Readonly<{ words?: boolean }> = {},
): SyncedHealth {
  const time = watchClock(clock);
  const read = time.read();
  return asSynced(healthAt(found, read), clock.now(), time.offsetMs(), (words && wordsAt(found, read)) || null);
}

/** Counts come from `own`; limits, blocks and open circuits from every source. */
export const withCountsOf = (own: SyncedHealth, { models, providers, ...rest }: SyncedHealth): SyncedHealth => ({
  ...rest,
  models: counted(models, own.models),
  providers: counted(providers, own.providers),
});

function counted(reported: SyncedHealth['models'], own: SyncedHealth['models']): SyncedHealth['models'] {
  const existing = new Map(own);
  return reported.map(([key, health]) => {
    const { breaker: counts, calls = 0, failed = 0 } = existing.get(key) ?? {};
    const isSame = counts?.kind === 'closed' && counts.generation === health.breaker.generation;
    const failures = isSame ? counts.failures : [];
    const breaker = health.breaker.kind === 'closed' ? { ...health.breaker, failures } : health.breaker;
    return [key, { ...health, breaker, calls, failed }];
  });
}

export const WRITE_AFTER_MS = 15;

export function readHealth(json: unknown): Reading<Found> {
  const content = StoredHealth.safeParse(json);
  if (content.success) {
    const { health, by, app, said: reports, clock = null } = content.data;
    return { value: { health: asSharedHealth(health), by, clock, words: reports, ...(app ? { isApps: true } : {}) } };
  }
  return (Versioned.safeParse(json).data?.v ?? 0) > VERSION ? 'newer' : 'damaged';
}
