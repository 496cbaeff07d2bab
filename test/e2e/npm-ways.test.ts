import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../../src/demo/scripted-provider';
import { attachCore } from '../../src/node/attach-core';
import { stateHome } from '../../src/node/base/state-home';
import { findOpencode, type OpencodeBinary, startOpencode, startOpencode2 } from '../../src/node/opencode';
import { findFreePort } from '../../src/node/opencode/free-port';
import { companionFolder } from '../../src/node/setup/companion-files';
import { eventually } from '../support/eventually';
import { NIGHTLY } from '../support/nightly';
import { type Packed, pack, packNext } from '../support/npm-package';
import { type NpmRegistry, startNpmRegistry } from '../support/npm-registry';
import { createNpmUser, type NpmUser } from '../support/npm-user';
import { opencodeBinary } from '../support/opencode-binary';

const LIMIT_MS = 120_000;
const GENERATIONS = [1, 2] as const;
type Generation = (typeof GENERATIONS)[number];

let scratch: string;
let provider: ScriptedProvider;
let now: Packed;
let next: Packed;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'us-ways-'));
  [now, next, provider] = [await pack(scratch), await packNext(scratch), await startScriptedProvider()];
}, LIMIT_MS);
afterAll(async () => {
  await provider?.close();
  await rm(scratch, { recursive: true, force: true });
});

async function binaryOf(generation: Generation): Promise<OpencodeBinary> {
  if (generation === 1) return await opencodeBinary();
  const search = await findOpencode({ OPENCODE_BIN: process.env.OPENCODE2_BIN });
  if (!search.ok) throw new Error(search.reason);
  return search.binary;
}

/** One person's machine, with the first version in npm's registry. */
type Machine = Readonly<{ user: NpmUser; generation: Generation; registry: NpmRegistry }>;

/** The change that the app's page *Setup* makes. */
async function inApp({ user }: Machine, action: 'install' | 'uninstall'): Promise<void> {
  const core = await attachCore({ env: user.sandbox.env, runtime: 'test' });
  if (core === null) throw new Error('no app runs');
  const { handlers } = core.host;
  const change = { directory: null, action, scope: 'global', create: true, evenIfEdited: false } as const;
  const diff = await handlers['setup.diff'](change);
  const seen = diff.ok ? diff.files.map((file) => file.seen) : [];
  expect(await handlers['setup.apply']({ ...change, seen })).toMatchObject({ ok: true });
  await core.close();
}

const succeeds = async (run: ReturnType<NpmUser['npx']>): Promise<string> => {
  const { code, out, err } = await run;
  if (code !== 0) throw new Error(`ended with ${code}: ${out}${err}`);
  return out;
};

type Way = Readonly<{
  install(machine: Machine): Promise<unknown>;
  update(machine: Machine): Promise<unknown>;
  remove(machine: Machine): Promise<unknown>;
}>;
const NPX: Way = {
  install: ({ user }) => succeeds(user.npx('install')),
  update: ({ user }) => succeeds(user.npx('install')),
  remove: ({ user }) => succeeds(user.npx('uninstall', '--yes')),
};
const OPENCODE: Way = {
  install: ({ user, generation }) =>
    succeeds(
      generation === 1
        ? user.opencode('plugin', 'opencode-understudy', '--global')
        : user.opencode('plugin', 'add', 'opencode-understudy'),
    ),
  update: ({ user, generation }) =>
    generation === 1
      ? succeeds(user.opencode('plugin', `opencode-understudy@${next.manifest.version}`, '--global', '--force'))
      : eventually(async () => (await succeeds(user.opencode('plugin', 'update'))).includes('Updated')),
  remove: ({ user, generation }) =>
    generation === 1
      ? succeeds(user.npx('uninstall', '--yes'))
      : succeeds(user.opencode('plugin', 'remove', pathToFileURL(companionFolder(stateHome(user.sandbox.env))).href)),
};
const APP: Way = {
  install: (machine) => inApp(machine, 'install'),
  // A newer app does it by itself when it starts.
  update: async () => undefined,
  remove: (machine) => inApp(machine, 'uninstall'),
};

/** Each way, and another one that removes it. */
const WAYS = [
  ['by npx and removed by the app', NPX, APP],
  ['by OpenCode and removed by npx', OPENCODE, NPX],
  ['by the app and removed by OpenCode 2, else by npx', APP, OPENCODE],
] as const;

