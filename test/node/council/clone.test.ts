import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Fetching, withClone } from '../../../src/features/council/node/clone';
import { findGit } from '../../../src/features/council/node/git';
import { readAddress } from '../../../src/features/council/rules/process/address';
import type { Outcome } from '../../../src/node/base/failure';
import { isAlive } from '../../../src/node/base/is-alive';
import { eventually } from '../../support/eventually';
import {
  canServe,
  commitTree,
  type GitServer,
  type Instead,
  makeRemote,
  sshStandIn,
  startGitServer,
  untilReached,
} from '../../support/git-remotes';
import { tempFolder } from '../temp-folder';

const MB = 1_048_576;

/** A user with settings of their own, and a folder with what they may fetch. */
async function gitUser(settings = '') {
  const root = await tempFolder();
  const [home, remotes, folder] = [join(root, 'user'), join(root, 'remotes'), join(root, 'run', 'clone')];
  await mkdir(home);
  await mkdir(remotes);
  await writeFile(join(home, '.gitconfig'), settings);
  const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1', ...sshStandIn(root) };
  /** What comes of fetching an address: what lies there meanwhile, or why nothing does. */
  const fetched = async (
    url: string,
    more: Partial<Fetching> = {},
  ): Promise<Outcome<{ files: Readonly<Record<string, string>> }>> => {
    const read = readAddress(url);
    if ('problem' in read) return { ok: false, reason: read.problem };
    const outcome = await withClone({ address: read.address, folder, env, ...more }, async (files) => ({
      ok: true,
      files: await textsIn(files),
    }));
    // Whatever has come of it, nothing is left.
    expect(existsSync(folder)).toBe(false);
    return outcome;
  };
  return { root, home, remotes, folder, env, fetched };
}

async function textsIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const texts: Record<string, string> = {};
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    if (path.startsWith('.git/') || entry.isDirectory()) continue;
    texts[path] = entry.isFile() ? await readFile(join(folder, path), 'utf8') : 'no plain file';
  }
  return texts;
}

/** A server that ends with the test. */
async function serverOf(folder: string, instead?: Instead): Promise<GitServer> {
  const server = await startGitServer(folder, instead);
  onTestFinished(server.close);
  return server;
}

/** So many files of 64 KiB that no packing makes smaller, as make so many MiB. */
const noise = (mb: number): Readonly<Record<string, Buffer>> =>
  Object.fromEntries(Array.from({ length: mb * 16 }, (_, at) => [`noise-${at}`, randomBytes(MB / 16)]));

const SHOP = { 'README.md': '# Shop\n', 'src/cart.js': 'export const a = 1;\r\n' };

describe('given a repository at an address', () => {
  it('when it is fetched by ssh, then its newest state is read as it is, and nothing is left of it', async () => {
    const { remotes, fetched } = await gitUser();
    const remote = makeRemote(join(remotes, 'shop.git'), { old: '1' });
    const files = { '.gitattributes': '*.js text eol=crlf\n*.md ident\n', 'README.md': '$Id$\n', 'cart.js': '1;\n' };
    makeRemote(remote.path, files, {}, () => remote.git(['rm', '--quiet', '--cached', 'old']));
    const heard: number[] = [];
    const outcome = await fetched(`git@far.test:${remote.path}`, { onBytes: (bytes) => heard.push(bytes) });
    expect(outcome).toEqual({ ok: true, files });
    expect(heard.at(-1)).toBeGreaterThan(100);
  });

  it.skipIf(!canServe)('when it is fetched by https, then its history stays where it is', async () => {
    const { remotes, fetched, env, folder } = await gitUser();
    const remote = makeRemote(join(remotes, 'shop'), { 'README.md': 'Before.\n' });
    makeRemote(remote.path, SHOP);
    const server = await serverOf(remotes);
    const address = readAddress(`${server.url}/shop`);
    if ('problem' in address) throw new Error(address.problem);
    const seen = await withClone({ ...address, folder, env: { ...env, ...server.env } }, async (files) => ({
      ok: true,
      shallow: (await readFile(join(files, '.git', 'shallow'), 'utf8')).trim(),
    }));
    expect(seen).toEqual({ ok: true, shallow: remote.git(['rev-parse', 'HEAD']) });
    expect(await fetched(`${server.url}/shop`, { env: { ...env, ...server.env } })).toEqual({ ok: true, files: SHOP });
    expect(await fetched(`${server.url}/gone`, { env: { ...env, ...server.env } })).toEqual({
      ok: false,
      reason: expect.stringMatching(
        /^gone could not be fetched: .*not found\. No login can be entered here. To check the login, run: git ls-remote 'https:/,
      ),
    });
  });

  it('when whoever reads it throws, then it is removed all the same', async () => {
    const { remotes, folder, env } = await gitUser();
    const { path } = makeRemote(join(remotes, 'shop'), SHOP);
    const read = readAddress(`ssh://far.test${path}`);
    if ('problem' in read) throw new Error(read.problem);
    const reading = withClone({ ...read, folder, env }, () => Promise.reject(new Error('no')));
    await expect(reading).rejects.toThrow('no');
    expect(existsSync(folder)).toBe(false);
  });

  it('when it is empty, or git is not there, then that is said', async () => {
    const { remotes, fetched, env } = await gitUser();
    const { path, git } = makeRemote(join(remotes, 'shop'), {});
    git(['update-ref', '-d', 'HEAD']);
    expect(await fetched(`ssh://far.test${path}`)).toEqual({
      ok: false,
      reason: `There are no readable files in ssh://far.test${path}.`,
    });
    const nowhere = { ...env, PATH: '.:relative' };
    expect(await fetched(`ssh://far.test${path}`, { env: nowhere })).toEqual(await findGit(nowhere));
    expect(await findGit(nowhere)).toEqual({ ok: false, reason: expect.stringContaining('none on the PATH') });
  });
});

