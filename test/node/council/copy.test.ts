import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CopyLimits, copyRepository, overviewOf } from '../../../src/features/council/node/copy';

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

const copy = async (from: string, copyLimits?: CopyLimits) => {
  const outcome = await copyRepository(from, join(root, 'copy'), { copyLimits });
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

it('names the files that hold secrets by name or by text, and copies none of them', async () => {
  const key = '-----BEGIN PRIVATE KEY-----';
  const repo = await repository({
    ...{ 'a.ts': '1', '.env~': '2', 'config/prod.env': '3', '.AWS/config': '4', 'id_rsa.bak': '5' },
    ...{
      'notes.txt': `x\n${key}`,
      'src/fixture.ts': `const key = '${key}';`,
      'large.txt': `${'x'.repeat(65_536)}${key}`,
    },
  });
  const outcome = await copyRepository(repo, join(root, 'copy'));
  expect(outcome).toMatchObject({ ok: true, files: ['a.ts', 'large.txt'], leftOut: 6 });
  expect('secrets' in outcome && outcome.secrets.toSorted()).toEqual(
    ['.AWS/config', '.env~', 'config/prod.env', 'id_rsa.bak', 'notes.txt', 'src/fixture.ts'].toSorted(),
  );
  for (const path of ['notes.txt', 'src/fixture.ts', '.env~']) expect(existsSync(join(root, 'copy', path))).toBe(false);
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

it('copies nothing of a folder that lies in one that is ignored', async () => {
  const repo = await repository({ '.git/HEAD': 'x', '.gitignore': '/own/\n', 'own/inner/a.ts': '1' });
  expect(await copy(join(repo, 'own', 'inner'))).toEqual([]);
});

describe('given a repository that means harm', () => {
  it.each([
    ['files', (at: number) => `a${at}`],
    ['folders', (at: number) => `${'d/'.repeat(at)}a`],
  ])('when it has more %s than may be, then it is refused', async (_, nameOf) => {
    const limits = { files: 10, listMs: 30_000 };
    const filesUpTo = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (__, at) => [nameOf(at), '']));
    // The repository itself is one of the folders.
    const repo = await repository(filesUpTo(9));
    expect(await copy(repo, limits)).toBeInstanceOf(Array);
    await repository(filesUpTo(11));
    expect(await copy(repo, limits)).toMatch(/^It is too large for a council, which reads at most 10 files, as many/);
  });

  it('when its folders lie in one another without end, then it is refused', async () => {
    const repo = await repository({ [`${'d/'.repeat(100)}a.ts`]: '1' });
    expect(await copy(repo)).toEqual([`${'d/'.repeat(100)}a.ts`]);
    await repository({ [`${'d/'.repeat(101)}a.ts`]: '1' });
    expect(await copy(repo)).toBe(
      'Its folders are nested more than 100 levels deep, which is too deep for a council. Name a folder inside it.',
    );
  });
});

describe('given a copy that is no longer wanted', () => {
  const STOPPED = { ok: false, reason: 'The copy was stopped. Nothing was started.' };

  it('when that is so from the beginning, then nothing is copied', async () => {
    const repo = await repository({ 'a.ts': '1' });
    expect(await copyRepository(repo, join(root, 'copy'), { signal: AbortSignal.abort() })).toEqual(STOPPED);
    expect(existsSync(join(root, 'copy', 'a.ts'))).toBe(false);
  });

  it('when that shows while files are copied, then it ends soon, and others have had their turns', async () => {
    const repo = await repository(Object.fromEntries(Array.from({ length: 1_200 }, (_, at) => [`a${at}`, ''])));
    const ending = new AbortController();
    let turns = 0;
    const count = (): void => {
      turns++;
      if (existsSync(join(root, 'copy', 'a1'))) ending.abort();
      else next = setImmediate(count);
    };
    let next = setImmediate(count);
    expect(await copyRepository(repo, join(root, 'copy'), { signal: ending.signal })).toEqual(STOPPED);
    clearImmediate(next);
    expect(turns).toBeGreaterThan(1);
    expect((await readdir(join(root, 'copy'))).length).toBeLessThan(1_200);
  });
});

it('tells what there is', () => {
  expect(overviewOf(['a.ts', 'src/b.ts', 'src/c.js', 'LICENSE'])).toBe(
    '4 files: 2 .ts, 1 .js, 1 others\na.ts\nsrc/ (2)\nLICENSE',
  );
});
