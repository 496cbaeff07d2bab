import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { planText } from '../../../src/features/council/core/texts';
import { type Making, makeRun, planRun } from '../../../src/features/council/node/prepare';
import { copyFolder, isPlayed, removeOldRuns, runFolder, runsIn } from '../../../src/features/council/node/run-folder';
import { canServe, makeRemote, sshStandIn, startGitServer, untilReached } from '../../support/git-remotes';
import { tempFolder } from '../temp-folder';

const MODELS = { leads: {}, defaultModel: 'alpha/large', models: ['alpha/large'], catalogue: {} };
const SHOP = { 'src/cart.js': '1;\n', 'README.md': '# Shop\n', '.env': 'KEY=verysecret\n', '.gitignore': 'own.js\n' };

/** A user who wants what lies at an address reviewed. */
async function user() {
  const root = await tempFolder();
  const home = join(root, 'home');
  await mkdir(join(root, 'config'));
  const { path } = makeRemote(join(root, 'shop.git'), SHOP, { link: '/etc/passwd' });
  const env = {
    ...{ PATH: process.env.PATH, HOME: root, OPENCODE_CONFIG_DIR: join(root, 'config'), GIT_CONFIG_NOSYSTEM: '1' },
    ...sshStandIn(root),
  };
  const plan = async (repo: string, more: Readonly<Record<string, string>> = {}) =>
    await planRun({
      input: { problem: null, repo, isDeep: false },
      ...{ directory: root, env: { ...env, ...more }, home, askedIn: null, models: MODELS },
    });
  const make = async (repo: string, making: Making = {}, more: Readonly<Record<string, string>> = {}) => {
    const planned = await plan(repo, more);
    if (!planned.ok) return planned;
    return await makeRun(planned.plan, making);
  };
  return { root, home, path, plan, make };
}

/** All that stands in the files below a folder. */
async function everythingIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return [...files, ...(await Promise.all(files.map((file) => readFile(file, 'utf8'))))].join('\n');
}

describe('a run of a repository at an address', () => {
  it('is begun with a copy of its plain files, and nothing else of it is kept', async () => {
    const { home, path, make } = await user();
    const made = await make(`git@far.test:${path}`);
    if (!made.ok) throw new Error(made.reason);
    const { run, repo, source } = made.place;
    expect([repo, source]).toEqual([copyFolder(home, run), `git@far.test:${path}`]);
    expect((await readdir(copyFolder(home, run), { recursive: true })).toSorted()).toEqual([
      ...['.gitignore', 'README.md', 'src', 'src/cart.js'],
    ]);
    expect((await readdir(runFolder(home, run))).toSorted()).toEqual(['journal.jsonl', 'place', 'place.json', 'repo']);
    const journal = await readFile(join(runFolder(home, run), 'journal.jsonl'), 'utf8');
    expect(JSON.parse(journal)).toMatchObject({ event: { setup: { input: { repo: 'shop' } } } });
    expect(journal).not.toContain('far.test');
    expect(await isPlayed(home, run)).toBe(false);
  });

  it('says beforehand where it comes from, by whom and how much, and never with a login', async () => {
    const { plan } = await user();
    const planned = await plan('https://somebody:tok-123456@example.test:8443/team/shop.git');
    if (!planned.ok) throw new Error(planned.reason);
    const text = planText(planned.plan);
    expect(text).toContain('Code review of shop, in 6 stages');
    expect(text).toContain(
      'Your git fetches it from https://example.test:8443/team/shop.git: only its latest commit, without submodules, at most 500 MB (depth 1). The fetched files are deleted after they are copied, and the copy when the run ends.',
    );
    expect(text + JSON.stringify(planned.plan.wanted)).not.toMatch(/somebody|tok-123456/);
  });

  it.each([
    ['http://example.test/shop.git', 'only by https or ssh'],
    ['ext::sh -c touch% x', 'not an address'],
    ['ssh://-oProxyCommand=touch/x', 'not an address'],
  ])('is refused for %s before anything is asked or written', async (repo, says) => {
    const { home, plan } = await user();
    expect(await plan(repo)).toEqual({ ok: false, reason: expect.stringContaining(says) });
    expect(existsSync(home)).toBe(false);
  });

  it('is refused where there is no git', async () => {
    const { plan, path } = await user();
    expect(await plan(`ssh://far.test${path}`, { PATH: '' })).toEqual({
      ok: false,
      reason: expect.stringContaining('none on the PATH'),
    });
  });

  it('leaves nothing where it cannot be fetched, is too large, holds nothing, or is interrupted', async () => {
    const { root, home, path, make } = await user();
    const empty = makeRemote(join(root, 'empty'), { '.env': '1' });
    const refused = [
      await make('ssh://far.test/nowhere'),
      await make(`ssh://far.test${path}`, { limits: { bytes: 100, ms: 60_000 } }),
      await make(`ssh://far.test${empty.path}`),
      await make(`ssh://far.test${path}`, { signal: AbortSignal.abort() }),
    ];
    expect(refused).toMatchObject([
      { ok: false, reason: expect.stringContaining('nowhere could not be fetched: ') },
      { ok: false, reason: expect.stringContaining('shop is too large') },
      { ok: false, reason: `There are no readable files in ssh://far.test${empty.path}.` },
      { ok: false, reason: 'Interrupted. Nothing was started.' },
    ]);
    expect(await runsIn(home)).toEqual([]);
  });

  it.skipIf(!canServe)('is made with a login that is afterwards nowhere on the disk', async () => {
    const { root, make } = await user();
    const server = await startGitServer(root, ({ headers }, response) => {
      if (headers.authorization === `Basic ${btoa('somebody:tok-123456')}`) return null;
      response.writeHead(401, { 'www-authenticate': 'Basic realm="shop"' }).end();
      return 'done';
    });
    onTestFinished(server.close);
    const makeWith = (login: string) => make(`${server.url.replace('//', `//${login}@`)}/shop.git`, {}, server.env);
    expect(await makeWith('somebody:tok-123456')).toMatchObject({
      ok: true,
      place: { source: `${server.url}/shop.git` },
    });
    expect(await makeWith('somebody:wrong-123456')).toMatchObject({ ok: false });
    expect(await everythingIn(root)).not.toMatch(/somebody|tok-123456|wrong-123456|c29tZWJvZHk/);
  });
});

describe('a process that fetches', () => {
  it('is left alone by others while it does, and tidied up after once it was killed', async () => {
    const { root, home, path, make } = await user();
    const pidFile = join(root, 'pid');
    const ending = new AbortController();
    const silent = sshStandIn(root, { afterBytes: 0, pidFile });
    const making = make(`ssh://far.test${path}`, { signal: ending.signal }, silent);
    await untilReached(pidFile);
    const [run = ''] = await runsIn(home);
    expect(await isPlayed(home, run)).toBe(true);
    // What would lie there after a kill: whoever has taken it lives no more.
    const killed = 'r20261126-113002-a1b2';
    await mkdir(join(runFolder(home, killed), 'clone', 'files'), { recursive: true });
    await writeFile(
      join(runFolder(home, killed), 'player.json'),
      JSON.stringify({ v: 1, pid: 2 ** 22, at: Date.now() }),
      {
        mode: 0o600,
      },
    );
    await removeOldRuns(home);
    expect(await runsIn(home)).toEqual([run]);
    expect(await readdir(join(runFolder(home, run), 'clone'))).toContain('empty');
    ending.abort();
    expect(await making).toEqual({ ok: false, reason: 'Interrupted. Nothing was started.' });
    expect(await runsIn(home)).toEqual([]);
  });
});
