import { join } from 'node:path';
import process from 'node:process';
import type { OpenedCore } from '../node/attach-core';
import { openCore } from '../node/open-core';
import type { OpencodeBinary } from '../node/opencode';
import { type PanelServer, startPanelServer } from '../panel/server';
import type { Closers } from './closers';
import type { DemoPlace } from './place';
import { scriptModels } from './scenario';
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider';

export type StageOptions = Readonly<{
  version: string;
  builtRoot: string;
  companion: string;
  place: DemoPlace;
  /** Null to play a recording. */
  binary: OpencodeBinary | null;
  /** Port of the panel; 0 takes any free one. */
  port: number;
  closers: Closers;
  signal: AbortSignal;
}>;

export type Stage = Readonly<{
  place: DemoPlace;
  provider: ScriptedProvider;
  core: OpenedCore;
  panel: PanelServer;
}>;

/**
 * `closers` closes everything, also after a failure half-way.
 * @throws Error with a message for people.
 */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { version, builtRoot, companion, place, binary, port, closers, signal } = options;
  signal.throwIfAborted();
  const provider = await startScriptedProvider();
  closers.add(() => provider.close());
  scriptModels(provider);
  const core = await openCore({
    version,
    runtime: `node ${process.versions.node}`,
    companion,
    isDemo: true,
    isRecorded: binary === null,
    // Only this OpenCode; the user's others are not inspected.
    env: { ...place.env, ...(binary && { OPENCODE_BIN: binary.path }) },
  });
  closers.add(() => core.close());
  const rendererRoot = join(builtRoot, 'renderer');
  const panel = await startPanelServer({ host: core.host, rendererRoot, port }).catch((error: unknown) => {
    throw new Error(portProblem(error, port), { cause: error });
  });
  closers.add(() => panel.close());
  return { place, provider, core, panel };
}

function portProblem(error: unknown, port: number): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Choose another with --port, or --port 0 for any free one.`;
  if (code === 'EACCES') return `You are not allowed to use port ${port}. Choose another with --port.`;
  return message;
}
