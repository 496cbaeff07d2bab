import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveScope } from '../../src/core/config';
import { keepModels } from '../../src/node/base/kept-models';
import { configPaths } from '../../src/node/config/config-files';
import { loadConfig, openConfig } from '../../src/node/config/config-reader';
import { cliUser } from './real-cli';

const OWN = JSON.stringify({
  defaults: { policy: 'council', vendorLock: true, maxFallbackDepth: 2 },
  agents: { '*': { fallbackModels: ['a/two'] } },
});
const projectOf = (defaults: Readonly<Record<string, unknown>>): string => JSON.stringify({ defaults });
const FILE = 'project/.opencode/model-fallback.json';
const HOST = { leads: { build: 'a/one' }, defaultModel: null };

/** A user with limits of their own, in a project that would loosen two of them. */
async function careful(project = projectOf({ policy: 'swift', maxFallbackDepth: 9 })) {
  const user = await cliUser({ 'config/opencode/model-fallback.json': OWN, [FILE]: project });
  const paths = configPaths(join(user.root, 'project'), user.env);
  const inForce = async () => {
    const { config, kept } = resolveScope((await loadConfig(paths)).sources, HOST);
    return { depth: config.maxFallbackDepth, quota: config.agents.build?.policy.quota[0]?.step, kept: kept.length };
  };
  return { ...user, paths, inForce };
}
const HELD = { depth: 2, quota: 'ask', kept: 2 };
const ALLOWED = { depth: 9, quota: 'switch', kept: 0 };

describe('given a project that would loosen limits of the user’s own', () => {
  it('when nobody has said anything, then the user’s stand, and what it asks for is listed beside them', async () => {
    const { run, inForce } = await careful();
    expect(await inForce()).toEqual(HELD);
    const { code, said } = await run(['config', 'trust', '--json']);
    const { asked, allowed } = JSON.parse(said) as { asked: Record<string, unknown>[]; allowed: string[] };
    expect([code, allowed, asked[0]]).toEqual([0, [], { key: 'defaults.maxFallbackDepth', project: 9, yours: 2 }]);
    expect((await run(['config', 'trust'])).said).toMatch(
      /maxFallbackDepth\n {2}the project requests {2}9\n {2}yours, in effect {6}2/,
    );
  });

  it('when it would have another model lead than OpenCode’s, then that is listed, and can be allowed', async () => {
    const project = JSON.stringify({ agents: { build: { fallbackModels: ['a/dear', 'a/one'] } } });
    const { run, root, home, paths } = await careful(project);
    await keepModels(home, join(root, 'project'), { ...HOST, models: ['a/one', 'a/dear'] });
    const lead = async () => resolveScope((await loadConfig(paths)).sources, HOST).config.agents.build?.chain[0];
    const { asked } = JSON.parse((await run(['config', 'trust', '--json'])).said) as { asked: unknown };
    expect([await lead(), asked]).toEqual([
      'a/one',
      [{ key: 'agents.build.fallbackModels', project: ['a/dear', 'a/one'], yours: 'a/one' }],
    ]);
    expect((await run(['config', 'trust', '--allow', '--yes'])).code).toBe(0);
    expect(await lead()).toBe('a/dear');
  });

  it('when nobody can be asked, then nothing is allowed', async () => {
    const { run, inForce } = await careful();
    const { code, said } = await run(['config', 'trust', '--allow'], { isTerminal: false });
    expect([code, said, await inForce()]).toEqual([
      5,
      'Nothing was allowed. Check with "understudy config trust", then add --yes.',
      HELD,
    ]);
  });

  it('when the user says no, then nothing is allowed; when they say yes, then it counts, is shown, and can be taken back', async () => {
    const { run, inForce, paths } = await careful();
    const reader = await openConfig(paths);
    expect((await run(['config', 'trust', '--allow'], { isTerminal: true, ask: async () => false })).code).toBe(5);
    expect(await inForce()).toEqual(HELD);
    expect((await run(['config', 'trust', '--allow'], { isTerminal: true, ask: async () => true })).code).toBe(0);
    expect([await inForce(), await reader.refresh()]).toEqual([ALLOWED, true]);
    expect((await run(['config', 'trust'])).said).toContain('defaults.maxFallbackDepth = 9');
    expect((await run(['config', 'trust', '--revoke'])).code).toBe(0);
    expect(await inForce()).toEqual(HELD);
  });

  it('when the project then asks for more, then only what was allowed counts', async () => {
    const { run, inForce, root } = await careful();
    await run(['config', 'trust', '--allow', '--yes']);
    await writeFile(join(root, FILE), projectOf({ policy: 'swift', maxFallbackDepth: 99 }));
    expect(await inForce()).toEqual({ ...ALLOWED, depth: 2, kept: 1 });
  });

  it('when another project asks for the same, then it is not allowed; by a link, the same project is', async () => {
    const { run, root, env } = await careful();
    await run(['config', 'trust', '--allow', '--yes']);
    const other = join(root, 'other', '.opencode');
    await mkdir(other, { recursive: true });
    await writeFile(join(other, 'model-fallback.json'), await readFile(join(root, FILE)));
    await symlink(join(root, 'project'), join(root, 'linked'));
    const depthIn = async (name: string) =>
      resolveScope((await loadConfig(configPaths(join(root, name), env))).sources, HOST).config.maxFallbackDepth;
    expect([await depthIn('other'), await depthIn('linked')]).toEqual([2, 9]);
  });

  it.each(['not json', '{"v":1,"projects":[]}', '{"v":2}'])(
    'when what was allowed is %s, then nothing is, and what is there is kept aside, not written over',
    async (text) => {
      const { run, inForce, home } = await careful();
      await mkdir(home, { recursive: true, mode: 0o700 });
      await writeFile(join(home, 'trusted-projects.json'), text, { mode: 0o600 });
      expect(await inForce()).toEqual(HELD);
      const { code, said } = await run(['config', 'trust', '--allow', '--yes']);
      expect([code, said]).toEqual([0, expect.stringContaining('trusted-projects.json')]);
      expect(await inForce()).toEqual(ALLOWED);
    },
  );
});
