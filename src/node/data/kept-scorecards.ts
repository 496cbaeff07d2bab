import { join } from 'node:path';
import type { ScorecardDesk } from '../../core/scorecard/desk';
import { nameMeant, writeFileAtomic } from '../base/atomic-file';
import { rm } from '../base/disk';
import { failureText, type Outcome } from '../base/failure';
import { namesIn } from '../base/names-in';
import { ensurePrivateFolder } from '../base/private-folder';

/** How long the scorecard of a session is kept, in ms, and how many there are at most; the oldest go first. */
const KEPT_MS = 30 * 86_400_000;
const KEPT_FILES = 500;
const NAME = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)Z-([\w-]{1,60})\.json$/;
const INDEX = 'index.json';
const LATEST = 'latest.json';

/** A kept scorecard. `endedAt` is an ISO instant. */
type Entry = Readonly<{ file: string; session: string; endedAt: string }>;

export const scorecardsFolder = (home: string): string => join(home, 'scorecards');

/**
 * Keeps the scorecard of a session that has ended: one file of its own, by when it ended and its name, the latest once more
 * under a name that never changes, and an index, the newest first. What is too old or too many goes; files that bear another
 * name are not ours and stay. A session in which nobody was asked has none. Never rejects.
 *
 * @param now Unix ms.
 */
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

/** The paths of what this has written into a state home, or begun to write. @throws what the system says. */
export async function keptScorecards(home: string): Promise<readonly string[]> {
  const names = await namesIn(scorecardsFolder(home));
  const isOurs = (name: string): boolean => NAME.test(name) || name === INDEX || name === LATEST;
  const ours = names.filter((name) => isOurs(nameMeant(name)));
  return ours.map((name) => join(scorecardsFolder(home), name));
}

/** Deletes what is too old or too many. @returns what is left, the newest first. */
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
