import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { placeOfRun, runsIn } from '../../../src/features/council/node/run-folder';
import { leavePlayed } from '../../../src/features/council/plugin/begun';
import { openCouncilCommands } from '../../../src/features/council/plugin/commands';
import { isAlive } from '../../../src/node/base/is-alive';
import { tempFolder } from '../../node/temp-folder';
import { eventually } from '../../support/eventually';
import { makeRemote, sshStandIn, untilReached } from '../../support/git-remotes';

const MODELS = { leads: {}, defaultModel: 'alpha/large', models: ['alpha/large'], catalogue: {} };
const SESSION = 'ses_1';

/** The commands of a folder whose OpenCode has a git that goes about by this ssh. */
async function commandsBy(ssh: (root: string) => Readonly<Record<string, string>>) {
  const root = await tempFolder();
  const [home, directory] = [join(root, 'home'), join(root, 'project')];
  await mkdir(directory);
  const env = { UNDERSTUDY_HOME: home, OPENCODE_CONFIG_DIR: join(root, 'config'), GIT_CONFIG_GLOBAL: '/dev/null' };
  for (const [name, value] of Object.entries({ ...env, ...ssh(root) })) vi.stubEnv(name, value);
  onTestFinished(async () => {
    await leavePlayed(directory);
    vi.unstubAllEnvs();
  });
  const notices: string[] = [];
  const never = () => new Promise<never>(() => undefined);
  const commands = openCouncilCommands({
    ...{ directory, generation: 1, models: async () => MODELS, rootOf: (session) => session, warn: () => undefined },
    hostIn: () => ({ open: never, prompt: never, recover: async () => null, abort: async () => undefined }),
    notify: ({ message, variant }) => notices.push(`${variant}: ${message}`),
  });
  const { path } = makeRemote(join(root, 'shop.git'), { 'cart.js': '1;\n' });
  return { root, home, directory, commands, notices, address: `ssh://far.test${path}` };
}

const silent = (root: string) => sshStandIn(root, { afterBytes: 0, pidFile: join(root, 'pid') });

describe('given a user who calls a council on a repository at an address', () => {
  it('when they say yes, then they are answered before it is there, and told once the council begins', async () => {
    const { home, commands, notices, address, directory } = await commandsBy(sshStandIn);
    expect(await commands.command(address, SESSION)).toContain(`Your git fetches it from ${address}: `);
    expect(await commands.answer(true, SESSION)).toMatch(/^Your git is fetching shop\. You are notified when/);
    await eventually(() => notices.length > 0);
    expect(notices).toEqual([expect.stringMatching(/^info: shop was fetched\. The council has started\./)]);
    const [run = ''] = await runsIn(home);
    expect(await placeOfRun(home, run)).toMatchObject({ source: address, directory, askedIn: SESSION, isOwn: false });
    expect(await commands.command('status', SESSION)).toContain(`Run ${run}. `);
    expect(await commands.command('.', SESSION)).toContain('A council of this session is already running');
  });

  it('when it cannot be fetched, then they are told why, and may call another', async () => {
    const { home, commands, notices, address } = await commandsBy(sshStandIn);
    await commands.command(`${address}-gone`, SESSION);
    await commands.answer(true, SESSION);
    await eventually(() => notices.length > 0);
    expect(notices).toEqual([expect.stringMatching(/^warning: shop\.git-gone could not be fetched: /)]);
    expect([await commands.command('status', SESSION), await runsIn(home)]).toEqual([
      expect.stringContaining('No council was started'),
      [],
    ]);
    expect(await commands.command(address, SESSION)).toContain('/yes starts it');
  });

  it('when they ask and stop while it is fetched, then it ends, and nothing is begun or left', async () => {
    const { root, home, commands, notices, address } = await commandsBy(silent);
    await commands.command(address, SESSION);
    await commands.answer(true, SESSION);
    await untilReached(join(root, 'pid'));
    expect(await commands.command('status', SESSION)).toMatch(
      /^shop is being fetched: \d MB so far\. \/council stop cancels/,
    );
    expect(await commands.command('.', SESSION)).toContain('A council of this session is already running');
    expect(await commands.command('stop', SESSION)).toBe('Fetching shop was cancelled. Nothing was started.');
    await eventually(async () => (await runsIn(home)).length === 0);
    expect(notices).toEqual([]);
  });

  it('when OpenCode closes the folder meanwhile, then all that fetches ends with it', async () => {
    const { root, home, directory, commands, notices, address } = await commandsBy(silent);
    await commands.command(address, SESSION);
    await commands.answer(true, SESSION);
    const pid = await untilReached(join(root, 'pid'));
    await leavePlayed(`${directory}-other`);
    expect(isAlive(pid)).toBe(true);
    await leavePlayed(directory);
    expect([await runsIn(home), notices]).toEqual([[], []]);
    await eventually(() => !isAlive(pid));
  });
});
