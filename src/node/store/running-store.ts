import { setImmediate as turn } from 'node:timers/promises';
import { countAs } from '../../core/base/internal-errors';
import { settled } from '../../core/base/settled';
import type { FiguresQuery, Store, StoreBatch, StoredEvents } from '../../core/base/store-rows';
import type { CellRow } from '../../engine/scorecard';
import { failureText } from '../base/failure';
import type { Database } from './driver';
import { type ImportedAnswer, importSteps } from './imported';
import { DEFAULT_KEEPING, type Keeping, keepSteps, sizeOf } from './keep';
import {
  readAttempts,
  readCard,
  readCursor,
  readExtent,
  readFamily,
  readFigures,
  readRefused,
  readTransitions,
} from './read';
import { eventsIn } from './read-events';
import { readLimits, readUsesOf } from './read-limits';
import { readLive } from './read-live';
import { readAgents, readModels, readSession, readSessions, readTurns, readUsed } from './read-sessions';
import { readOldestHour, readProjects, readSlots, readSums } from './read-sums';
import { type Refused, writeBatch } from './write';

const KEEP_EVERY_MS = 3_600_000;
/** Beyond this the store stops; the next start restores it from the log. */
const WAITING_MAX = 1_000;

/** For a feature with its own table in the file. */
export type StoreFile = Readonly<{
  /** Null while the file is being deleted. */
  database(): Database | null;
  whyReadOnly(): string | null;
  tell(notice: string): void;
}>;

export type OpenStore = Store &
  Readonly<{
    file: StoreFile;
    /** @returns the number of new answers. @throws SQLite's error. */
    takeIn(answers: readonly ImportedAnswer[]): Promise<number>;
    extent(): Extent;
    /** Drops waiting batches. @throws the system's error. */
    erase(): Promise<void>;
    keepAs(keeping: Keeping): void;
    /** Writes waiting batches first. */
    close(): Promise<void>;
  }>;

/** `refused`: changes that the file rejected since the start. */
export type Extent = Readonly<{
  driver: Database['driver'];
  bytes: number;
  attempts: number;
  oldestAt: number | null;
  refused: number;
}>;

export type RunningOptions = Readonly<{
  /** The log must never be behind the store. */
  beforeWrite?: () => Promise<unknown>;
  keeping?: Keeping;
  wall?: () => number;
  /** Called once per kind of problem. */
  tell?: (notice: string) => void;
  markDamage?: (reason: string) => void;
}>;

