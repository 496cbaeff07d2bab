import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

export type ChildExit = Readonly<{ exitCode: number | null; signal: NodeJS.Signals | null }>;

export type Child = Readonly<{
  pid: number;
  stdout: () => string;
  stderr: () => string;
  outputTail: () => string;
  onOutput: (listener: (stdout: string, stderr: string) => void, until: AbortSignal) => void;
  /** Never rejects. */
  exited: Promise<ChildExit>;
  /** Also ends descendants; by force after `graceMs`. */
  stop: (graceMs?: number) => Promise<ChildExit>;
}>;

export type ChildOptions = Readonly<{
  command: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
}>;

const DEFAULT_GRACE_MS = 3_000;

const KEPT_CHARACTERS = 1_000_000;

const TAIL_LINES = 20;

/** In its own group, to end it with its descendants. @throws Error if the command cannot be started. */
export async function startChild({ command, args, cwd, env }: ChildOptions): Promise<Child> {
  const isGrouped = process.platform !== 'win32';
  const spawned = spawn(command, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: isGrouped,
    windowsHide: true,
  });
  const exited = waitForExit(spawned);
  await waitForSpawn(spawned, command);
  const pid = spawned.pid as number;
  const killOnExit = () => killTree(pid, 'SIGKILL');
  process.once('exit', killOnExit);
  const output = collectOutput(spawned);
  const stop = async (graceMs = DEFAULT_GRACE_MS) => {
    killTree(pid, 'SIGTERM');
    const force = setTimeout(() => killTree(pid, 'SIGKILL'), graceMs);
    const exit = await exited;
    clearTimeout(force);
    return exit;
  };
  void exited.then(() => {
    process.off('exit', killOnExit);
    killTree(pid, 'SIGKILL');
  });
  return { pid, ...output, exited, stop };
}

type Spawned = ChildProcessByStdio<null, Readable, Readable>;

function waitForSpawn(spawned: Spawned, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    spawned.once('spawn', () => resolve());
    spawned.once('error', (error) =>
      reject(new Error(`could not start ${command}: ${error.message}`, { cause: error })),
    );
  });
}

function waitForExit(spawned: Spawned): Promise<ChildExit> {
  return new Promise((resolve) => {
    // "exit", not "close": a grandchild may keep the pipes open.
    spawned.once('exit', (exitCode, signal) => {
      const done = () => resolve({ exitCode, signal });
      const drained = setTimeout(done, 250);
      spawned.once('close', () => {
        clearTimeout(drained);
        done();
      });
    });
  });
}

function collectOutput(spawned: Spawned): Pick<Child, 'stdout' | 'stderr' | 'outputTail' | 'onOutput'> {
  const texts = { stdout: '', stderr: '' };
  const listeners = new Set<(stdout: string, stderr: string) => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    spawned[name].setEncoding('utf8');
    spawned[name].on('data', (chunk: string) => {
      texts[name] = (texts[name] + chunk).slice(-KEPT_CHARACTERS);
      for (const listener of [...listeners]) listener(texts.stdout, texts.stderr);
    });
  }
  return {
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    outputTail: () =>
      `${texts.stdout}\n${texts.stderr}`.trim().split('\n').slice(-TAIL_LINES).join('\n') || '(no output)',
    onOutput: (listener, until) => {
      listeners.add(listener);
      until.addEventListener('abort', () => listeners.delete(listener));
      listener(texts.stdout, texts.stderr);
    },
  };
}

export function killTree(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    execFile('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true }, () => undefined);
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // silent: ESRCH, the group has ended
  }
}
