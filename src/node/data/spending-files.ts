import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { countError } from '../../core/base/internal-errors';
import { isDamaged } from '../../core/budget/spent';
import { open, rename } from '../base/disk';
import { failureCode } from '../base/failure';

/**
 * A ledger of one day of UTC, one line for each step. `found` is when a file of the future was found, Unix ms: a clock was ahead when
 * it was written, or is behind now.
 */
const NAME = /^spent-(\d{4}-\d\d-\d\d)(?:\.found-(\d{1,16}))?\.jsonl(?:\.\d)?$/;
export const DAY_MS = 86_400_000;
/** How far a clock may be ahead of this one without a remark, in ms. */
const AHEAD_MS = 3_600_000;
/** The most that one day may hold: people do not work that much. */
export const MAX_BYTES = 32 * 1_048_576;
const NEWLINE = 0x0a;

export const nameOf = (at: number): string => `spent-${new Date(at).toISOString().slice(0, 10)}.jsonl`;
/** The beginning of the day of a file, Unix ms. */
export const dayOf = (name: string): number => Date.parse(`${NAME.exec(name)?.[1]}T00:00:00Z`);

/** When a file of the future was found, Unix ms; null for any other file. */
export function foundAtOf(name: string): number | null {
  const found = NAME.exec(name)?.[2];
  return found === undefined ? null : Number(found);
}

/** A file of the state home that holds what was spent. */
export const isSpendingFile = (name: string): boolean => NAME.test(name);

/** Names of the files that there are; null where nobody can say. */
export async function spendingFiles(home: string): Promise<string[] | null> {
  try {
    return (await readdir(home)).filter(isSpendingFile);
  } catch (error) {
    return failureCode(error) === 'ENOENT' ? [] : null;
  }
}

/**
 * The same, once files of days to come are moved to today: their lines count today, and not when that day comes. Never rejects.
 *
 * @param now Unix ms.
 */
export async function presentFiles(home: string, now: number): Promise<string[] | null> {
  const names = await spendingFiles(home);
  const latest = `${nameOf(now + AHEAD_MS)}.9`;
  const future = (names ?? []).filter((name) => foundAtOf(name) === null && name > latest);
  if (future.length === 0) return names;
  for (const [at, name] of future.entries()) {
    const found = nameOf(now).replace('.jsonl', `.found-${Math.round(now) + at}.jsonl`);
    // Another process may have moved it.
    // silent: another process may have renamed it first
    await rename(join(home, name), join(home, found)).catch(() => undefined);
  }
  return spendingFiles(home);
}

type News = Readonly<{ lines: readonly string[]; end: number; isAnother?: boolean }>;

/** How much of a file is read at once: its lines take a few ms. */
const PIECE_BYTES = 131_072;

/**
 * The whole lines of a file after so many bytes, piece by piece, and where each piece ends. A file that is shorter than that is another
 * one. Never rejects: what cannot be read has no lines.
 */
export async function* linesAfter(path: string, from: number): AsyncGenerator<News> {
  // silent: another process may have removed the file of an old day
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return;
  try {
    const { size } = await file.stat();
    if (size < from) yield { lines: [], end: 0, isAnother: true };
    const bytes = Buffer.alloc(Math.max(0, Math.min(PIECE_BYTES, size - from)));
    for (let end = from; end < size; ) {
      const { bytesRead } = await file.read(bytes, 0, bytes.length, end);
      const last = bytes.subarray(0, bytesRead).lastIndexOf(NEWLINE);
      // The last line is still being written, or was cut off; a longer one is none of ours.
      if (last < 0 && bytesRead < PIECE_BYTES) return;
      const lines = bytes.toString('utf8', 0, last < 0 ? bytesRead : last).split('\n');
      end += last < 0 ? bytesRead : last + 1;
      yield { lines, end };
    }
  } catch (error) {
    countError('spending.read', error);
    return;
  } finally {
    // silent: nothing was written by it
    await file.close().catch(() => undefined);
  }
}

/** The first line of each file that cannot be read, as `path:line`. Never rejects. */
export async function damagedLines(home: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of ((await spendingFiles(home)) ?? []).toSorted()) {
    const damaged = await damagedIn(join(home, name));
    if (damaged !== null) found.push(`${join(home, name)}:${damaged}`);
  }
  return found;
}

async function damagedIn(path: string): Promise<number | null> {
  let before = 0;
  for await (const { lines } of linesAfter(path, 0)) {
    const at = lines.findIndex(isDamaged);
    if (at >= 0) return before + at + 1;
    before += lines.length;
  }
  return null;
}
