import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { type Copying, copyRepository } from '../../../src/features/council/node/copy';
import { findGit } from '../../../src/features/council/node/git';
import { seeded } from '../../engine/naive';
import { tempFolder } from '../temp-folder';

const QUIET = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd, env: { ...process.env, ...QUIET }, encoding: 'utf8', stdio: 'pipe' });

async function write(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** A repository and a copy of it, each in a new folder. */
async function repository(files: Readonly<Record<string, string>>) {
  const root = await tempFolder();
  const repo = join(root, 'repo');
  await mkdir(repo);
  await write(repo, files);
  const copy = async (copying: Copying = {}) => {
    const outcome = await copyRepository(repo, join(root, 'copy'), copying);
    return outcome.ok ? outcome.files.toSorted() : outcome.reason;
  };
  return { root, repo, copy };
}

/** A program named git that runs a line of shell, with the path of the real one in `$git`. */
async function fakeGit(root: string, line: string): Promise<Readonly<Record<string, string>>> {
  const found = await findGit(process.env);
  await write(root, { 'bin/git': `#!/bin/sh\ngit='${found.ok ? found.git : ''}'\n${line}\n` });
  await chmod(join(root, 'bin', 'git'), 0o755);
  return { PATH: `${join(root, 'bin')}:${process.env.PATH}` };
}

describe('given a rule as people write it', () => {
  it.each([
    ['*.log', ['a.log', 'x/y/.log', 'A.LOG'], ['a.logs', 'log']],
    ['/dist/', ['dist/a'], ['x/dist/a']],
    ['/dist/', [], ['dist', 'x/dist']],
    ['build/', ['build/a', 'x/build/a'], []],
    ['build/', [], ['build']],
    ['[Bb]in/', ['bin/a', 'x/Bin/a'], ['bins/a']],
    ['**/vendor/**', ['vendor/a', 'x/vendor/a/b'], ['vendors/a']],
    ['/.yarn/**/*.cjs', ['.yarn/a.cjs', '.yarn/x/y/a.cjs'], ['x/.yarn/a.cjs']],
    ['*.py[cod]', ['a.pyc', 'a.pyo'], ['a.py', 'a.pyx']],
    ['[!a-c]x', ['dx'], ['ax', 'x']],
    ['[[:digit:]]*', ['1', '2b'], ['b2']],
    ['*\n!*/\n!*.ts', ['a.js', 'src/a.js'], ['a.ts', 'src/a.ts']],
    ['\\#a\n\\!b', ['#a', '!b'], ['a', 'b']],
    ['# a\n\n  \nc\\ \nd  \r\n\uFEFFe', ['c ', 'd'], ['a', '# a', 'c']],
    ['a?c*[', [], ['abc', 'abc[']],
  ])('when it is %j, then it leaves out %j and not %j', async (text, ignored, others) => {
    const paths = [...ignored, ...others];
    const { copy } = await repository(Object.fromEntries([...paths.map((path) => [path, '']), ['.gitignore', text]]));
    const files = await copy();
    expect(paths.filter((path) => !files.includes(path))).toEqual(ignored);
  });
});

describe('given rules of all kinds by chance', () => {
  const FILES = ['a', 'B', 'ab', 'a.b', 'aab.b', 'x/a', 'x/b', 'x/ab', 'x/a.b', 'x/y/a', 'x/y/b.a', 'x/y/z/a', 'y/x/a'];
  const PARTS = [
    ...['a', 'b', 'x', 'y', 'z', '*', '*', '?', '/', '/', '**', '/**/', '**/', '/**', '.'],
    ...['[ab]', '[!a]', '[a-y]', '\\a', '\\*', '[[:alpha:]]'],
  ];

  it('when git is asked what they leave out, then it says the same', async () => {
    const { repo, root } = await repository(Object.fromEntries(FILES.map((path) => [path, ''])));
    git(repo, 'init', '--quiet');
    const random = seeded(20);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    for (let round = 0; round < 80; round++) {
      const rule = () =>
        (random() < 0.25 ? '!' : '') + Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(PARTS)).join('');
      const text = Array.from({ length: 1 + Math.floor(random() * 4) }, rule).join('\n');
      await writeFile(join(repo, '.gitignore'), text);
      const outcome = await copyRepository(repo, join(root, 'copies', String(round)));
      const listed = git(repo, '-c', 'core.ignoreCase=true', 'ls-files', '--others', '--exclude-standard', '-z');
      const theirs = listed.split('\0').filter(Boolean);
      expect({ text, files: outcome.ok ? outcome.files.toSorted() : outcome }).toEqual({
        text,
        files: theirs.toSorted(),
      });
    }
  }, 60_000);
});

