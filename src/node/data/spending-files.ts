import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { countError } from '../../core/base/internal-errors';
import { isDamaged } from '../../core/budget/spent';
import { open, rename } from '../base/disk';
import { failureCode } from '../base/failure';

/** One UTC day. `found`: when a file from the future was found. */
const NAME = /^spent-(\d{4}-\d\d-\d\d)(?:\.found-(\d{1,16}))?\.jsonl(?:\.\d)?$/;
export const DAY_MS = 86_400_000;
const AHEAD_MS = 3_600_000;
export const MAX_BYTES = 32 * 1_048_576;
const NEWLINE = 0x0a;

export const nameOf = (at: number): string => `spent-${new Date(at).toISOString().slice(0, 10)}.jsonl`;
export const dayOf = (name: string): number => Date.parse(`${NAME.exec(name)?.[1]}T00:00:00Z`);

/** Null for a file that is not from the future. */
export function foundAtOf(name: string): number | null {
  const found = NAME.exec(name)?.[2];
  return found === undefined ? null : Number(found);
}

export const isSpendingFile = (name: string): boolean => NAME.test(name);

/** Null if the folder cannot be read. */
export async function spendingFiles(home: string): Promise<string[] | null> {
  try {
    return (await readdir(home)).filter(isSpendingFile);
  } catch (error) {
    return failureCode(error) === 'ENOENT' ? [] : null;
  }
}

/** Renames files of future days, so that their lines count today. Never rejects. */
export async function presentFiles(home: string, now: number): Promise<string[] | null> {
  const names = await spendingFiles(home);
  const latest = `${nameOf(now + AHEAD_MS)}.9`;
  const future = (names ?? []).filter((name) => foundAtOf(name) === null && name > latest);
  if (future.length === 0) return names;
  for (const [at, name] of future.entries()) {
    const found = nameOf(now).replace('.jsonl', `.found-${Math.round(now) + at}.jsonl`);
    // silent: another process may have renamed it first
    await rename(join(home, name), join(home, found)).catch(() => undefined);
  }
  return spendingFiles(home);
}

type News = Readonly<{ lines: readonly string[]; end: number; isAnother?: boolean }>;

/** Their lines take a few ms. */
const PIECE_BYTES = 131_072;

/** A file shorter than `from` is new. Never rejects. */
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
      // An incomplete line; a line longer than a piece is not ours.
      if (last < 0 && bytesRead < PIECE_BYTES) return;
      const lines = bytes.toString('utf8', 0, last < 0 ? bytesRead : last).split('\n');
      end += last < 0 ? bytesRead : last + 1;
      yield { lines, end };
    }
  } catch (error) {
    countError('spending.read', error);
    return;
  } finally {
    // silent: it wrote nothing
    await file.close().catch(() => undefined);
  }
}

/** As `path:line`. Never rejects. */
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
