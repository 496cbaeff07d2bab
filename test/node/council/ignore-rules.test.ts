import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { copyRepository } from '../../../src/features/council/node/copy';
import { readRules, speaksOf } from '../../../src/features/council/node/ignore-rules';
import { seeded } from '../../engine/naive';
import { tempFolder } from '../temp-folder';

/** True if what a file says, read alone, leaves out a path; a folder ends with a slash. */
function isLeftOut(text: string, path: string): boolean {
  const read = readRules(text);
  if ('problem' in read) throw new Error(read.problem);
  const names = path.toLowerCase().replace(/\/$/, '').split('/');
  const last = read.rules.findLast((rule) => speaksOf(rule, names, path.endsWith('/'), { steps: 0 }));
  return last !== undefined && !last.isNegative;
}

describe('given a rule as people write it', () => {
  it.each([
    ['*.log', ['a.log', 'x/y/.log', 'A.LOG'], ['a.logs', 'log']],
    ['/dist/', ['dist/'], ['dist', 'x/dist/']],
    ['build/', ['build/', 'x/build/'], ['build']],
    ['[Bb]in/', ['bin/', 'x/Bin/'], ['bins/', 'bin']],
    ['**/node_modules/**', ['node_modules/a', 'x/node_modules/a/b'], ['node_modules/']],
    ['/.yarn/**/*.cjs', ['.yarn/a.cjs', '.yarn/x/y/a.cjs'], ['x/.yarn/a.cjs']],
    ['*.py[cod]', ['a.pyc', 'a.pyo'], ['a.py', 'a.pyx']],
    ['[!a-c]x', ['dx'], ['ax', 'x']],
    ['[[:digit:]]*', ['1', '2b'], ['b2']],
    ['*\n!*/\n!*.ts', ['a.js'], ['a.ts', 'src/']],
    ['\\#a\n\\!b', ['#a', '!b'], ['a', 'b']],
    ['# a\n\n  \nc\\ \nd  \r\n\uFEFFe', ['c ', 'd'], ['a', '# a', 'c']],
    ['a?c*[', [], ['abc', 'abc[']],
  ])('when it is %j, then it leaves out %j and not %j', (text, out, kept) => {
    expect([...out, ...kept].filter((path) => isLeftOut(text, path))).toEqual(out);
  });
});

/**
 * Letters with two stars right after them, which are plain stars by git's word: its shortcut for what a rule begins with takes them for folders.
 */
const ODD = /^!?\/?[^*?[\\\n]+\*{2,}\//m;

describe('given rules of all kinds by chance', () => {
  const FILES = ['a', 'B', 'ab', 'a.b', 'aab.b', 'x/a', 'x/b', 'x/ab', 'x/a.b', 'x/y/a', 'x/y/b.a', 'x/y/z/a', 'y/x/a'];
  const PARTS = [
    'a',
    'b',
    'x',
    'y',
    'z',
    '*',
    '*',
    '?',
    '/',
    '/',
    '**',
    '/**/',
    '**/',
    '/**',
    '.',
    '[ab]',
    '[!a]',
    '[a-y]',
    '\\a',
    '\\*',
    '[[:alpha:]]',
  ];

  it('when git is asked what they leave out, then it says the same', async () => {
    const root = await tempFolder();
    const repo = join(root, 'repo');
    for (const path of FILES) {
      await mkdir(dirname(join(repo, path)), { recursive: true });
      await writeFile(join(repo, path), '');
    }
    const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'core.ignoreCase=true', ...args], { cwd: repo, env, encoding: 'utf8' });
    git('init', '--quiet');
    const random = seeded(20);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    for (let round = 0; round < 80; round++) {
      const rule = () =>
        (random() < 0.25 ? '!' : '') + Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(PARTS)).join('');
      const text = Array.from({ length: 1 + Math.floor(random() * 4) }, rule).join('\n');
      if (ODD.test(text)) continue;
      await writeFile(join(repo, '.gitignore'), text);
      const outcome = await copyRepository(repo, join(root, 'copies', String(round)));
      const theirs = git('ls-files', '--others', '--exclude-standard', '-z').split('\0').filter(Boolean);
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
    ['any folders again and again', `${'**/a/'.repeat(150)}b`, 'a/'.repeat(90) + LONG],
    ['any folders with a star between', `${'**/*/'.repeat(150)}b`, 'a/'.repeat(90) + LONG],
    ['any folders with stars in names', `${'**/*a*a*/'.repeat(90)}b`, 'aaaaa/'.repeat(90) + LONG],
    ['a set as long as may be', `*[${'b'.repeat(990)}]`, LONG],
    ['a bracket without end', `${'*['.repeat(400)}`, LONG],
    ['backslashes', `${'*\\'.repeat(400)}`, LONG],
  ])('when they are made of %s, then it is soon seen what they say', (_, rule, path) => {
    const began = performance.now();
    expect(isLeftOut(rule, path)).toBe(false);
    expect(performance.now() - began).toBeLessThan(500);
  });

  it('when they are too long or too many, then that is said; as many comments as one likes are none', () => {
    expect(readRules(`# ${'a'.repeat(5_000)}\n${'a'.repeat(1_001)}`)).toEqual({
      problem: 'line 2 is longer than 1000 characters',
    });
    expect(readRules('a\n'.repeat(5_001))).toEqual({ problem: 'they are more than 5000' });
    expect(readRules(`${'#\n'.repeat(50_000)}a`)).toMatchObject({ rules: [{}], characters: 1 });
  });
});
