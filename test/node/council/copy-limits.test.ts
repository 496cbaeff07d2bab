/** @module-tag nightly */
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { copyRepository } from '../../../src/features/council/node/copy';
import { tempFolder } from '../temp-folder';

async function places() {
  const root = await tempFolder();
  const [repo, to] = [join(root, 'repo'), join(root, 'copy')];
  await mkdir(repo);
  return { root, repo, to };
}

const TOO_LARGE = 'It is too large for a council, which reads at most 50000 files, as many folders and 500 MB.';

it('makes none of more folders than may be', async () => {
  const { root, repo, to } = await places();
  for (let at = 0; at < 25_001; at++) {
    mkdirSync(join(repo, `d${at}`, 'e'), { recursive: true });
    writeFileSync(join(repo, `d${at}`, 'e', 'a.ts'), '');
  }
  expect(await copyRepository(repo, to)).toEqual({ ok: false, reason: TOO_LARGE });
  expect(await readdir(root)).toEqual(['repo']);
}, 240_000);

it('lists 20,000 files within seconds, and ends a list of more than 16 MB', async () => {
  const { root, repo, to } = await places();
  const write = (folder: string, name: (at: number) => string, count: number): void => {
    mkdirSync(join(repo, folder), { recursive: true });
    for (let at = 0; at < count; at++) writeFileSync(join(repo, folder, name(at)), '');
  };
  for (let at = 0; at < 20; at++) write(`d${at}`, (nth) => `a${nth}`, 1_000);
  const began = performance.now();
  const outcome = await copyRepository(repo, to);
  expect(outcome.ok && outcome.files.length).toBe(20_000);
  expect(performance.now() - began).toBeLessThan(60_000);
  const long = 'b'.repeat(240);
  write(join(long, long, long), (nth) => `${long}${nth}`, 17_500);
  const refused = join(root, 'refused', 'copy');
  expect(await copyRepository(repo, refused)).toEqual({ ok: false, reason: TOO_LARGE });
  expect(await readdir(join(root, 'refused'))).toEqual([]);
}, 240_000);
