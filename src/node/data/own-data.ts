import { readFile, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { parseJson } from '../../contract/parse-json';
import { LogRecord } from '../../core/base/record';
import { nameMeant, writeFileAtomic } from '../base/atomic-file';
import { councilFolder, runFolder, runsIn } from '../base/council-runs';
import { rm, writeFile } from '../base/disk';
import { failureText, type Outcome } from '../base/failure';
import { fileNamesIn, namesIn } from '../base/names-in';
import { ensurePrivateFolder } from '../base/private-folder';
import { readIfThere } from '../base/read-log';
import { ensureStateHome } from '../base/state-home';
import { askBeside } from '../store/beside';
import { storePath } from '../store/open-store';
import { openReader } from '../store/reader';
import { accountsPath } from './account-books';
import { healthPath } from './health-file';
import { internalErrorsPath } from './internal-errors-file';
import { keptScorecards } from './kept-scorecards';
import { isSpendingFile } from './spending-files';

const LOG_NAME = 'events.jsonl';
const PRIVATE_FILE_MODE = 0o600;
/** Includes everything moved aside. */
const DATA = /^(?:events\.jsonl(?:\.1)?|history\.db(?:-wal|-shm|\.damaged)?)(?:\.corrupt-.*)?$/;
const ASIDE = /\.corrupt-.*$/;
const BACKUPS = 'backups';

export const logPath = (home: string): string => join(home, LOG_NAME);

export const exportLog = async (home: string): Promise<string> =>
  (await linesOf(home)).map(({ line }) => `${line}\n`).join('');

export const readLog = async (home: string): Promise<readonly LogRecord[]> =>
  (await linesOf(home)).map(({ record }) => record);

async function linesOf(home: string): Promise<readonly Readonly<{ line: string; record: LogRecord }>[]> {
  const texts = await Promise.all([`${logPath(home)}.1`, logPath(home)].map(readIfThere));
  return texts
    .flatMap((text) => text.split('\n'))
    .flatMap((line) => {
      const record = recordIn(line);
      return record === null ? [] : [{ line, record }];
    });
}

/** Refuses an invalid line. @throws the system's error. */
export async function readLogFile(
  path: string,
): Promise<Outcome<{ lines: readonly string[]; records: readonly LogRecord[] }>> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  const records: LogRecord[] = [];
  for (const [index, line] of lines.entries()) {
    const record = recordIn(line);
    if (record === null) return { ok: false, reason: `${path}:${index + 1} is not a log record of Understudy.` };
    records.push(record);
  }
  return { ok: true, lines, records };
}

/** The core must not run. @returns the number of records; refuses existing data. */
export async function importLog(home: string, path: string): Promise<Outcome<{ records: number }>> {
  try {
    const read = await readLogFile(path);
    if (!read.ok) return read;
    const prepared = await ensureStateHome(home);
    if (!prepared.ok) return prepared;
    if ((await dataIn(home)).length > 0)
      return { ok: false, reason: `${home} already contains records. Choose another UNDERSTUDY_HOME.` };
    const written = await writeFileAtomic(logPath(home), read.lines.map((line) => `${line}\n`).join(''));
    return written.ok ? { ok: true, records: read.lines.length } : written;
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}

const LEARNT = [healthPath, accountsPath, internalErrorsPath].map((pathIn) => basename(pathIn('')));
const isRecorded = (name: string): boolean =>
  DATA.test(name) || isSpendingFile(name) || LEARNT.includes(name.replace(ASIDE, ''));

/** The core must not run, or must have restarted the files `inUse`. */
export async function eraseData(
  home: string,
  inUse: readonly string[] = [],
): Promise<Outcome<{ files: readonly string[] }>> {
  try {
    const backups = (await backupsIn(home)).map(({ path }) => path);
    const inFolders = [...backups, ...(await keptScorecards(home))].map((path) => relative(home, path));
    const own = (await fileNamesIn(home)).filter((name) => isRecorded(nameMeant(name)) && !inUse.includes(name));
    const files = [...own.toSorted(), ...inFolders];
    for (const file of files) await rm(join(home, file), { force: true });
    const runs = await runsIn(home);
    await rm(councilFolder(home), { recursive: true, force: true });
    return { ok: true, files: [...files, ...runs.map((run) => relative(home, runFolder(home, run)))] };
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}

/** The core may run. */
export async function backUpHistory(home: string, path: string): Promise<Outcome> {
  const opened = await openReader(home);
  if (!opened.ok) return opened;
  opened.close();
  try {
    // SQLite accepts an empty file, and would not create a private one.
    await writeFile(path, '', { flag: 'wx', mode: PRIVATE_FILE_MODE });
    try {
      await askBeside({ path: storePath(home), driver: opened.driver }, 'VACUUM INTO ?', [path]);
      return { ok: true };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}

export type Backup = Readonly<{ path: string; bytes: number; at: number }>;

export async function backUpHere(home: string, now: number): Promise<Outcome<Backup>> {
  const folder = join(home, BACKUPS);
  const prepared = await ensurePrivateFolder(folder);
  if (!prepared.ok) return prepared;
  const path = join(folder, `history-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}.db`);
  const written = await backUpHistory(home, path);
  return written.ok ? { ok: true, path, bytes: (await stat(path)).size, at: now } : written;
}

export async function backupsIn(home: string): Promise<Backup[]> {
  const folder = join(home, BACKUPS);
  const names = (await namesIn(folder)).filter((name) => /^history-.*\.db$/.test(name)).toSorted();
  const found = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), ...(await stat(join(folder, name))) })),
  );
  return found.map(({ path, size, mtimeMs }) => ({ path, bytes: size, at: Math.round(mtimeMs) })).reverse();
}

export async function logBytes(home: string): Promise<number> {
  const names = (await dataIn(home)).filter((name) => /^events\.jsonl(?:\.1)?$/.test(name));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(home, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

const dataIn = async (home: string): Promise<readonly string[]> =>
  (await namesIn(home)).filter((name) => DATA.test(name)).sort();

function recordIn(line: string): LogRecord | null {
  return LogRecord.safeParse(parseJson(line)).data ?? null;
}
