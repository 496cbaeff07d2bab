import { mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveScope } from '../../../src/core/config';
import { configPaths } from '../../../src/node/config/config-files';
import { loadConfig, openConfig } from '../../../src/node/config/config-reader';
import { strays } from '../../support/hostile/strays';
import { tempFolder } from '../temp-folder';

const OWN = JSON.stringify({
  defaults: { maxPriceRatio: 1, vendorLock: true },
  agents: { '*': { fallbackModels: ['p0/m1', 'p0/m2'] } },
});
const FREE = JSON.stringify({ provider: { p0: { models: { m1: { cost: { input: 0, output: 0 } } } } } });
const HOST = {
  leads: { build: 'p0/m0' },
  defaultModel: null,
  catalogue: { 'p0/m0': { priceIn: 1, priceOut: 1 }, 'p0/m1': { priceIn: 0, priceOut: 0 } },
};

/** A folder of a repository that OpenCode has open, and a user with limits of their own. */
async function world(inner = 'home/repo/packages/app') {
  const root = await realpath(await tempFolder());
  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  await put('home/config/model-fallback.json', OWN);
  await mkdir(join(root, inner), { recursive: true });
  const env = {
    OPENCODE_CONFIG_DIR: join(root, 'home/config'),
    UNDERSTUDY_HOME: join(root, 'u'),
    HOME: join(root, 'home'),
  };
  const paths = configPaths(join(root, inner), env);
  const scope = async () => resolveScope((await loadConfig(paths)).sources, HOST);
  const chain = async () => (await scope()).config.agents.build?.chain;
  return { root, put, paths, scope, chain };
}
const WHOLE = ['p0/m0', 'p0/m1', 'p0/m2'];
const WITHOUT = ['p0/m0', 'p0/m2'];

describe('given folders above a project', () => {
  it.each([
    'home/repo/opencode.json',
    'home/repo/packages/.opencode/opencode.jsonc',
    'home/repo/.opencode/opencode.json',
  ])('when %s says what a model costs, then the user’s limit does not go by that', async (path) => {
    const { put, chain } = await world();
    expect(await chain()).toEqual(WHOLE);
    await put(path, FREE);
    expect(await chain()).toEqual(WITHOUT);
  });

  it('when one of them says how a provider is asked, then its health is kept apart', async () => {
    const { put, scope } = await world();
    await put('home/repo/opencode.json', JSON.stringify({ provider: { acme: { options: { timeout: 1 } } } }));
    expect((await scope()).apart).toEqual(['acme']);
  });

  it('when they also name chains, then those do not count', async () => {
    const { put, scope } = await world();
    const agent = { build: { fallback_models: ['x/y'] } };
    await put('home/repo/opencode.json', JSON.stringify({ agent, triage: {}, provider: { acme: {} } }));
    const { config, problems } = await scope();
    expect([config.agents.build?.chain, problems]).toEqual([WHOLE, []]);
  });

  it('when it is the user’s home, or above it, then it is no stranger’s', async () => {
    const { put, scope, chain } = await world();
    await put('home/opencode.json', FREE);
    await put('home/.opencode/opencode.json', FREE);
    await put('opencode.json', FREE);
    expect([await chain(), (await scope()).apart]).toEqual([WHOLE, []]);
  });

  it('when the user’s own configuration lies there, then it is theirs', async () => {
    const { root, put, paths } = await world();
    const folder = join(root, 'home/repo/.opencode');
    await put('home/repo/.opencode/model-fallback.json', OWN);
    await put('home/repo/.opencode/opencode.json', FREE);
    const env = { OPENCODE_CONFIG_DIR: folder, UNDERSTUDY_HOME: join(root, 'u'), HOME: join(root, 'home') };
    const { sources } = await loadConfig(configPaths(paths.within ?? '', env));
    expect(resolveScope(sources, HOST).config.agents.build?.chain).toEqual(WHOLE);
  });

  it('when the project lies elsewhere than in the home, then all folders above it are looked into', async () => {
    const { put, chain } = await world('elsewhere/repo/app');
    await put('elsewhere/opencode.json', FREE);
    expect(await chain()).toEqual(WITHOUT);
  });

  it('when a file comes, changes or goes there, then the next look sees it', async () => {
    const { put, root, paths } = await world();
    const reader = await openConfig(paths);
    const seen = () => resolveScope(reader.loaded().sources, HOST).config.agents.build?.chain;
    const path = 'home/repo/opencode.json';
    await put(path, FREE);
    expect([await reader.refresh(), seen()]).toEqual([true, WITHOUT]);
    await put(path, FREE.replace('m1', 'm9'));
    expect([await reader.refresh(), seen()]).toEqual([true, WHOLE]);
    await rm(join(root, path));
    expect([await reader.refresh(), seen(), await reader.refresh()]).toEqual([true, WHOLE, false]);
  });
});

describe.skipIf(process.platform === 'win32')('given a file above a project that cannot be read', () => {
  it('when it is a link out of its folder, then it may say anything, and what lies there is not looked at', async () => {
    const { root, put, scope } = await world();
    await put('outside/opencode.json', FREE);
    await symlink(join(root, 'outside/opencode.json'), join(root, 'home/repo/opencode.json'));
    const outside = strays(root, [join(root, 'home'), join(root, 'u')]);
    const { apart, config, problems } = await scope();
    expect([await outside(), apart, config.agents.build?.chain]).toEqual([[], ['*'], ['p0/m0']]);
    expect(problems.find(({ code }) => code === 'file.unreadable')).toMatchObject({
      path: join(root, 'home/repo/opencode.json'),
      message: 'Its providers are unknown: it is a link that leads out of the project.',
    });
  });

  it.each([
    ['more files than are read', (at: number) => at < 12],
    ['one above more folders than are looked into', (at: number) => at === 0],
  ])('when there are %s, then they may say anything', async (_, isThere) => {
    const folders = Array.from({ length: 45 }, (_each, at) => `d${at}`);
    const { put, scope } = await world(join('home', ...folders));
    for (const at of folders.keys())
      if (isThere(at)) await put(join('home', ...folders.slice(0, at + 1), 'opencode.json'), '{"provider":{"a":{}}}');
    expect((await scope()).apart).toContain('*');
  });
});
