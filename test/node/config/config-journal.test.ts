import { execFile } from 'node:child_process';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  hashOf,
  hasWritten,
  journalFolder,
  listReceipts,
  note,
  type Receipt,
} from '../../../src/node/config/config-journal';
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

describe('given a file that has been written from a state home', () => {
  const written = async () => {
    const { home } = await journal();
    const path = join(await tempFolder(), 'model-fallback.json');
    const write = async (id: string, text: string) => {
      await note(home, { ...receipt(id), path, target: path, after: hashOf(Buffer.from(text)) });
      await writeFile(path, text);
    };
    await write('one', '{"a":1}');
    await write('two', '{"a":2}');
    return { home, path, isOwn: () => hasWritten(home, path) };
  };

  it('when it is as its last write left it, then it is one of ours', async () => {
    expect(await (await written()).isOwn()).toBe(true);
  });

  it.each([
    ['somebody else has changed it', '{"a":3}'],
    ['somebody has put an earlier state of ours back', '{"a":1}'],
  ])('when %s, then it is not', async (_, text) => {
    const { path, isOwn } = await written();
    await writeFile(path, text);
    expect(await isOwn()).toBe(false);
  });

  it('when it is gone, then that is not ours; once a write of ours has removed it, it is', async () => {
    const { home, path, isOwn } = await written();
    await rm(path);
    const before = await isOwn();
    await note(home, { ...receipt('three'), path, target: path, after: null });
    expect([before, await isOwn()]).toEqual([false, true]);
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
