import { basename } from 'node:path';
import type { DataInfo } from '../../contract/data';
import type { LogRecord } from '../../core/base/record';
import type { DataPort } from '../../core/ports/data';
import { failureText } from '../base/failure';
import { isPresent } from '../base/look';
import type { Environment } from '../base/state-home';
import type { Keeping } from '../store/keep';
import { type OpenStore, storePath } from '../store/open-store';
import type { EventLog } from './event-log';
import { addTo, importInto, opencodeDatabase } from './opencode-history';
import { backUpHere, backupsIn, eraseData, logBytes, logPath } from './own-data';

export type DataPlace = Readonly<{
  home: string;
  env: Environment;
  log: EventLog<LogRecord>;
  /** Null: `why` gives the reason. */
  store: OpenStore | null;
  why: string | null;
  keeping: () => Keeping;
}>;

export function createData(place: DataPlace): DataPort {
  const { home, env, log, store } = place;
  return {
    info: () => infoOf(place),
    async backUp() {
      await store?.flush();
      return await backUpHere(home, Date.now());
    },
    async takeIn() {
      if (!store) return { ok: false, reason: place.why ?? 'No history is stored.' };
      return await importInto((answers) => addTo(store, answers), opencodeDatabase(env));
    },
    async erase(first) {
      const begunAnew = [logPath(home), ...(store ? [storePath(home)] : [])].map((path) => basename(path));
      try {
        // In parallel: each first drops its waiting records.
        await Promise.all([log.restart(first), store?.erase()]);
        const erased = await eraseData(home, [...begunAnew, ...STORE_PARTS]);
        return erased.ok ? { ok: true, files: [...begunAnew, ...erased.files] } : erased;
      } catch (error) {
        return { ok: false, reason: `Not everything could be deleted: ${failureText(error)}` };
      }
    },
  };
}

const STORE_PARTS = ['-wal', '-shm'].map((part) => basename(storePath('')) + part);

async function infoOf({ home, env, log, store, why, keeping }: DataPlace): Promise<DataInfo> {
  await Promise.all([store?.flush(), log.flush()]);
  const opencode = opencodeDatabase(env);
  const isThere = await isPresent(opencode);
  return {
    folder: home,
    history: store && { path: storePath(home), ...store.extent() },
    why,
    logBytes: await logBytes(home),
    keeping: keeping(),
    backups: await backupsIn(home),
    opencode: { path: opencode, isThere },
  };
}