describe('given a repository that means harm', () => {
  it('when the user has hooks and filters for their own, then it starts none of them', async () => {
    const { root, home, remotes, fetched } = await gitUser();
    const [hooks, template] = [join(home, 'hooks'), join(home, 'template')];
    const ran = join(root, 'ran');
    for (const folder of [hooks, join(template, 'hooks')]) {
      await mkdir(folder, { recursive: true });
      for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction', 'fsmonitor'])
        await writeFile(join(folder, hook), `#!/bin/sh\necho ${hook} >> '${ran}'\n`, { mode: 0o755 });
    }
    await writeFile(
      join(home, '.gitconfig'),
      [
        `[core]\n\thooksPath = ${hooks}\n\tfsmonitor = ${join(hooks, 'fsmonitor')}\n\tautocrlf = true`,
        `[init]\n\ttemplateDir = ${template}`,
        `[filter "lfs"]\n\tsmudge = echo filter >> '${ran}'\n\trequired = true`,
        `[filter "other"]\n\tprocess = echo process >> '${ran}'`,
      ].join('\n'),
    );
    const attributes = '[attr]big filter=lfs\n*.bin big\n*.js filter=other working-tree-encoding=UTF-16\n';
    const files = { ...SHOP, '.gitattributes': attributes, 'a.bin': 'version https://git-lfs.github.com/spec/v1\n' };
    const { path } = makeRemote(join(remotes, 'shop'), { ...files, '.gitattributes': '' }, {}, ({ git }) => {
      const blob = git(['hash-object', '-w', '--stdin'], attributes);
      git(['update-index', '--add', '--cacheinfo', `100644,${blob},.gitattributes`]);
    });
    expect(await fetched(`ssh://far.test${path}`)).toEqual({ ok: true, files });
    expect(existsSync(ran)).toBe(false);
  });

  it('when it names other repositories, then they are not fetched', async () => {
    const { remotes, fetched } = await gitUser('[submodule]\n\trecurse = true\n');
    const other = makeRemote(join(remotes, 'other'), SHOP);
    const modules = `[submodule "lib"]\n\tpath = lib\n\turl = ssh://far.test${other.path}\n`;
    const { path } = makeRemote(join(remotes, 'shop'), { '.gitmodules': modules, 'a.js': '1' }, {}, ({ git }) =>
      git(['update-index', '--add', '--cacheinfo', `160000,${other.git(['rev-parse', 'HEAD'])},lib`]),
    );
    expect(await fetched(`ssh://far.test${path}`)).toEqual({
      ok: true,
      files: { '.gitmodules': modules, 'a.js': '1' },
    });
  });

  it('when it has links that lead out of it, then they are not there', async () => {
    const { remotes, fetched } = await gitUser();
    const links = { passwd: '/etc/passwd', up: '../../..', own: 'README.md' };
    const { path } = makeRemote(join(remotes, 'shop'), SHOP, links);
    expect(await fetched(`ssh://far.test${path}`)).toEqual({ ok: true, files: SHOP });
  });

  it.each([
    ['.git', 'hooks'],
    ['..', 'above'],
    ['.GIT', 'hooks'],
  ])('when it has a folder %s, then it is refused, and nothing is written', async (name, inner) => {
    const { remotes, fetched, root } = await gitUser();
    const remote = makeRemote(join(remotes, 'shop'), {});
    const blob = remote.git(['hash-object', '-w', '--stdin'], '#!/bin/sh\n');
    const below = remote.git(['mktree'], `100755 blob ${blob}\t${inner}\n`);
    commitTree(remote, remote.git(['mktree'], `040000 tree ${below}\t${name}\n`));
    const before = await readdir(root);
    expect(await fetched(`ssh://far.test${remote.path}`)).toEqual({
      ok: false,
      reason: expect.stringContaining('invalid path'),
    });
    expect(await readdir(root)).toEqual([...before, 'run'].toSorted());
  });

  it('when a few bytes of it say that there are billions of files, then it is too large', async () => {
    const { remotes, fetched } = await gitUser();
    const remote = makeRemote(join(remotes, 'bomb'), {});
    let [mode, id] = ['100644 blob', remote.git(['hash-object', '-w', '--stdin'], 'x')];
    for (let depth = 0; depth < 10; depth++) {
      const entries = Array.from({ length: 10 }, (_, at) => `${mode} ${id}\tf${at}\n`);
      [mode, id] = ['040000 tree', remote.git(['mktree'], entries.join(''))];
    }
    commitTree(remote, id);
    expect(await fetched(`ssh://far.test${remote.path}`)).toEqual({
      ok: false,
      reason: expect.stringMatching(/^bomb is too large: at most 500 MB and 50000 files and folders are fetched\./),
    });
  });

  it.each([
    ['files in them', '100644 blob'],
    ['nothing in them', '040000 tree'],
    ['other repositories in them', '160000 commit'],
  ])(
    'when a few bytes of it say that there are folders without number, with %s, then it is too large',
    async (_, kind) => {
      const { remotes, fetched } = await gitUser();
      const remote = makeRemote(join(remotes, 'folders'), {});
      const [mode, type] = kind.split(' ');
      const inner = {
        blob: () => remote.git(['hash-object', '-w', '--stdin'], 'x'),
        tree: () => remote.git(['mktree'], ''),
        commit: () => remote.git(['rev-parse', 'HEAD']),
      }[type as 'blob' | 'tree' | 'commit'];
      let folder = `${mode} ${type} ${inner()}`;
      // 30,000 folders with one thing in each: neither alone is too many.
      for (const count of [1, 1_000, 30]) {
        const entries = Array.from({ length: count }, (__, at) => `${folder}\td${at}\n`);
        folder = `040000 tree ${remote.git(['mktree'], entries.join(''))}`;
      }
      commitTree(remote, folder.split(' ')[2] ?? '');
      expect(await fetched(`ssh://far.test${remote.path}`)).toEqual({
        ok: false,
        reason: expect.stringMatching(
          /^folders is too large: at most 500 MB and 50000 files and folders are fetched\./,
        ),
      });
    },
  );

  it('when its folders take more room than its files, then that counts', async () => {
    const { remotes, fetched } = await gitUser();
    const folders = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`d${at}/f`, '']));
    const { path } = makeRemote(join(remotes, 'folders'), folders);
    expect(await fetched(`ssh://far.test${path}`, { limits: { bytes: 0.75 * MB, ms: 60_000 } })).toEqual({
      ok: false,
      reason: expect.stringMatching(/^folders is too large/),
    });
    expect(await fetched(`ssh://far.test${path}`, { limits: { bytes: 4 * MB, ms: 60_000 } })).toMatchObject({
      ok: true,
    });
  });

  it.each([
    ['one file', 16, 1],
    ['many files', 2, 4],
    ['one that is kept in memory', 6, 1],
  ])('when %s of it can be packed well, then its true size counts', async (_, mb, count) => {
    const { remotes, fetched } = await gitUser();
    const files = Object.fromEntries(
      Array.from({ length: count }, (__, at) => [`zeros-${at}`, Buffer.alloc(mb * MB, `${at}`)]),
    );
    const { path } = makeRemote(join(remotes, 'zeros'), files);
    const limits = { bytes: 5 * MB, ms: 60_000 };
    expect(await fetched(`ssh://far.test${path}`, { limits })).toEqual({
      ok: false,
      reason: expect.stringMatching(/^zeros is too large: at most 5 MB/),
    });
  });

  it('when it goes on to come past the limit, then all that fetches it is ended', async () => {
    const { root, remotes, fetched, env } = await gitUser();
    const { path } = makeRemote(join(remotes, 'noise'), noise(3));
    const pidFile = join(root, 'pid');
    const slow = sshStandIn(root, { afterBytes: 2 * MB, pidFile });
    const limits = { bytes: MB, ms: 120_000 };
    expect(await fetched(`ssh://far.test${path}`, { limits, env: { ...env, ...slow } })).toEqual({
      ok: false,
      reason: expect.stringMatching(/^noise is too large: at most 1 MB/),
    });
    const pid = await untilReached(pidFile);
    await eventually(() => !isAlive(pid));
  });

  it('when it was there before anybody looked, then its size counts as well', async () => {
    const { remotes, fetched } = await gitUser();
    const { path } = makeRemote(join(remotes, 'noise'), noise(2));
    expect(await fetched(`ssh://far.test${path}`, { limits: { bytes: MB, ms: 60_000 } })).toMatchObject({ ok: false });
    expect(await fetched(`ssh://far.test${path}`, { limits: { bytes: 5 * MB, ms: 60_000 } })).toMatchObject({
      ok: true,
    });
  });

  it.skipIf(!canServe).each(['http://127.0.0.1:PORT/shop', 'file:///ROOT/remotes/shop'])(
    'when it leads on to %s, then nobody follows',
    async (to) => {
      const { root, remotes, fetched, env } = await gitUser(
        '[protocol "file"]\n\tallow = always\n[http]\n\tfollowRedirects = true\n',
      );
      makeRemote(join(remotes, 'shop'), SHOP);
      let asked = 0;
      const plain = createServer((_, response) => {
        asked++;
        response.end();
      });
      await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void plain.close());
      const { port } = plain.address() as AddressInfo;
      const server = await serverOf(remotes, (request, response) => {
        const location =
          to.replace('PORT', String(port)).replace('/ROOT', root) + (request.url ?? '').replace('/shop', '');
        response.writeHead(302, { location }).end();
        return 'done';
      });
      const outcome = await fetched(`${server.url}/shop`, { env: { ...env, ...server.env } });
      expect(outcome).toMatchObject({ ok: false, reason: expect.stringContaining('shop could not be fetched: ') });
      expect([server.requests.length > 0, asked]).toEqual([true, 0]);
    },
  );

  it('when the user’s own settings lead to a file, then that is refused, also where they allow files', async () => {
    const { root, remotes, fetched } = await gitUser();
    const { path } = makeRemote(join(remotes, 'shop'), SHOP);
    const settings = `[url "file://${path}"]\n\tinsteadOf = https://far.test/shop\n[protocol "file"]\n\tallow = always\n`;
    await writeFile(join(root, 'user', '.gitconfig'), settings);
    expect(await fetched('https://far.test/shop')).toEqual({
      ok: false,
      reason: expect.stringContaining("transport 'file' not allowed"),
    });
  });
});

