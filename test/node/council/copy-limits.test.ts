/** @module-tag nightly */
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyRepository } from '../../../src/features/council/node/copy';
import { tempFolder } from '../temp-folder';

async function places() {
  const root = await tempFolder();
  const [repo, to] = [join(root, 'repo'), join(root, 'copy')];
  await mkdir(repo);
  return { repo, to };
}

it('lets others have their turns while thousands of slow rules are looked at for each file, and goes no further after some seconds', async () => {
  const { repo, to } = await places();
  // Each is compared with each place of such a name.
  await writeFile(join(repo, '.gitignore'), `*${'a'.repeat(45)}b\n`.repeat(5_000));
  for (let at = 0; at < 400; at++) writeFileSync(join(repo, `${'a'.repeat(200)}${at}`), '');
  let turns = 0;
  const others = setInterval(() => turns++, 5);
  const outcome = await copyRepository(repo, to);
  clearInterval(others);
  expect(outcome.ok ? outcome.files.length : outcome.reason).toBe(
    'Its .gitignore files have more rules than can be looked at, so what is ignored might be read: name a folder of it.',
  );
  expect(turns).toBeGreaterThan(20);
}, 240_000);

it('makes none of more folders than may be', async () => {
  const { repo, to } = await places();
  await writeFile(join(repo, 'a.ts'), '1');
  for (let at = 0; at < 50_000; at++) mkdirSync(join(repo, `d${at}`));
  expect(await copyRepository(repo, to)).toEqual({
    ok: false,
    reason: 'It is too large for a council, which reads at most 50000 files, as many folders and 500 MB.',
  });
  expect(await readdir(to)).toEqual(['a.ts']);
}, 240_000);
