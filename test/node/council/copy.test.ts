import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copyRepository, overviewOf } from '../../../src/node/council/copy';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'us-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function repository(files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, 'repo', path)), { recursive: true });
    await writeFile(join(root, 'repo', path), text);
  }
  return join(root, 'repo');
}

const copy = async (from: string) => {
  const outcome = await copyRepository(from, join(root, 'copy'));
  return outcome.ok ? outcome.files : outcome.reason;
};

it('leaves out what its version control ignores, holds secrets or leads elsewhere', async () => {
  const repo = await repository({
    ...{ '.git/HEAD': 'x', '.gitignore': 'dist/\n*.log\n', 'a.ts': '1', 'b.log': '2', 'dist/a.js': '3' },
    ...{ 'sub/.gitignore': '!kept.log\nlocal.json', 'sub/local.json': '4', 'sub/c.ts': '5', '.env': '6' },
    ...{ '.env.example': '7', 'node_modules/x/i.js': '8', 'key.pem': '9' },
  });
  await symlink('/etc/hostname', join(repo, 'link'));
  await symlink('/etc', join(repo, 'folder'));
  expect(await copy(repo)).toEqual(['.env.example', '.gitignore', 'a.ts', 'sub/.gitignore', 'sub/c.ts']);
});

it('heeds what is said above a folder of a repository', async () => {
  const repo = await repository({
    ...{ '.git/HEAD': 'x', '.gitignore': 'credentials.json\n/src/own/\n', 'src/credentials.json': '1' },
    ...{ 'src/own/a.ts': '2', 'src/b.ts': '3' },
  });
  expect(await copy(join(repo, 'src'))).toEqual(['b.ts']);
});

it('goes on past what cannot be read', async () => {
  const repo = await repository({ 'a.ts': '1', 'shut/b.ts': '2', 'c.ts': '3' });
  await chmod(join(repo, 'a.ts'), 0o000);
  await chmod(join(repo, 'shut'), 0o000);
  const files = await copy(repo);
  await chmod(join(repo, 'shut'), 0o700);
  // Root reads everything.
  expect(files).toEqual(process.getuid?.() === 0 ? ['a.ts', 'c.ts', 'shut/b.ts'] : ['c.ts']);
});

it('does not copy itself, where it lies in the repository', async () => {
  const repo = await repository({ 'a.ts': '1' });
  const outcome = await copyRepository(repo, join(repo, 'home', 'council', 'r', 'repo'));
  expect(outcome).toMatchObject({ ok: true, files: ['a.ts'] });
  expect(await readdir(join(repo, 'home', 'council', 'r', 'repo'))).toEqual(['a.ts']);
});

it('tells what there is', () => {
  expect(overviewOf(['a.ts', 'src/b.ts', 'src/c.js', 'LICENSE'])).toBe(
    '4 files: 2 .ts, 1 .js, 1 others\na.ts\nsrc/ (2)\nLICENSE',
  );
});