describe('given a fetch that does not come to its end', () => {
  it('when nobody ever answers, then it is over when its time is', async () => {
    const { root, env, fetched } = await gitUser();
    const pidFile = join(root, 'pid');
    const silent = { ...env, ...sshStandIn(root, { afterBytes: 0, pidFile }) };
    expect(await fetched('ssh://far.test/shop', { env: silent, limits: { bytes: MB, ms: 1_500 } })).toEqual({
      ok: false,
      reason: 'shop could not be fetched within 2 s. Clone it yourself, and name its folder.',
    });
    const pid = await untilReached(pidFile);
    await eventually(() => !isAlive(pid));
  });

  it('when it is interrupted, before or meanwhile, then it ends at once', async () => {
    const { root, env, fetched, folder } = await gitUser();
    const pidFile = join(root, 'pid');
    const silent = { ...env, ...sshStandIn(root, { afterBytes: 0, pidFile }) };
    const interrupted = { ok: false, reason: 'Interrupted. Nothing was started.' };
    const ending = new AbortController();
    const outcome = fetched('ssh://far.test/shop', { env: silent, signal: ending.signal });
    await untilReached(pidFile);
    expect(await readdir(folder)).toContain('empty');
    ending.abort();
    expect(await outcome).toEqual(interrupted);
    expect(await fetched('ssh://far.test/shop', { env: silent, signal: AbortSignal.abort() })).toEqual(interrupted);
  });
});

