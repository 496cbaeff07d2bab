import { join } from 'node:path';
import type { ScorecardDesk } from '../../core/scorecard/desk';
import { nameMeant, writeFileAtomic } from '../base/atomic-file';
import { rm } from '../base/disk';
import { failureText, type Outcome } from '../base/failure';
import { namesIn } from '../base/names-in';
import { ensurePrivateFolder } from '../base/private-folder';

const KEPT_MS = 30 * 86_400_000;
const KEPT_FILES = 500;
const NAME = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)Z-([\w-]{1,60})\.json$/;
const INDEX = 'index.json';
const LATEST = 'latest.json';

/** `endedAt` is an ISO instant. */
type Entry = Readonly<{ file: string; session: string; endedAt: string }>;

export const scorecardsFolder = (home: string): string => join(home, 'scorecards');

/** Also writes a copy under a fixed name and an index. Skips sessions without requests. Never rejects. */
export async function keepScorecard(desk: ScorecardDesk, session: string, home: string, now: number): Promise<Outcome> {
  try {
    if (desk.report({ session }).overall.totalCalls === 0) return { ok: true };
    const text = [...(desk.lines({ session }, 'json') ?? [])].join('');
    const folder = scorecardsFolder(home);
    const prepared = await ensurePrivateFolder(folder);
    if (!prepared.ok) return prepared;
    const at = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-');
    const name = `${at}Z-${session.replace(/[^\w-]/g, '_').slice(0, 60)}.json`;
    for (const file of [name, LATEST]) {
      const written = await writeFileAtomic(join(folder, file), text);
      if (!written.ok) return written;
    }
    return await writeFileAtomic(join(folder, INDEX), indexOf(await prune(folder, now)));
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}

/** @throws the system's error. */
export async function keptScorecards(home: string): Promise<readonly string[]> {
  const names = await namesIn(scorecardsFolder(home));
  const isOurs = (name: string): boolean => NAME.test(name) || name === INDEX || name === LATEST;
  const ours = names.filter((name) => isOurs(nameMeant(name)));
  return ours.map((name) => join(scorecardsFolder(home), name));
}

async function prune(folder: string, now: number): Promise<readonly Entry[]> {
  const entries = (await namesIn(folder))
    .flatMap((file) => entryOf(file) ?? [])
    .toSorted((a, b) => (a.file < b.file ? 1 : -1));
  const isKept = ({ endedAt }: Entry, place: number): boolean =>
    place < KEPT_FILES && now - Date.parse(endedAt) < KEPT_MS;
  for (const [place, entry] of entries.entries())
    if (!isKept(entry, place)) await rm(join(folder, entry.file), { force: true });
  return entries.filter(isKept);
}

function entryOf(file: string): Entry | null {
  const [, at, session] = NAME.exec(file) ?? [];
  if (at === undefined || session === undefined) return null;
  const endedAt = `${at.slice(0, 11)}${at.slice(11).replaceAll('-', ':')}Z`;
  return Number.isNaN(Date.parse(endedAt)) ? null : { file, session, endedAt };
}

const indexOf = (scorecards: readonly Entry[]): string =>
  `${JSON.stringify({ schema: 'scorecard-index/1', scorecards }, null, 2)}\n`;
