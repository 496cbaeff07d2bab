import { randomBytes } from 'node:crypto';
import type { OpencodeBinary } from './binary';
import { type Child, startChild } from './child';
import { createOpencodeClient, type OpencodeClient } from './client';
import { findFreePort, isFree } from './free-port';
import type { Sandbox } from './sandbox';

export type OpencodeServer = OpencodeClient &
  Readonly<{
    url: string;
    pid: number;
    stdout: () => string;
    stderr: () => string;
    exited: Child['exited'];
    /** By force after `graceMs`. */
    stop: Child['stop'];
  }>;

export type StartOptions = Readonly<{
  binary: OpencodeBinary;
  sandbox: Pick<Sandbox, 'directory' | 'env'>;
  env?: Readonly<Record<string, string>>;
  /** Until OpenCode reports that it listens. */
  startLimitMs?: number;
  signal?: AbortSignal;
}>;

/** Some 5 s on an idle machine with two cores, twice that on a loaded one. */
const DEFAULT_START_LIMIT_MS = 60_000;

export type Serving = Readonly<{
  child: Child;
  url: string;
  headers: Readonly<{ authorization: string }>;
}>;

export async function startOpencode(options: StartOptions): Promise<OpencodeServer> {
  const { child, url, headers } = await startServing(options);
  const client = createOpencodeClient(url, headers);
  const { pid, stdout, stderr, exited } = child;
  const stop: Child['stop'] = (graceMs) => {
    client.closeStreams();
    return child.stop(graceMs);
  };
  return { ...client, url, pid, stdout, stderr, exited, stop };
}

/**
 * The server requires a password that only this client has: clients may run commands as the user.
 * @throws Error with the end of OpenCode's output if it does not listen.
 */
export async function startServing(options: StartOptions): Promise<Serving> {
  for (let triesLeft = 2; ; triesLeft -= 1) {
    options.signal?.throwIfAborted();
    // With port 0 OpenCode takes 4096, which belongs to the user's own server.
    const port = await findFreePort();
    try {
      return await startServingAt(port, options);
    } catch (error) {
      if (options.signal?.aborted || triesLeft === 0 || (await isFree(port))) throw error;
    }
  }
}

async function startServingAt(
  port: number,
  { binary, sandbox, env, startLimitMs, signal }: StartOptions,
): Promise<Serving> {
  const password = randomBytes(24).toString('base64url');
  const child = await startChild({
    command: binary.path,
    args: ['serve', '--hostname', '127.0.0.1', '--port', String(port)],
    cwd: sandbox.directory,
    env: { ...sandbox.env, OPENCODE_SERVER_PASSWORD: password, ...env },
  });
  try {
    const url = await waitUntilListening(child, startLimitMs ?? DEFAULT_START_LIMIT_MS, signal);
    const authorization = `Basic ${Buffer.from(`opencode:${env?.OPENCODE_SERVER_PASSWORD ?? password}`).toString('base64')}`;
    return { child, url, headers: { authorization } };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

function waitUntilListening(child: Child, limitMs: number, signal: AbortSignal | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const leaving = new AbortController();
    const leave = (settle: () => void) => {
      leaving.abort();
      settle();
    };
    const fail = (why: string) =>
      leave(() => reject(new Error(`OpenCode ${why}. Its last output:\n${child.outputTail()}`)));
    const timer = setTimeout(() => fail(`did not listen within ${Math.round(limitMs / 1_000)} s`), limitMs);
    leaving.signal.addEventListener('abort', () => clearTimeout(timer));
    const giveUp = () => leave(() => reject(signal?.reason));
    if (signal?.aborted) return giveUp();
    signal?.addEventListener('abort', giveUp, { signal: leaving.signal });
    child.onOutput((stdout) => {
      const url = /listening on (http:\/\/\S+)/.exec(stdout)?.[1];
      if (url !== undefined) leave(() => resolve(url));
    }, leaving.signal);
    void child.exited.then(({ exitCode, signal: by }) => fail(`ended at its start (exit ${exitCode ?? by})`));
  });
}
