import { rmSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { type OpenedCore, openCore } from '../../node/open-core';
import { isPipe, socketAddress } from '../../node/state-home';
import { type PanelServer, startPanelServer } from '../../panel/server';
import type { Closers } from './closers';
import { scriptModels } from './scenario';
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider';

/** What the stage is built from. */
export type StageOptions = Readonly<{
  version: string;
  /** Folder of the built files: the panel's pages lie in it. */
  builtRoot: string;
  /** The built companion, where OpenCode can load it. */
  companion: string;
  /** No OpenCode will come on it. */
  isRecorded: boolean;
  /** Port of the panel; 0 takes any free one. */
  port: number;
  closers: Closers;
  signal: AbortSignal;
}>;

/** What stands before OpenCode comes: providers, the core and the panel, in a folder of their own. */
export type Stage = Readonly<{
  root: string;
  /** State home of this demo's Understudy; the user's own is another. */
  home: string;
  provider: ScriptedProvider;
  core: OpenedCore;
  panel: PanelServer;
}>;

/**
 * Builds the stage; everything opened is closed by `closers`, also when this fails half-way.
 *
 * @throws Error with a message for people.
 */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { version, builtRoot, isRecorded, port, closers, signal } = options;
  const root = await makeFolder(closers);
  signal.throwIfAborted();
  const provider = await startScriptedProvider();
  closers.add(() => provider.close());
  scriptModels(provider);
  const home = join(root, 'u');
  const env = { ...process.env, UNDERSTUDY_HOME: home };
  const core = await openCore({ version, runtime: `node ${process.versions.node}`, env, isDemo: true, isRecorded });
  closers.add(() => core.close());
  const rendererRoot = join(builtRoot, 'renderer');
  const panel = await startPanelServer({ host: core.host, rendererRoot, port }).catch((error: unknown) => {
    throw new Error(portProblem(error, port), { cause: error });
  });
  closers.add(() => panel.close());
  return { root, home, provider, core, panel };
}

/** A temporary folder that goes when the demo does, even when it goes by an error nobody caught. */
async function makeFolder(closers: Closers): Promise<string> {
  const root = await realpath(await mkdtemp(join(await shortTemporaryFolder(), 'understudy-')));
  const removeNow = (): void => rmSync(root, { recursive: true, force: true });
  process.once('exit', removeNow);
  closers.add(async () => {
    await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    process.off('exit', removeNow);
  });
  return root;
}

/**
 * The system's temporary folder, or `/tmp` where a socket below it would get too long a name: it would then lie
 * elsewhere, where a sandboxed OpenCode does not look.
 */
async function shortTemporaryFolder(): Promise<string> {
  const folder = await realpath(tmpdir());
  const home = join(folder, 'understudy-123456', 'u');
  const address = socketAddress(home, '');
  return isPipe(address) || dirname(address) === home ? folder : '/tmp';
}

function portProblem(error: unknown, port: number): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Choose another with --port, or --port 0 for any free one.`;
  if (code === 'EACCES') return `Port ${port} may not be used by you. Choose another with --port.`;
  return message;
}