describe('given a machine with settings for other repositories', () => {
  it('when these stand in the environment or in a folder above, then they do not count', async () => {
    const { root, remotes, fetched, env } = await gitUser();
    const { path } = makeRemote(join(remotes, 'shop'), SHOP);
    const above = makeRemote(root, {});
    above.git(['config', 'url.file:///nowhere.insteadOf', 'ssh://far.test']);
    const traced = join(root, 'traced');
    const hooked = {
      ...{ GIT_DIR: join(root, '.git'), GIT_WORK_TREE: root, GIT_INDEX_FILE: join(root, 'index'), GIT_TRACE: traced },
      ...{ GIT_OBJECT_DIRECTORY: join(root, 'objects'), GIT_NAMESPACE: 'other', GIT_CONFIG_COUNT: '1' },
      ...{ GIT_CONFIG_KEY_0: 'url.file:///nowhere.insteadOf', GIT_CONFIG_VALUE_0: 'ssh://far.test' },
      ...{ GIT_CONFIG_PARAMETERS: "'url.file:///nowhere.insteadOf=ssh://far.test'", GIT_ALLOW_PROTOCOL: 'file' },
    };
    expect(await fetched(`ssh://far.test${path}`, { env: { ...env, ...hooked } })).toEqual({ ok: true, files: SHOP });
    for (const made of ['index', 'objects', 'traced']) expect(existsSync(join(root, made))).toBe(false);
  });

  it('when nobody has chosen an ssh, then it is one that asks nobody; else theirs', async () => {
    const { root, home, fetched, env, remotes } = await gitUser();
    const { path } = makeRemote(join(remotes, 'shop'), SHOP);
    // A project that the folder lies in has nothing to say.
    makeRemote(root, {}).git(['config', 'core.sshCommand', 'false']);
    const { GIT_SSH_COMMAND: chosen, ...unchosen } = env as Record<string, string>;
    await mkdir(join(root, 'bin'));
    await writeFile(join(root, 'bin', 'ssh'), `#!/bin/sh\necho "$@" > '${join(root, 'asked')}'\nexit 255\n`, {
      mode: 0o755,
    });
    const own = { ...unchosen, PATH: `${join(root, 'bin')}:${env.PATH}` };
    expect(await fetched(`git@far.test:${path}`, { env: own })).toMatchObject({ ok: false });
    expect(await readFile(join(root, 'asked'), 'utf8')).toMatch(/^-o BatchMode=yes git@far\.test git-upload-pack /);
    await writeFile(join(home, '.gitconfig'), `[core]\n\tsshCommand = ${chosen}\n`);
    expect(await fetched(`git@far.test:${path}`, { env: own })).toEqual({ ok: true, files: SHOP });
  });
});

