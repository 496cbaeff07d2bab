import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
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

/** Moves files of days to come to today, so that their lines count today and not when that day comes. Never rejects. */
export async function keepFuture(home: string, now: number): Promise<void> {
  const today = nameOf(now + AHEAD_MS);
  const names = ((await spendingFiles(home)) ?? []).filter((name) => foundAtOf(name) === null && name > `${today}.9`);
  for (const [at, name] of names.entries()) {
    const found = nameOf(now).replace('.jsonl', `.found-${Math.round(now) + at}.jsonl`);
    // Another process may have moved it.
    await rename(join(home, name), join(home, found)).catch(() => undefined);
  }
}

type News = Readonly<{ lines: readonly string[]; end: number; isAnother?: boolean }>;

/** The whole lines of a file after so many bytes, and where the last of them ends. What cannot be read has none. */
export async function linesAfter(path: string, from: number): Promise<News> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return { lines: [], end: from };
  try {
    const { size } = await file.stat();
    if (size < from) return { lines: [], end: 0, isAnother: true };
    const bytes = Buffer.alloc(Math.min(MAX_BYTES, Math.max(0, size - from)));
    const { bytesRead } = bytes.length === 0 ? { bytesRead: 0 } : await file.read(bytes, 0, bytes.length, from);
    const whole = bytes.subarray(0, bytes.subarray(0, bytesRead).lastIndexOf(NEWLINE) + 1);
    return { lines: whole.toString('utf8').split('\n'), end: from + whole.length };
  } catch {
    return { lines: [], end: from };
  } finally {
    await file.close().catch(() => undefined);
  }
}

/** The first line of each file that cannot be read, as `path:line`. Never rejects. */
export async function damagedLines(home: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of ((await spendingFiles(home)) ?? []).toSorted()) {
    const path = join(home, name);
    const at = (await linesAfter(path, 0)).lines.findIndex(isDamaged);
    if (at >= 0) found.push(`${path}:${at + 1}`);
  }
  return found;
}
