import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CliParts } from '../../src/cli/parts';
import { onPush } from '../../src/contract/contract';
import { attachCore } from '../../src/node/attach-core';
import { socketAddress } from '../../src/node/base/state-home';
import { readToken } from '../../src/node/base/token';
import { openCore } from '../../src/node/open-core';
import { connectToApp } from '../../src/node/socket/socket-client';
import { COMPANION, configured, SWITCHED_TURN } from '../core/virtual-core';
import { tempFolder } from '../node/temp-folder';
import { runCli } from './run-cli';

const APP = { version: '0.1.0', runtime: 'test' };

/** A user with a home, a project and configuration files of this test alone. */
export async function cliUser(files: Readonly<Record<string, string>> = {}) {
  const root = await tempFolder();
  const all = { 'built/opencode-understudy.js': 'export default 1;', 'project/x': '', ...files };
  for (const [name, content] of Object.entries(all)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  const home = join(root, 'u');
  const env = { UNDERSTUDY_HOME: home, XDG_CONFIG_HOME: join(root, 'config'), PATH: '' };
  /** Runs a command line. @returns its code and what it said. */
  const run = async (args: readonly string[], change: Partial<CliParts> = {}) => {
    const said: string[] = [];
    const say = (text: string): void => void said.push(text);
    const code = await runCli(args, {
      env,
      directory: join(root, 'project'),
      source: join(root, 'built', 'opencode-understudy.js'),
      attachCore: () => attachCore({ ...APP, env }),
      print: say,
      printError: say,
      ...change,
    });
    return { code, said: said.join('\n').replaceAll(root, '~') };
  };
  return { root, home, env, run };
}

/** Starts the app of a user, with a companion that has told of a turn in which the lead was limited. */
export async function startApp({ home, env }: Readonly<{ home: string; env: NodeJS.ProcessEnv }>) {
  const companion = join(dirname(home), 'built', 'opencode-understudy.js');
  const core = await openCore({ ...APP, env, companion });
  onTestFinished(() => core.close());
  const link = await connectCompanion(home);
  const told = new Promise<void>((resolve) => {
    const stop = onPush(core.host, 'snapshot', ({ models }) => {
      if (!models.some(({ state }) => state === 'cooling')) return;
      stop();
      resolve();
    });
  });
  for (const [index, event] of [configured(), ...SWITCHED_TURN].entries())
    link.send({ type: 'event', seq: index + 1, ageMs: 0, sentAt: Date.now(), event });
  await told;
  return core;
}

/** A companion, as far as the wire knows one. */
export async function connectCompanion(home: string) {
  const connected = await connectToApp({
    addressFor: (token) => socketAddress(home, token),
    readToken: () => readToken(home),
    hello: { role: 'companion', ...COMPANION },
    keepsProcessAlive: true,
  });
  if (!connected.ok) throw new Error(connected.message);
  const { link } = connected;
  onTestFinished(() => link.close());
  link.onMessage(() => undefined);
  return link;
}
