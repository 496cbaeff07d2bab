import { execFile } from 'node:child_process';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { journalFolder, listReceipts, note, type Receipt } from '../../../src/node/config/config-journal';
import { tempFolder } from '../temp-folder';

const receipt = (id: string): Receipt => ({
  ...{ v: 1, id, at: 0, path: '/x/a.json', target: '/x/a.json', before: null, after: 'ab', backup: null },
  ...{ actor: 'test', deed: `write ${id}` },
});

async function journal() {
  const home = join(await tempFolder(), 'u');
  const path = join(journalFolder(home), 'journal.jsonl');
  return { home, path, ids: async () => (await listReceipts(home)).map(({ id }) => id) };
}

describe('given a journal whose last line a full disk has cut off', () => {
  it('when the next write is noted, then it stands on a line of its own, and is known', async () => {
    const { home, path, ids } = await journal();
    await note(home, receipt('one'));
    await appendFile(path, JSON.stringify(receipt('torn')).slice(0, 40));
    await note(home, receipt('two'));
    await note(home, { id: 'one', reason: 'failed' });
    expect([await ids(), (await readFile(path, 'utf8')).split('\n').length]).toEqual([['two'], 5]);
  });
});

describe('given a pipe in the place of the journal', () => {
  it('when a write is noted, then that fails, and nobody waits', async () => {
    const { home, path } = await journal();
    await note(home, receipt('one'));
    await rm(path);
    await promisify(execFile)('mkfifo', [path]);
    await expect(note(home, receipt('two'))).rejects.toThrow(`${path} is not a file`);
  });
});
