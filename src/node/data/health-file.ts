import { join } from 'node:path';
import * as z from 'zod';
import { ClockReading, setMs } from '../../core/base/clock-reading';
import { watchClock } from '../../core/ports/clock-watch';
import type { Clock } from '../../core/ports/ports';
import type { SyncedHealth } from '../../engine';
import { asSynced, type SharedHealth, type SharedWords, shiftShared, shiftWords } from '../../engine/tools';
import { asSharedHealth, SharedHealth as Schema, SharedWords as Words } from '../../protocol';
import { openSharedFile, type Reading, type SharedFile } from '../base/shared-file';

/** Bump when an older companion could not read what this one writes. */
const VERSION = 1;

/** Where companions share health while no app is there, and the app writes down what it knows while it is. */
export const healthPath = (home: string): string => join(home, 'health.json');

/** What has been found out, by processes without an app or by the app. */
export type Found = Readonly<{
  health: SharedHealth;
  /** Who has written it, as process ids; those that have ended may be left out. */
  by: readonly number[];
  /** An app wrote it, whose log holds all of it. */
  isApps?: boolean;
  /** What people have said when an app last wrote it; absent where none has, or an older version did. */
  words?: SharedWords | undefined;
  /** What the clocks said when it was written: the moments in it are of that wall clock. An older version does not say it. */
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
    // An older companion does not say it.
    by: z.array(z.int().positive()).max(1_000).catch([]),
    app: z.boolean().optional(),
    said: Words.optional().catch(undefined),
    clock: ClockReading.optional().catch(undefined),
  }),
);

/** Opens the file in a state home; `onUnreadable` hears once why it could not be read. */
export const openHealthFile = (home: string, onUnreadable: (message: string) => void): SharedFile<Found> =>
  openSharedFile({
    path: healthPath(home),
    parse: readHealth,
    write: healthJson,
    onUnreadable,
    loss: 'What others had found out about models is not taken in.',
  });

/** The health of a file on the wall clock as `now` reads it: somebody may have set it since the file was written. */
export function healthAt(found: Found, now: ClockReading | null): SharedHealth {
  const movedMs = movedSince(found, now);
  return movedMs === 0 ? found.health : shiftShared(found.health, movedMs);
}

export function wordsAt(found: Found, now: ClockReading | null): SharedWords | undefined {
  return found.words && shiftWords(found.words, movedSince(found, now));
}

const movedSince = ({ clock }: Found, now: ClockReading | null): number =>
  now && clock ? Math.round(setMs(clock, now)) : 0;

/** What a file says, as a process takes it in now. @param words what people have said, for a reader that has no app. */
export function learnedFrom(
  found: Found,
  clock: Pick<Clock, 'now' | 'wall' | 'uptime'>,
  { words = false }: Readonly<{ words?: boolean }> = {},
): SyncedHealth {
  const time = watchClock(clock);
  const read = time.read();
  return asSynced(healthAt(found, read), clock.now(), time.offsetMs(), (words && wordsAt(found, read)) || null);
}

/** The same with the counts of `own`. Limits, blocks and open circuits hold whoever tells them. */
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

/** How long news waits for more of it before it is written to the file, in ms. */
export const WRITE_AFTER_MS = 15;

export function readHealth(json: unknown): Reading<Found> {
  const content = StoredHealth.safeParse(json);
  if (content.success) {
    const { health, by, app, said, clock = null } = content.data;
    return { value: { health: asSharedHealth(health), by, clock, words: said, ...(app ? { isApps: true } : {}) } };
  }
  return (Versioned.safeParse(json).data?.v ?? 0) > VERSION ? 'newer' : 'damaged';
}
