import { failureText } from '../../../node/base/failure';
import type { Database } from '../../../node/store/driver';
import type { StoreFile } from '../../../node/store/running-store';
import { inTransaction } from '../../../node/store/schema';
import type { RankingBook } from '../core/port';
import { KEPT_MAX } from '../rules/kept/change';
import { type Kept, type KeptRow, keptFrom, rowOf, withRuns } from '../rules/kept/kept';

const ALL = 'SELECT part, name, value FROM ranking ORDER BY part, name';
const COUNT = 'SELECT count(*) AS count FROM ranking WHERE part = ?';
const KEEP = `INSERT INTO ranking (part, name, value) VALUES (?, ?, ?)
  ON CONFLICT (part, name) DO UPDATE SET value = excluded.value`;
const REMOVE = 'DELETE FROM ranking WHERE part = ? AND name = ?';
/** Changes after a write by another connection. */
const VERSION = 'PRAGMA data_version';

export function rankingBook({ database, whyReadOnly, tell }: StoreFile): RankingBook {
  let last: Readonly<{ database: Database; version: number; kept: Kept }> | null = null;
  let lastNotice: string | null = null;
  const tellOnce = (notice: string): void => {
    if (notice !== lastNotice) tell(notice);
    lastNotice = notice;
  };
  return {
    read() {
      const now = database();
      if (now === null) return NOTHING;
      try {
        const version = Number(now.all(VERSION)[0]?.data_version);
        if (last?.database === now && last.version === version) return last.kept;
        const { kept, unread } = keptFrom(now.each(ALL));
        if (unread > 0) tellOnce(`Some ranking entries of the history are invalid: ${unread} skipped.`);
        last = { database: now, version, kept };
        return kept;
      } catch (error) {
        tellOnce(`The rankings of the history cannot be read: ${failureText(error)}`);
        return NOTHING;
      }
    },
    change(changes) {
      const [now, why] = [database(), whyReadOnly()];
      if (why !== null) return { ok: false, reason: why };
      if (now === null) return { ok: false, reason: 'The history is being deleted. Try again.' };
      const rows: KeptRow[] = [];
      for (const change of changes) {
        const checked = rowOf(change);
        if (!checked.ok) return checked;
        rows.push(checked.row);
      }
      const before = last?.database === now ? last : null;
      last = null;
      const written = write(now, rows);
      const next = written.ok && before ? withRuns(before.kept, rows) : null;
      // Our own writes do not change the version.
      if (before && next) last = { ...before, kept: next };
      return written;
    },
    whyNot: whyReadOnly,
  };
}

/** @param why reason for the user. */
export const noBook = (why: string): RankingBook => ({
  read: () => NOTHING,
  change: () => ({ ok: false, reason: why }),
  whyNot: () => why,
});

const NOTHING: Kept = keptFrom([]).kept;

function write(database: Database, rows: readonly KeptRow[]): ReturnType<RankingBook['change']> {
  let excess: string | null = null;
  try {
    durably(database, () => {
      for (const { part, name, value } of rows)
        if (value === null) database.run(REMOVE, [part, name]);
        else database.run(KEEP, [part, name, value]);
      excess = excessIn(database, rows);
      if (excess !== null) throw new RangeError(excess);
    });
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: excess ?? `The history cannot be written: ${failureText(error)}` };
  }
}

/** The log does not contain this data: a power cut must not lose it. */
function durably(database: Database, work: () => void): void {
  database.exec('PRAGMA synchronous = FULL');
  try {
    inTransaction(database, work);
  } finally {
    database.exec('PRAGMA synchronous = NORMAL');
  }
}

/** Null if no part exceeds its limit. */
function excessIn(database: Database, rows: readonly KeptRow[]): string | null {
  for (const part of new Set(rows.filter(({ value }) => value !== null).map((row) => row.part)))
    if (Number(database.all(COUNT, [part])[0]?.count) > KEPT_MAX[part])
      return `The history stores at most ${KEPT_MAX[part]} entries of the kind "${part}". Remove some first.`;
  return null;
}