describe('given rules that mean harm', () => {
  const LONG = 'a'.repeat(100);
  it.each([
    ['a star again and again', `${'a*'.repeat(100)}b`, LONG],
    ['stars and single characters', `${'*?'.repeat(200)}b`, LONG],
    ['sets', `${'*[a-z]'.repeat(100)}[!a]`, LONG],
    ['a set as long as may be', `*[${'b'.repeat(990)}]`, LONG],
    ['a bracket without end', `${'*['.repeat(400)}`, LONG],
    ['backslashes', `${'*\\'.repeat(400)}`, LONG],
    ['many of them', 'a\n'.repeat(50_000), 'b'],
    ['a line without end', `${'b'.repeat(1_000_000)}\n${'#\n'.repeat(50_000)}`, LONG],
  ])('when they are made of %s, then it is soon seen what they say', async (_, rule, path) => {
    const { copy } = await repository({ '.gitignore': rule, [path]: '' });
    const began = performance.now();
    expect(await copy()).toContain(path);
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  const TOO_SLOW = 'Git could not list its files within 1 s, so ignored files might be read. Name a folder inside it.';
  it.each([
    ['any folders again and again', `${'**/a/'.repeat(150)}b`, `${'a/'.repeat(90)}${LONG}`],
    ['any folders with a star between', `${'**/*/'.repeat(150)}b`, `${'a/'.repeat(90)}${LONG}`],
    ['any folders with stars in names', `${'**/*a*a*/'.repeat(90)}b`, `${'aaaaa/'.repeat(90)}${LONG}`],
  ])('when git needs minutes for %s, then it ends, and nothing is copied', async (_, rule, path) => {
    const { copy, root } = await repository({ '.gitignore': rule, [path]: '' });
    let turns = 0;
    const others = setInterval(() => turns++, 5);
    expect(await copy({ copyLimits: { files: 10, listMs: 500 } })).toBe(TOO_SLOW);
    clearInterval(others);
    expect(turns).toBeGreaterThan(20);
    expect([existsSync(join(root, 'copy')), existsSync(join(root, 'listing'))]).toEqual([false, false]);
  });

  it('when git waits for ever to read them, then it ends, and nothing is copied', async () => {
    const { copy, repo } = await repository({ 'a.ts': '' });
    execFileSync('mkfifo', [join(repo, '.gitignore')]);
    expect(await copy({ copyLimits: { files: 10, listMs: 500 } })).toBe(TOO_SLOW);
  });

  it('when the copy is stopped while git lists, then git ends', async () => {
    const { copy, repo, root } = await repository({ 'a.ts': '' });
    const ending = new AbortController();
    const env = await fakeGit(root, `echo $$ > '${join(root, 'pid')}'; kill -STOP $$`);
    const copying = copy({ env, signal: ending.signal });
    await expect.poll(() => existsSync(join(root, 'pid'))).toBe(true);
    ending.abort();
    expect(await copying).toBe('The copy was stopped. Nothing was started.');
    expect(existsSync(join(repo, 'a.ts'))).toBe(true);
  });

  it('when git cannot read a file of them, then nothing is copied', async () => {
    const { copy, root } = await repository({ 'a.ts': '' });
    const env = await fakeGit(
      root,
      `echo "warning: unable to access 'x/.gitignore': Permission denied" >&2; exec "$git" "$@"`,
    );
    expect(await copy({ env })).toBe(
      'Git could not list its files, so ignored files might be read: x/.gitignore cannot be read.',
    );
  });

  it('when git fails, then nothing is copied and its reason is shown', async () => {
    const { copy, root } = await repository({ 'a.ts': '' });
    const env = await fakeGit(root, 'echo "fatal: out of memory" >&2; exit 128');
    expect(await copy({ env })).toBe(
      'Git could not list its files, so ignored files might be read: fatal: out of memory.',
    );
  });
});

describe('given a machine without git', () => {
  it('when a folder is to be copied, then nothing is copied', async () => {
    const { copy } = await repository({ 'a.ts': '' });
    expect(await copy({ env: { PATH: '.:relative' } })).toBe(
      'A council needs git to read repositories, but there is none on the PATH. Install git.',
    );
  });
});

describe('given settings of git', () => {
  it('when those of the repository name programs, then none is run', async () => {
    const { copy, repo, root } = await repository({ 'a.ts': '', '.gitignore': '*.log', 'b.log': '' });
    git(repo, 'init', '--quiet');
    const mark = join(root, 'ran');
    await writeFile(join(root, 'program'), `#!/bin/sh\ntouch '${mark}'\n`);
    await chmod(join(root, 'program'), 0o755);
    git(repo, 'config', 'core.fsmonitor', join(root, 'program'));
    await write(repo, { '.git/hooks/post-index-change': `#!/bin/sh\ntouch '${mark}'\n` });
    await chmod(join(repo, '.git', 'hooks', 'post-index-change'), 0o755);
    git(repo, 'ls-files', '--others');
    // The program is one that git runs.
    expect(existsSync(mark)).toBe(true);
    execFileSync('rm', [mark]);
    expect(await copy()).toEqual(['.gitignore', 'a.ts']);
    expect(existsSync(mark)).toBe(false);
  });

  it('when the repository or the user ignores more outside of .gitignore, then that does not count', async () => {
    const { copy, repo, root } = await repository({ 'a.ts': '', 'b.ts': '', 'c.ts': '', 'd.ts': '', 'e.ts': '' });
    git(repo, 'init', '--quiet');
    await write(repo, { '.git/info/exclude': 'a.ts' });
    await write(root, {
      'home/.gitconfig': `[core]\n\texcludesFile = ${join(root, 'excluded')}\n`,
      ...{ excluded: 'b.ts', 'home/.config/git/ignore': 'c.ts', 'xdg/git/ignore': 'd.ts' },
    });
    const env = {
      ...{ PATH: process.env.PATH, HOME: join(root, 'home'), XDG_CONFIG_HOME: join(root, 'xdg') },
      ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.excludesFile', GIT_CONFIG_VALUE_0: join(root, 'excluded') },
      ...{ GIT_DIR: join(root, 'nowhere'), GIT_INDEX_FILE: join(root, 'nowhere') },
    };
    expect(await copy({ env })).toEqual(['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts']);
  });

  it('when another user owns the repository, then its files are listed', async () => {
    const { copy, repo, root } = await repository({ 'a.ts': '', '.gitignore': '*.log', 'b.log': '' });
    git(repo, 'init', '--quiet');
    const env = await fakeGit(root, 'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec "$git" "$@"');
    const refused = () => execFileSync(join(root, 'bin', 'git'), ['ls-files'], { cwd: repo, stdio: 'pipe' });
    expect(refused).toThrow(/dubious ownership/);
    expect(await copy({ env })).toEqual(['.gitignore', 'a.ts']);
  });
});

describe('given a repository in a repository', () => {
  it('when the outer one is copied, then the rules of both leave files out', async () => {
    const { copy, repo } = await repository({
      ...{ '.gitignore': '*.log\n/sub/own.json\n', 'a.ts': '', 'sub/.gitignore': 'dist/\n', 'sub/b.ts': '' },
      ...{ 'sub/own.json': '', 'sub/c.log': '', 'sub/dist/d.ts': '', 'sub/deep/e.ts': '', 'sub/deep/f.log': '' },
      ...{ 'sub/node_modules/g.ts': '', 'sub/deep/dist/h.ts': '' },
    });
    for (const folder of ['', 'sub', 'sub/deep']) git(join(repo, folder), 'init', '--quiet');
    expect(await copy()).toEqual(['.gitignore', 'a.ts', 'sub/.gitignore', 'sub/b.ts', 'sub/deep/e.ts']);
  });

  it('when it is a submodule, then its files are copied', async () => {
    const { copy, repo, root } = await repository({ 'a.ts': '' });
    const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
    await write(join(root, 'other'), { 'b.ts': '' });
    for (const [folder, add] of [
      ['other', 'b.ts'],
      ['repo', 'a.ts'],
    ] as const) {
      git(join(root, folder), 'init', '--quiet');
      git(join(root, folder), 'add', add);
      git(join(root, folder), ...author, 'commit', '--quiet', '-m', 'First');
    }
    git(repo, '-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', join(root, 'other'), 'sub');
    expect(await copy()).toEqual(['.gitmodules', 'a.ts', 'sub/b.ts']);
  });
});
