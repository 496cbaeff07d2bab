import { isUtf8 } from 'node:buffer';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { countAs } from '../../core/base/internal-errors';
import { chmod, open, rename, rm, writeFile } from '../base/disk';
import { failureText } from '../base/failure';
import { statOrNull } from '../base/look';
import { quarantine } from '../base/quarantine';
import { askBeside } from './beside';
import { type Database, NO_SQLITE, openDatabase, type Row } from './driver';
import { type OpenStore, type RunningOptions, runStore } from './running-store';
import { migrate, STORE_VERSION, versionOf } from './schema';

const STORE_NAME = 'history.db';
const PRIVATE_FILE_MODE = 0o600;
/** Smaller files are checked before use, in some ten ms. */
const CHECKED_FIRST_BYTES = 16 * 1_048_576;
/** As hex: the verdict may quote bytes that are not text. */
const CHECK = 'SELECT hex(quick_check) AS verdict FROM pragma_quick_check(1)';
const TEXTS = `SELECT m.name AS name, group_concat('coalesce("' || p.name || '", '''')', ' || '' '' || ') AS texts
  FROM sqlite_master AS m, pragma_table_xinfo(m.name) AS p WHERE m.type = 'table' AND p.type LIKE 'TEXT%' GROUP BY 1`;
/** Marks a file found damaged during use: the next start checks it first. */
const DAMAGED_MARK = '.damaged';

export const storePath = (home: string): string => join(home, STORE_NAME);

export type { OpenStore } from './running-store';

export type StoreOptions = RunningOptions &
  Readonly<{
    /** Its folder must exist. */
    path: string;
  }>;

/** `notice` is for people, also with a store. */
export type StoreOpening = Readonly<{
  store: OpenStore | null;
  notice: string | null;
  /** A newer version's file is only read. */
  isNewer: boolean;
}>;

/** Only the core that owns the socket may call this: there is one writer. Never throws. */
export async function openStore(options: StoreOptions): Promise<StoreOpening> {
  try {
    return await openHere(options);
  } catch (error) {
    return { store: null, notice: `The history is not stored: ${failureText(error)}`, isNewer: false };
  }
}

async function openHere(options: StoreOptions): Promise<StoreOpening> {
  const { path } = options;
  const watched = { ...options, markDamage: damageMarker(options) };
  const opened = await openFile(path);
  if (opened.database) {
    if (opened.isChecked) await rm(`${path}${DAMAGED_MARK}`, { force: true });
    if (!opened.isChecked) void lookThrough(opened.database.driver, watched);
    return ready(opened, watched, null);
  }
  const aside = opened.isDamaged ? await quarantine(path) : null;
  if (aside === null) return { store: null, notice: `The history is not stored: ${opened.reason}`, isNewer: false };
  // silent: SQLite has usually removed it
  await rename(`${path}-wal`, `${aside}-wal`).catch(() => undefined);
  const again = await beginAnew(path);
  const notice = `The history was damaged. The old file is ${aside}; ${path} is restored from the event log.`;
  return again.database ? ready(again, watched, notice) : { store: null, notice, isNewer: false };
}

/** Leaves a damaged file in place. No core may have it open. @throws the system's error. */
export async function openFile(path: string): Promise<Tried & Readonly<{ isChecked: boolean }>> {
  await createPrivately(path);
  const isSmall = (await stat(path)).size <= CHECKED_FIRST_BYTES;
  const isChecked = isSmall || (await statOrNull(`${path}${DAMAGED_MARK}`)) !== null;
  return { ...tryOpen(path, isChecked), isChecked };
}

async function beginAnew(path: string): Promise<Tried> {
  for (const part of ['', '-wal', '-shm', DAMAGED_MARK]) await rm(`${path}${part}`, { force: true });
  await createPrivately(path);
  return tryOpen(path, true);
}

async function lookThrough(driver: Database['driver'], { path, markDamage }: StoreOptions): Promise<void> {
  // Without a thread there is no check: keep the file.
  const reason = await askBeside({ path, driver }, CHECK, [], false).then(damageIn, failureText);
  if (reason !== null) markDamage?.(reason);
}

const DAMAGED_TEXT =
  'The history is damaged. The next start moves the file aside and restores the history from the event log.';

/** Machine errors may pass and are no damage. */
function damageMarker({ path, tell }: StoreOptions): (reason: string) => void {
  let isMarked = false;
  return (reason) => {
    if (isMarked || !DAMAGED.test(reason)) return;
    isMarked = true;
    void writeFile(`${path}${DAMAGED_MARK}`, '', { mode: PRIVATE_FILE_MODE })
      .catch(countAs('store.mark'))
      .then(() => tell?.(DAMAGED_TEXT));
  };
}

function damageIn([found]: readonly Row[]): string | null {
  const verdict = Buffer.from(String(found?.verdict), 'hex').toString();
  return verdict === 'ok' ? null : `malformed: ${verdict}`;
}

/** SQLite's own check ignores texts that are not UTF-8. */
function damageInTexts(database: Database): string | null {
  for (const { name, texts } of database.all(TEXTS)) {
    const [row] = database.all(`SELECT CAST(group_concat(${texts}, ' ') AS BLOB) AS text FROM "${name}"`);
    const text: unknown = row?.text;
    if (text instanceof Uint8Array && !isUtf8(text)) return `malformed: a text of ${name} is not UTF-8`;
  }
  return null;
}

/** SQLite would create the file and its side files with the user's umask. */
async function createPrivately(path: string): Promise<void> {
  const file = await open(path, 'a', PRIVATE_FILE_MODE);
  await file.close();
  await chmod(path, PRIVATE_FILE_MODE);
}

type Opened = Readonly<{ database: Database; whyReadOnly: string | null }>;
type Tried = Opened | Readonly<{ database: null; reason: string; isDamaged: boolean }>;

/** Other errors may pass, so the file stays. */
const DAMAGED = /malformed|not a database|corrupt|encoded data was not valid/i;

/** Null for any other error. */
export const damageText = (error: unknown): string | null =>
  DAMAGED.test(failureText(error))
    ? 'The history is damaged. Start Understudy: it moves the file aside and creates a new one.'
    : null;

function tryOpen(path: string, isChecked: boolean): Tried {
  let database: Database | null = null;
  try {
    database = openDatabase(path);
    if (database === null) return { database: null, reason: NO_SQLITE, isDamaged: false };
    const version = versionOf(database);
    const isNewer = version > STORE_VERSION;
    if (!isNewer) database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;');
    // After a power cut, the log restores missing data.
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000; PRAGMA cell_size_check = ON;');
    const damage = isChecked ? (damageIn(database.all(CHECK)) ?? damageInTexts(database)) : null;
    if (damage !== null) throw new Error(damage);
    if (isNewer) database.exec('PRAGMA query_only = ON;');
    else migrate(database);
    return { database, whyReadOnly: isNewer ? newerText(version) : null };
  } catch (error) {
    database?.close();
    const reason = failureText(error);
    return { database: null, reason, isDamaged: DAMAGED.test(reason) };
  }
}

const newerText = (version: number): string =>
  `A newer version (${version}) wrote the history: it is shown but not continued.`;

function ready({ database, whyReadOnly }: Opened, options: StoreOptions, notice: string | null): StoreOpening {
  const reopen = async (): Promise<Database> => {
    const begun = await beginAnew(options.path);
    if (!begun.database) throw new Error(begun.reason);
    return begun.database;
  };
  const store = runStore(database, { ...options, whyReadOnly, reopen });
  return { store, notice: whyReadOnly ?? notice, isNewer: whyReadOnly !== null };
}
