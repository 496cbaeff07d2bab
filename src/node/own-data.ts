import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LogRecord } from '../core/record';
import { writeFileAtomic } from './atomic-file';
import { readIfThere } from './event-log';
import { failureCode, failureText, type Outcome } from './failure';
import { ensureStateHome } from './state-home';
import { openReader } from './store/reader';

const LOG_NAME = 'events.jsonl';
const PRIVATE_FILE_MODE = 0o600;
/** The log and the history, with what SQLite keeps beside it and what was ever moved aside. */
const DATA = /^(?:events\.jsonl(?:\.1)?|history\.db(?:-wal|-shm)?)(?:\.corrupt-.*)?$/;

/** Where the log of a state home lies. */
export const logPath = (home: string): string => join(home, LOG_NAME);

/** The records of the log as JSON lines, oldest first; lines that are no record are left out. Empty without a log. */
export const exportLog = async (home: string): Promise<string> =>
  (await linesOf(home)).map(({ line }) => `${line}\n`).join('');

/** The same as records. Whoever writes the log need not be asked. */
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

/**
 * Begins a state home with the log of another one; the history is made of it at the next start. The core must not run.
 *
 * @returns how many records there are; refused where something is recorded already, or a line is no record.
 */
export async function importLog(home: string, path: string): Promise<Outcome<{ records: number }>> {
  try {
    const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
    const wrong = lines.findIndex((line) => recordIn(line) === null);
    if (wrong >= 0) return { ok: false, reason: `${path}:${wrong + 1} is no record of a log of Understudy.` };
    const prepared = await ensureStateHome(home);
    if (!prepared.ok) return prepared;
    if ((await dataIn(home)).length > 0)
      return { ok: false, reason: `Something is recorded in ${home} already. Choose another UNDERSTUDY_HOME.` };
    const written = await writeFileAtomic(logPath(home), lines.map((line) => `${line}\n`).join(''));
    return written.ok ? { ok: true, records: lines.length } : written;
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}

/**
 * Deletes everything that was ever recorded in a state home, copies that were moved aside included. The core must not run.
 *
 * @returns the names of the files that are gone.
 */
export async function eraseData(home: string): Promise<Outcome<{ files: readonly string[] }>> {
  try {
    const files = await dataIn(home);
    for (const file of files) await rm(join(home, file), { force: true });
    return { ok: true, files };
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}

/** Writes a whole copy of the history, also while the core runs, to a path where nothing is; only this user can read it. */
export async function backUpHistory(home: string, path: string): Promise<Outcome> {
  const opened = await openReader(home);
  if (!opened.ok) return opened;
  try {
    // SQLite fills an empty file, and would not make a private one.
    await writeFile(path, '', { flag: 'wx', mode: PRIVATE_FILE_MODE });
    try {
      opened.backUp(path);
      return { ok: true };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  } finally {
    opened.close();
  }
}

async function dataIn(home: string): Promise<readonly string[]> {
  try {
    return (await readdir(home)).filter((name) => DATA.test(name)).sort();
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function recordIn(line: string): LogRecord | null {
  try {
    return LogRecord.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
