import type { LiveQuery, LiveRow } from '../../core/base/store-rows';
import { attemptsIn, hoursOf } from '../../core/history/books';
import type { ScorecardSources } from '../../core/scorecard/desk';
import { failureText } from '../base/failure';
import { statOrNull } from '../base/look';
import { type Database, NO_SQLITE, openDatabase } from './driver';
import { storePath } from './open-store';
import { readAttempts, readFamily, readFigures, readRefused, readTransitions } from './read';
import { readLive } from './read-live';
import { versionOf } from './schema';

/** `reason` is for people. */
export type Reading =
  | (Readonly<{
      ok: true;
      driver: Database['driver'];
      /** Needs single attempts. @throws SQLite's error. */
      live(query: LiveQuery): readonly LiveRow[];
      close(): void;
    }> &
      Pick<ScorecardSources, 'figures' | 'events' | 'attempts' | 'refused'>)
  | Readonly<{ ok: false; reason: string }>;

/** Never throws. */
export async function openReader(home: string): Promise<Reading> {
  const path = storePath(home);
  const info = await statOrNull(path);
  if (!info?.isFile()) return { ok: false, reason: 'Nothing has been recorded yet.' };
  try {
    const database = openDatabase(path);
    if (!database) return { ok: false, reason: NO_SQLITE };
    database.exec('PRAGMA busy_timeout = 2000; PRAGMA query_only = ON;');
    if (versionOf(database) === 0) {
      database.close();
      return { ok: false, reason: 'Nothing has been recorded yet.' };
    }
    const familyOf = (session: string): readonly string[] => readFamily(database, session);
    return {
      ok: true,
      driver: database.driver,
      figures(range) {
        const { session } = range;
        const hours = { ...hoursOf(range), isByDay: true };
        if (session === undefined) return readFigures(database, hours);
        return familyOf(session).flatMap((one) => readFigures(database, { session: one, ...hours }));
      },
      events: (range) => readTransitions(database, range),
      attempts: (range) => readAttempts(database, attemptsIn(range, familyOf)),
      refused: (range) => readRefused(database, attemptsIn(range, familyOf)),
      live: (query) => readLive(database, query),
      close: () => database.close(),
    };
  } catch (error) {
    return { ok: false, reason: `The history cannot be read: ${failureText(error)}` };
  }
}
