import { chmod, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FiguresQuery, Store, StoreBatch } from '../../core/store-rows';
import type { CellRow } from '../../engine/scorecard';
import { failureText } from '../failure';
import { quarantine } from '../quarantine';
import { type Database, NO_SQLITE, openDatabase } from './driver';
import { type ImportedAnswer, writeImported } from './imported';
import { DEFAULT_KEEPING, type Keeping, keep } from './keep';
import { readAttempts, readCard, readCursor, readFigures, readTransitions } from './read';
import { migrate, STORE_VERSION, versionOf } from './schema';
import { writeBatch } from './write';

const STORE_NAME = 'history.db';
const PRIVATE_FILE_MODE = 0o600;
/** What is older than kept is looked for at the start and then this often, in ms. */
const KEEP_EVERY_MS = 3_600_000;
/** Batches that may wait for the disk; beyond it the store is given up for this life, and the log fills it in the next. */
const WAITING_MAX = 1_000;

/** Where the store of a state home lies. */
export const storePath = (home: string): string => join(home, STORE_NAME);

/** A store that has to be closed. */
export type OpenStore = Store &
  Readonly<{
    /** Resolves when every batch so far is in the file. */
    flush(): Promise<void>;
    /** Adds answers that OpenCode remembers. @returns how many are new. @throws what SQLite says. */
    takeIn(answers: Iterable<ImportedAnswer>): number;
    /** How much is kept from now on; what is too much leaves at once. */
    keepAs(keeping: Keeping): void;
    /** Writes what waits and closes; a second call changes nothing. */
    close(): Promise<void>;
  }>;

export type StoreOptions = Readonly<{
  /** Its folder must exist. */
  path: string;
  /** Awaited before each write: the log must never be behind the store. */
  beforeWrite?: () => Promise<void>;
  keeping?: Keeping;
  /** Unix ms. */
  wall?: () => number;
}>;

/** The store, or null with why there is none. `notice` is for people, also where a store was opened. */
export type StoreOpening = Readonly<{ store: OpenStore | null; notice: string | null }>;

/**
 * Opens the history of this user. Only the core that owns the socket may: there is one writer. What is damaged is moved
 * aside and begun anew; what a newer version wrote is read and left as it is. Never throws.
 */
export async function openStore(options: StoreOptions): Promise<StoreOpening> {
  try {
    return await openHere(options);
  } catch (error) {
    return { store: null, notice: `History is not kept: ${failureText(error)}` };
  }
}

async function openHere(options: StoreOptions): Promise<StoreOpening> {
  await createPrivately(options.path);
  const opened = tryOpen(options.path);
  if (opened.database) return ready(opened.database, options, null);
  const aside = opened.isDamaged ? await quarantine(options.path) : null;
  if (aside === null) return { store: null, notice: `History is not kept: ${opened.reason}` };
  // What was not yet in the file itself belongs to it.
  await rename(`${options.path}-wal`, `${aside}-wal`).catch(() => undefined);
  await rm(`${options.path}-shm`, { force: true });
  await createPrivately(options.path);
  const again = tryOpen(options.path);
  const notice = `The history was damaged and is begun anew; the old file is ${aside}.`;
  return again.database ? ready(again.database, options, notice) : { store: null, notice };
}

/** SQLite would create it as readable as the user's mask allows, and its companions like it. */
async function createPrivately(path: string): Promise<void> {
  const file = await open(path, 'a', PRIVATE_FILE_MODE);
  await file.close();
  await chmod(path, PRIVATE_FILE_MODE);
}

type Tried = Readonly<{ database: Database }> | Readonly<{ database: null; reason: string; isDamaged: boolean }>;

/** What SQLite says of a file that is none of its, or no longer whole. Anything else may pass, and is no reason to move it. */
const DAMAGED = /malformed|not a database|corrupt/i;

function tryOpen(path: string): Tried {
  let database: Database | null = null;
  try {
    database = openDatabase(path);
    if (database === null) return { database: null, reason: NO_SQLITE, isDamaged: false };
    const isNewer = versionOf(database) > STORE_VERSION;
    if (!isNewer) database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;');
    // NORMAL loses nothing when a process dies; after a power cut the log fills in what is missing.
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000; PRAGMA cell_size_check = ON;');
    const [check] = database.all('PRAGMA quick_check(1)');
    const verdict = String(Object.values(check ?? {})[0]);
    if (verdict !== 'ok') throw new Error(`malformed: ${verdict}`);
    if (isNewer) database.exec('PRAGMA query_only = ON;');
    else migrate(database);
    return { database };
  } catch (error) {
    database?.close();
    const reason = failureText(error);
    return { database: null, reason, isDamaged: DAMAGED.test(reason) };
  }
}

function ready(database: Database, options: StoreOptions, notice: string | null): StoreOpening {
  const version = versionOf(database);
  if (version <= STORE_VERSION) return { store: storeOn(database, options), notice };
  const newer = `The history is of a newer version (${version}): it is shown and not continued.`;
  return { store: storeOn(database, { ...options, isReadOnly: true }), notice: newer };
}

function storeOn(database: Database, options: StoreOptions & Readonly<{ isReadOnly?: boolean }>): OpenStore {
  const wall = options.wall ?? Date.now;
  const waiting: StoreBatch[] = [];
  let work: Promise<void> = Promise.resolve();
  let isWriting = options.isReadOnly !== true;
  let keeping = options.keeping ?? DEFAULT_KEEPING;
  let keptAt = Number.NEGATIVE_INFINITY;

  const drain = async (): Promise<void> => {
    // What is told while the log is written is not in the log yet.
    const batches = waiting.length;
    if (batches === 0) return;
    await options.beforeWrite?.();
    for (let done = 0; done < batches; done++) {
      const [batch] = waiting;
      if (batch) writeBatch(database, batch);
      // Only what is written leaves: later batches must not be in the file without it.
      waiting.shift();
    }
    if (wall() - keptAt >= KEEP_EVERY_MS) tidy();
  };
  const tidy = (): void => {
    keptAt = wall();
    keep(database, wall(), keeping);
  };
  const flush = (): Promise<void> => {
    // A full disk may have room again with the next batch.
    work = work.then(drain).catch(() => undefined);
    return work;
  };
  const close = async (): Promise<void> => {
    await flush();
    // libsql leaves what it wrote beside the file.
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
    attempts: (query) => readAttempts(database, query),
    flush,
    keepAs(next) {
      keeping = next;
      if (isWriting) work = work.then(tidy).catch(() => undefined);
    },
    takeIn: (answers) => writeImported(database, answers),
    close: () => (closed ??= close()),
  };
}

/** What a damaged page hides is as good as not there. */
function read<T>(question: () => T): T | null {
  try {
    return question();
  } catch {
    return null;
  }
}