describe.skipIf(!canServe)('given a login in an address', () => {
  const TOKEN = 'tok%2Ben-123456';
  const BASIC = { 'www-authenticate': 'Basic realm="shop"' };

  it('when its server asks for it, then it is given, and kept and told nowhere', async () => {
    const { root, home, remotes, fetched, env } = await gitUser();
    const store = join(home, 'store');
    await writeFile(join(home, '.gitconfig'), `[credential]\n\thelper = store --file=${store}\n`);
    makeRemote(join(remotes, 'shop'), SHOP);
    const given: string[] = [];
    let isRefused = false;
    const server = await serverOf(remotes, ({ headers }, response) => {
      const login = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString();
      given.push(login);
      if (login === 'somebody:tok+en-123456' && !isRefused) return null;
      response.writeHead(isRefused && login !== '' ? 403 : 401, { 'www-authenticate': 'Basic realm="shop"' });
      response.end();
      return 'done';
    });
    const trusting = { ...env, ...server.env };
    const url = server.url.replace('//', `//somebody:${TOKEN}@`);
    const seen: string[] = [];
    const read = readAddress(`${url}/shop`);
    if ('problem' in read) throw new Error(read.problem);
    await withClone({ ...read, folder: join(root, 'seen'), env: trusting }, async (files) => {
      seen.push(...Object.values(await textsIn(join(files, '.git'))));
      return { ok: true };
    });
    expect(seen.join('\n')).toContain(`url = ${server.url}/shop\n`);
    expect(seen.join('\n')).not.toMatch(/tok(?:%2B|\+)en|somebody/);
    expect(await fetched(`${url}/shop`, { env: trusting })).toEqual({ ok: true, files: SHOP });
    expect(new Set(given)).toEqual(new Set(['', 'somebody:tok+en-123456']));
    expect(existsSync(store)).toBe(false);

    isRefused = true;
    const refused = await fetched(`${url}/shop`, { env: trusting });
    expect(refused).toMatchObject({ ok: false, reason: expect.stringContaining('403') });
    expect(JSON.stringify(refused)).not.toMatch(/tok(?:%2B|\+)en|somebody/);
  });

  it.each([
    ['at once', false],
    ['once it has the login', true],
  ])('when its server leads %s to another host by https, then that host never receives it', async (_, isAsked) => {
    const { root, fetched, env } = await gitUser('[http]\n\tfollowRedirects = true\n');
    const received: (string | undefined)[] = [];
    const [near, far] = [join(root, 'near'), join(root, 'far')];
    await Promise.all([near, far].map((folder) => mkdir(folder)));
    const other = await serverOf(far, ({ headers }, response) => {
      received.push(headers.authorization);
      response.writeHead(401, BASIC).end();
      return 'done';
    });
    const server = await serverOf(near, ({ headers, url = '' }, response) => {
      const head = isAsked && !headers.authorization ? BASIC : { location: `${other.url}${url}` };
      response.writeHead('location' in head ? 302 : 401, head).end();
      return 'done';
    });
    const authorities = await Promise.all([near, far].map((folder) => readFile(join(folder, 'cert.pem'), 'utf8')));
    await writeFile(join(root, 'both.pem'), authorities.join('\n'));
    const outcome = await fetched(`${server.url.replace('//', `//somebody:${TOKEN}@`)}/shop`, {
      env: { ...env, GIT_SSL_CAINFO: join(root, 'both.pem') },
    });
    expect([outcome.ok, received.length > 0, received.filter((login) => login !== undefined)]).toEqual([
      false,
      true,
      [],
    ]);
  });

  it('when only its user stands there, then the user’s own helper gives the rest', async () => {
    const { home, remotes, fetched, env } = await gitUser();
    makeRemote(join(remotes, 'shop'), SHOP);
    const server = await serverOf(remotes, ({ headers }, response) => {
      if (headers.authorization === `Basic ${btoa('somebody:from-helper')}`) return null;
      response.writeHead(401, { 'www-authenticate': 'Basic realm="shop"' }).end();
      return 'done';
    });
    const url = `${server.url.replace('//', '//somebody@')}/shop`;
    const trusting = { ...env, ...server.env };
    expect(await fetched(url, { env: trusting })).toMatchObject({
      ok: false,
      reason: expect.stringContaining('terminal prompts disabled'),
    });
    await writeFile(
      join(home, '.gitconfig'),
      '[credential]\n\thelper = "!f() { test \\"$1\\" != get || grep -q username=somebody && echo password=from-helper; }; f"\n',
    );
    expect(await fetched(url, { env: trusting })).toEqual({ ok: true, files: SHOP });
  });

  it('when whoever answers repeats it, then it is left out of what is told', async () => {
    const { fetched, remotes, env } = await gitUser();
    const server = await serverOf(remotes, ({ headers }, response) => {
      const login = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString();
      const head = { 'www-authenticate': 'Basic realm="shop"', 'content-type': 'text/plain' };
      response.writeHead(login === '' ? 401 : 403, head).end(`No entry for ${login}, \u001b[31mgo away`);
      return 'done';
    });
    const url = server.url.replace('//', `//somebody:${TOKEN}@`);
    const outcome = await fetched(`${url}/shop`, { env: { ...env, ...server.env } });
    const { reason } = outcome as { reason: string };
    expect(reason).toContain('remote: No entry for [key]:[key], [31mgo away');
  });
});
