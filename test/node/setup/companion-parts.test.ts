import { mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { companionPath, lookAtCompanion, putCompanion } from '../../../src/node/setup/companion-files';
import { markUsed, USED_MARK } from '../../../src/node/setup/parts-folder';
import { tempFolder } from '../temp-folder';

const DAY_MS = 86_400_000;
const ONE = `understudy-${'1'.repeat(12)}`;
const TWO = `understudy-${'2'.repeat(12)}`;

/** A program's build of the companion, whose parts lie in `folder`. */
async function build(root: string, folder: string): Promise<string> {
  const built = join(root, `built-${folder}`);
  await mkdir(join(built, folder), { recursive: true });
  for (const name of ['runtime.js', 'council.js']) await writeFile(join(built, folder, name), `// ${folder} ${name}`);
  const source = join(built, 'opencode-understudy.js');
  await writeFile(source, `// @bun opencode-understudy 1.0.0\nimport("./${folder}/runtime.js")\n`);
  return source;
}

async function installed() {
  const root = await tempFolder();
  const home = join(root, 'state');
  const sources = { one: await build(root, ONE), two: await build(root, TWO) };
  const put = async (source: string) => await putCompanion({ home, source });
  expect(await put(sources.one)).toEqual({ ok: true });
  const at = (...names: string[]): string => join(home, 'plugin', ...names);
  const folders = async () => (await readdir(at())).filter((name) => name.startsWith('understudy-')).toSorted();
  const entry = () => readFile(companionPath(home), 'utf8');
  return { root, home, sources, put, at, folders, entry };
}

/** A time so many days ago. */
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

describe('given an installed companion in parts', () => {
  it('when it is installed again, then no file is written, and the folder is private', async () => {
    const { sources, put, at } = await installed();
    const before = await stat(at(ONE, 'runtime.js'));
    await put(sources.one);
    expect((await stat(at(ONE, 'runtime.js'))).ino).toBe(before.ino);
    expect([before.mode & 0o777, (await stat(at(ONE))).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it('when a part is missing or damaged, then the companion is another, and installing repairs it', async () => {
    const { home, sources, put, at } = await installed();
    const look = () => lookAtCompanion({ home, source: sources.one });
    expect(await look()).toBe('current');
    for (const harm of [
      () => rm(at(ONE, 'council.js')),
      () => writeFile(at(ONE, 'runtime.js'), '// half'),
      () => rm(at(ONE), { recursive: true }),
    ]) {
      await harm();
      expect(await look()).toBe('other');
      expect(await put(sources.one)).toEqual({ ok: true });
      expect(await look()).toBe('current');
    }
  });

  it('when a part cannot be written, then the entry still leads to the parts before', async () => {
    const { sources, put, at, entry } = await installed();
    await mkdir(at(TWO, 'runtime.js'), { recursive: true });
    expect(await put(sources.two)).toMatchObject({ ok: false });
    expect(await entry()).toContain(ONE);
    expect(await readdir(at(ONE))).toEqual(['council.js', 'runtime.js']);
  });
});

describe('given an update of a companion in parts', () => {
  it.each([
    ['its process marked it 6 days ago', 6, [ONE, TWO]],
    ['its process marked it 8 days ago', 8, [TWO]],
  ] as const)(
    'when the folder is old and %s, then the folders after the next start of the app are as follows',
    async (_name, days, left) => {
      const { sources, put, at, folders, entry } = await installed();
      await writeFile(at(ONE, USED_MARK), '');
      await utimes(at(ONE, USED_MARK), daysAgo(days), daysAgo(days));
      await utimes(at(ONE), daysAgo(30), daysAgo(30));
      // An OpenCode that starts right now may have loaded the entry that is replaced.
      expect(await put(sources.two)).toEqual({ ok: true });
      expect([await folders(), await entry()]).toEqual([[ONE, TWO], expect.stringContaining(TWO)]);
      expect(await put(sources.two)).toEqual({ ok: true });
      expect(await folders()).toEqual(left);
    },
  );

  it('when no process has used the parts before for 8 days, then they go; what only has such a name stays', async () => {
    const { root, sources, put, at, folders } = await installed();
    const outside = join(root, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'mine'), '');
    const link = `understudy-${'3'.repeat(12)}`;
    await symlink(outside, at(link));
    await mkdir(at('understudy-notes'));
    for (const name of [ONE, 'understudy-notes']) await utimes(at(name), daysAgo(8), daysAgo(8));
    for (let times = 0; times < 2; times++) await put(sources.two);
    expect(await folders()).toEqual([TWO, link, 'understudy-notes']);
    expect(await readdir(outside)).toEqual(['mine']);
  });

  it('when a process loads its parts, then it marks them as used; parts that lie elsewhere are not marked', async () => {
    const { home, at } = await installed();
    markUsed(pathToFileURL(at(ONE, 'runtime.js')).href, home);
    await expect.poll(() => readdir(at(ONE))).toContain(USED_MARK);
    markUsed(pathToFileURL(at('src', 'runtime.js')).href, home);
    markUsed(pathToFileURL(at(TWO, 'runtime.js')).href, home);
    expect((await readdir(at())).toSorted()).toEqual(['opencode-understudy', 'opencode-understudy.js', ONE]);
  });
});