type Parts = RunningOptions &
  Readonly<{
    whyReadOnly: string | null;
    reopen(): Promise<Database>;
  }>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function runStore(first: Database, parts: Parts): OpenStore {
  const { wall = Date.now, tell = () => undefined } = parts;
  let keeping = parts.keeping ?? DEFAULT_KEEPING;
  let database = first;
  const waiting: StoreBatch[] = [];
  let work: Promise<unknown> = Promise.resolve();
  let { whyReadOnly } = parts;
  let isWriting = whyReadOnly === null;
  let isErasing = false;
  /** Erasing creates another file. */
  let files = 1;
  let isClosing = false;
  let isFailing = false;
  let keptAt = Number.NEGATIVE_INFINITY;
  let refused = 0;

  const enqueue = <R>(job: () => Promise<R>): Promise<R> => {
    const result = work.then(job);
    work = settled(result);
    return result;
  };
  const read = <T>(question: () => T): T | null => {
    try {
      return question();
    } catch (error) {
      parts.markDamage?.(failureText(error));
      return null;
    }
  };
  const leaveOut = (left: readonly Refused[]): void => {
    const [one] = left;
    if (one && refused === 0)
      tell(`The history rejected a change (${one.what}: ${one.reason}). The event log contains it.`);
    refused += left.length;
  };
  const writeWaiting = async (): Promise<void> => {
    // Later batches are not in the log yet.
    const batches = waiting.length;
    if (batches === 0 || isErasing) return;
    await parts.beforeWrite?.();
    for (let done = 0; done < batches && !isErasing; done++) {
      const [batch] = waiting;
      if (batch) leaveOut(writeBatch(database, batch));
      // Only after the write: later batches must not be in the file without it.
      waiting.shift();
      await turn();
    }
    isFailing = false;
    if (wall() - keptAt >= KEEP_EVERY_MS) tidy();
  };
  const tidy = (): void => {
    keptAt = wall();
    // A failed clean-up is repeated in an hour.
    void inSteps(keepSteps(database, wall(), keeping)).catch(countAs('store.tidy'));
  };
  /** Null if the file was dropped meanwhile. */
  const inSteps = async <R>(steps: Iterator<void, R>): Promise<R | null> => {
    const begun = files;
    while (!isClosing && files === begun) {
      const { done, value } = steps.next();
      if (done) return value;
      await turn();
    }
    return null;
  };
  const flush = (): Promise<void> =>
    // A full disk may have space at the next batch.
    enqueue(writeWaiting).catch((error: unknown) => {
      if (!isFailing) tell(`The history cannot be written; Understudy retries: ${failureText(error)}`);
      isFailing = true;
      parts.markDamage?.(failureText(error));
    });
  const close = async (): Promise<void> => {
    isClosing = true;
    await flush();
    // libsql leaves its write-ahead log behind.
    if (isWriting) read(() => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
    isWriting = false;
    database.close();
  };
  let closed: Promise<void> | null = null;
  return {
    ...(read(() => ({ cursor: readCursor(database), card: readCard(database) })) ?? { cursor: 0, card: null }),
    write(batch) {
      if (!isWriting) return;
      if (waiting.length >= WAITING_MAX) isWriting = false;
      waiting.push(batch);
      void flush();
    },
    figures: (query: FiguresQuery): readonly CellRow[] => read(() => readFigures(database, query)) ?? [],
    transitions: (query) => read(() => readTransitions(database, query)) ?? [],
    events: safeEvents(() => eventsIn(database), read),
    attempts: (query) => readAttempts(database, query),
    refused: (query) => readRefused(database, query),
    sessions: (query) => read(() => readSessions(database, query)) ?? { sessions: [], total: 0 },
    session: (session) => read(() => readSession(database, session)),
    familyOf: (session) => read(() => readFamily(database, session)) ?? [session],
    agentsIn: (sessions) => read(() => readAgents(database, sessions)) ?? [],
    modelsIn: (sessions) => read(() => readModels(database, sessions)) ?? [],
    turns: (sessions) => read(() => readTurns(database, sessions)) ?? [],
    used: (sessions, sinceMs) => read(() => readUsed(database, sessions, sinceMs)) ?? [],
    sums: (query) => read(() => readSums(database, query)),
    live: (query) => read(() => readLive(database, query)),
    oldestHour: (isDetail) => read(() => readOldestHour(database, isDetail)),
    slots: () => read(() => readSlots(database)),
    limits: (limit) => read(() => readLimits(database, limit)) ?? [],
    usesOf: (query) => read(() => readUsesOf(database, query)) ?? [],
    projects: () => read(() => readProjects(database)) ?? [],
    file: { database: () => (isErasing ? null : database), whyReadOnly: () => whyReadOnly, tell },
    extent: () => ({ driver: database.driver, bytes: sizeOf(database), ...readExtent(database), refused }),
    flush,
    async takeIn(answers) {
      const added = await inSteps(importSteps(database, answers));
      if (added === null) throw new Error('The history was closed or deleted meanwhile.');
      return added;
    },
    keepAs(next) {
      keeping = next;
      // Waiting batches may be too old under the new limits.
      if (isWriting) void enqueue(async () => tidy());
    },
    erase() {
      waiting.length = 0;
      isErasing = true;
      files++;
      return enqueue(async () => {
        try {
          database.close();
          database = await parts.reopen();
          isWriting = true;
          whyReadOnly = null;
          refused = 0;
        } finally {
          isErasing = false;
        }
      });
    },
    close: () => (closed ??= close()),
  };
}

function safeEvents(now: () => StoredEvents, read: <T>(question: () => T) => T | null): StoredEvents {
  return {
    kept: () => read(() => now().kept()) ?? { newest: 0, sinceMs: null },
    page: (query) => read(() => now().page(query)) ?? [],
    count: (query) => read(() => now().count(query)) ?? 0,
    groups: (filter) => read(() => now().groups(filter)) ?? [],
    one: (id) => read(() => now().one(id)),
    askedAround: (event) => read(() => now().askedAround(event)) ?? [],
  };
}