describe.each(GENERATIONS)('given an empty home, an empty npm cache and OpenCode %i', (generation) => {
  it.each(WAYS)(
    'when the package is installed %s, then it protects, is updated, and nothing of it is left',
    {
      ...NIGHTLY,
      timeout: 10 * LIMIT_MS,
    },
    async (name, installed, removed) => {
      const registry = await startNpmRegistry();
      await registry.publish(now.tarball, now.manifest);
      const binary = await binaryOf(generation);
      const user = await createNpmUser({ binary, provider: provider.url, registry: registry.url });
      onTestFinished(async () => {
        await user.opencode('service', 'stop');
        await user.close();
        await registry.close();
      });
      const machine = { user, generation, registry };
      const ask = (text: string) => user.opencode('run', ...(generation === 2 ? ['--standalone'] : []), text);
      provider.clear();
      provider.script('lead-model', [
        { kind: 'text', text: 'LEAD' },
        { kind: 'status', status: 429 },
      ]);
      provider.script('understudy-model', [{ kind: 'text', text: 'SAVED' }]);
      // OpenCode's own files come first. Its service has one port for all users, which another test may have.
      if (generation === 2) await succeeds(user.opencode('service', 'set', 'port', String(await findFreePort())));
      expect((await ask('Zero')).out).toContain('LEAD');
      const before = await user.files();
      const began = performance.now();

      let panel = await user.startPanel(now.folder);
      await installed.install(machine);
      await succeeds(
        user.npx('chains', 'set', '*', 'alpha/lead-model', 'beta/understudy-model', '--global', '--create'),
      );
      expect(await ask('One')).toMatchObject({ code: 0, out: expect.stringContaining('SAVED') });
      const findings = async () =>
        JSON.parse((await user.npx('doctor', '--json')).out) as { check: string; verdict: string; says: string }[];
      const file = async () => (await findings()).filter(({ check }) => check === 'companion.file');
      expect(await file()).toMatchObject([{ verdict: 'ok', says: expect.stringContaining(now.manifest.version) }]);
      await drillIn(machine, binary);

      await panel.stop();
      await registry.publish(next.tarball, next.manifest);
      panel = await user.startPanel(next.folder);
      await installed.update(machine);
      expect(await file()).toMatchObject([{ verdict: 'ok', says: expect.stringContaining(next.manifest.version) }]);
      expect(await ask('Two')).toMatchObject({ code: 0, out: expect.stringContaining('SAVED') });

      await removed.remove(machine);
      expect((await findings()).find(({ check }) => check === 'companion.listed')).toMatchObject({ verdict: 'fail' });
      await panel.stop();
      await user.opencode('service', 'stop');
      await succeeds(user.npx('uninstall', '--purge', '--yes'));
      const seconds = (performance.now() - began) / 1_000;
      console.info(`OpenCode ${binary.version}, ${name}: ${seconds.toFixed(1)} s from install to purge`);
      expect(await user.files()).toEqual(before);
      expect(seconds).toBeLessThan(120);
    },
  );
});

describe('given a packed file and no registry', () => {
  it('when npx runs it, then it installs, and a purge leaves nothing', { ...NIGHTLY, timeout: LIMIT_MS }, async () => {
    const user = await createNpmUser({
      binary: await binaryOf(1),
      provider: provider.url,
      registry: 'http://127.0.0.1:9',
    });
    onTestFinished(() => user.close());
    const before = await user.files();
    expect(await succeeds(user.npxFile(now.tarball, 'install'))).toContain('Start each command like this one');
    expect(await user.files()).toContain('.local/state/understudy/plugin/opencode-understudy.js');
    await succeeds(user.npxFile(now.tarball, 'uninstall', '--purge', '--yes'));
    // OpenCode makes folders of its own when it tells its version.
    const added = (await user.files()).filter((path) => !before.includes(path) && !path.endsWith('.tgz'));
    expect(added.filter((path) => /understudy|\.jsonc?$/.test(path))).toEqual([]);
  });
});

/** A drill in an OpenCode that serves the project. */
async function drillIn({ user, generation }: Machine, binary: OpencodeBinary): Promise<void> {
  const options = { binary, sandbox: user.sandbox };
  const { directory } = user.sandbox;
  if (generation === 1) {
    const server = await startOpencode(options);
    await server.createSession(directory);
    await passes(user);
    await server.stop();
    return;
  }
  const server = await startOpencode2(options);
  await server.openProject(directory);
  await passes(user);
  await server.stop();
}

/** OpenCode 2 lists the models of its configuration some moments after it has opened a project. */
const passes = (user: NpmUser) =>
  eventually(async () => (await user.npx('drill')).out.includes('lead-model → understudy-model'));
