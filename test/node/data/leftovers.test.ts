import { spawnSync } from 'node:child_process';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { clearLeftovers } from '../../../src/node/data/leftovers';
import { tempFolder } from '../temp-folder';

const sibling = (name: string, pid: number): string => `.${name}.${pid}.0123456789ab.tmp`;

it('given a folder in which writers were killed, when it is cleared, then only what the dead were writing is gone', async () => {
  const folder = join(await tempFolder(), 'u');
  await mkdir(folder, { mode: 0o700 });
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  const young = sibling('trust.json', dead);
  const kept = ['health.json', sibling('health.json', process.pid), '.mine.tmp', 'notes.0123456789ab.tmp', young];
  for (const name of [...kept, sibling('health.json', dead), sibling('kept-models.json', dead)]) {
    await writeFile(join(folder, name), '{');
    if (name !== young) await utimes(join(folder, name), 1, 1);
  }
  await clearLeftovers(folder);
  expect((await readdir(folder)).sort()).toEqual(kept.toSorted());
});

it('given a folder that is not there, when it is cleared, then nothing happens', async () => {
  await expect(clearLeftovers(join(await tempFolder(), 'none'))).resolves.toBeUndefined();
});
