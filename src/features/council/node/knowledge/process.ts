import { type ChildProcess, spawn } from 'node:child_process';
import { setImmediate as turn } from 'node:timers/promises';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { mkdir } from '../../../../node/base/disk';
import { type Environment, variablesOf } from '../../../../node/base/state-home';
import { inTime } from '../../../../node/base/within';
import { killTree } from '../../../../node/opencode/child';

export type ServerProcess = Readonly<{
  command: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
}>;

const MAX_LINE_BYTES = 1_048_576;
const LINES_AT_ONCE = 20;
/** After its input closes, then after a signal, in ms. */
const GRACE_MS = 500;
const ASKED_MS = 500;

/** Kills the process group when the third pipe closes, however this process ends. */
const WATCHED = '( read -r gone <&3; kill -KILL 0 ) >/dev/null 2>&1 & exec 3<&-; exec "$@"';

/** For a run's OpenCode, not for other servers. */
const NOT_THEIRS = /^(?:UNDERSTUDY_.*|OPENCODE_(?:SERVER_)?PASSWORD|OPENCODE_CONFIG_CONTENT)$/;

export function serverEnvironment(
  env: Environment,
  written: Readonly<Record<string, string>>,
  cwd: string,
): Readonly<Record<string, string>> {
  const theirs = Object.entries(variablesOf(env)).filter(([name]) => !NOT_THEIRS.test(name));
  return { ...Object.fromEntries(theirs), PWD: cwd, ...written };
}

/** Its process group ends with all children. */
export function processTransport({ command, cwd, env }: ServerProcess): Transport {
  let child: ChildProcess | null = null;
  let exited: Promise<void> = Promise.resolve();
  let isClosed = false;
  const closed = (): void => {
    if (isClosed) return;
    isClosed = true;
    transport.onclose?.();
  };
  const transport: Transport = {
    async start() {
      await mkdir(cwd, { recursive: true, mode: 0o700 });
      if (isClosed) throw new Error('The server was closed before it started.');
      const started = begin({ command, cwd, env });
      child = started;
      exited = ended(started).then(closed);
      void hear(started, transport);
      await new Promise<void>((resolve, reject) => {
        started.once('spawn', resolve);
        started.once('error', reject);
      });
    },
    async send(message) {
      const input = child?.stdin;
      if (isClosed || !input?.writable) throw new Error('The server has exited.');
      await new Promise<void>((resolve, reject) => {
        input.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
      });
    },
    async close() {
      closed();
      if (child !== null) await end(child, exited);
    },
  };
  return transport;
}

function begin({ command, cwd, env }: ServerProcess): ChildProcess {
  const isWindows = process.platform === 'win32';
  const [program = '', ...args] = isWindows ? command : ['/bin/sh', '-c', WATCHED, 'sh', ...command];
  return spawn(program, args, {
    cwd,
    env: { ...env },
    detached: !isWindows,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'ignore', ...(isWindows ? [] : (['pipe'] as const))],
  });
}

function ended(child: ChildProcess): Promise<void> {
  const { pid } = child;
  const kill = (): void => {
    if (pid !== undefined) killTree(pid, 'SIGKILL');
  };
  process.once('exit', kill);
  return new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve()); // silent: it has ended
  }).then(() => {
    process.off('exit', kill);
    kill();
  });
}

/** Skips lines that are no messages, because programs print anything. */
async function hear(child: ChildProcess, transport: Transport): Promise<void> {
  const buffer = new ReadBuffer({ maxBufferSize: MAX_LINE_BYTES });
  // silent: the end of the process ends the source
  for (const stream of child.stdio) stream?.on('error', () => undefined);
  try {
    for await (const chunk of child.stdout ?? []) {
      buffer.append(chunk as Buffer);
      for (let lines = 1; passOn(buffer, transport); lines++) if (lines % LINES_AT_ONCE === 0) await turn();
      await turn();
    }
  } catch {
    // silent: its end is reported as the end of the source
    void transport.close();
  }
}

function passOn(buffer: ReadBuffer, transport: Transport): boolean {
  try {
    const message = buffer.readMessage();
    if (message !== null) transport.onmessage?.(message);
    return message !== null;
  } catch {
    // silent: a source may write lines that are no messages
    return true;
  }
}

async function end(child: ChildProcess, exited: Promise<void>): Promise<void> {
  const { pid } = child;
  child.stdin?.end();
  const isGone = (limitMs: number): Promise<boolean> =>
    inTime(
      exited.then(() => true),
      limitMs,
      false,
    );
  if (pid === undefined || (await isGone(GRACE_MS))) return;
  killTree(pid, 'SIGTERM');
  if (await isGone(ASKED_MS)) return;
  killTree(pid, 'SIGKILL');
  await isGone(ASKED_MS);
}
