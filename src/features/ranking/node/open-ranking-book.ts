import { failureText, type Outcome } from '../../../node/base/failure';
import { ensureStateHome, socketAddress } from '../../../node/base/state-home';
import { readToken } from '../../../node/base/token';
import { connectToApp } from '../../../node/socket/socket-client';
import type { Database } from '../../../node/store/driver';
import { damageText, openFile, storePath } from '../../../node/store/open-store';
import type { RankingBook } from '../core/port';
import { rankingBook } from './ranking-book';

/**
 * Fails beside a running Understudy, and for a damaged file or a newer version's. Never throws.
 * @param tell receives messages about unreadable parts.
 */
export async function openRankingBook(
  home: string,
  tell: (notice: string) => void,
): Promise<Outcome<{ book: RankingBook; close(): void }>> {
  try {
    const prepared = await ensureStateHome(home);
    if (!prepared.ok) return prepared;
    const objection = await objectionOfCore(home);
    return objection === null ? await openHere(home, tell) : { ok: false, reason: objection };
  } catch (error) {
    return { ok: false, reason: `The history cannot be opened: ${failureText(error)}` };
  }
}

/** Null if no core runs; a running one excludes another writer. */
async function objectionOfCore(home: string): Promise<string | null> {
  const result = await connectToApp({
    addressFor: (token) => socketAddress(home, token),
    readToken: () => readToken(home),
    hello: { role: 'viewer', name: 'ranking' },
    keepsProcessAlive: true,
  });
  if (!result.ok) return result.code === 'absent' ? null : result.message;
  result.link.close();
  return 'Understudy is running and locks its history. Try again, or quit it first.';
}

async function openHere(home: string, tell: (notice: string) => void): ReturnType<typeof openRankingBook> {
  const opened = await openFile(storePath(home));
  if (!opened.database) {
    const reason = damageText(opened.reason) ?? `The history cannot be opened: ${opened.reason}`;
    return { ok: false, reason };
  }
  const { database, whyReadOnly } = opened;
  if (whyReadOnly !== null) {
    database.close();
    return { ok: false, reason: whyReadOnly };
  }
  const book = rankingBook({ database: () => database, whyReadOnly: () => null, tell });
  return { ok: true, book, close: () => closed(database) };
}

function closed(database: Database): void {
  try {
    // libsql leaves its write-ahead log beside the file.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // silent: SQLite reads what it wrote beside the file from there as well
  }
  database.close();
}
