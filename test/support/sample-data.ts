import type { Handlers } from '../../src/contract/contract';
import type { DataInfo } from '../../src/contract/data';

const MEBIBYTE = 1_048_576;
const FOLDER = '/home/ada/.local/state/understudy';

export const sampleInfo: DataInfo = {
  folder: FOLDER,
  history: {
    path: `${FOLDER}/history.db`,
    bytes: 48 * MEBIBYTE,
    driver: 'node:sqlite',
    attempts: 12_480,
    oldestAt: 1_787_400_000_000,
    refused: 0,
  },
  why: null,
  logBytes: 7 * MEBIBYTE,
  keeping: { detailDays: 30, maxBytes: 512 * MEBIBYTE },
  backups: [{ path: `${FOLDER}/backups/history-1.db`, bytes: 31 * MEBIBYTE, at: 1_789_000_000_000 }],
  opencode: { path: '/home/ada/.local/share/opencode/opencode.db', isThere: true },
};

export const sampleData: Pick<Handlers, 'data.info' | 'data.backup' | 'data.import' | 'data.erase'> = {
  'data.info': () => sampleInfo,
  'data.backup': () => ({
    ok: true,
    path: `${FOLDER}/backups/history-2.db`,
    bytes: 48 * MEBIBYTE,
    at: 1_790_000_000_000,
  }),
  'data.import': () => ({ ok: true, found: 820, added: 815 }),
  'data.erase': () => ({ ok: true, files: ['events.jsonl', 'history.db'] }),
};
