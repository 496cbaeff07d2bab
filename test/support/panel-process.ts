import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type PanelProcess = Readonly<{
  url: string;
  pid: number;
  kill(): Promise<void>;
  stop(): Promise<number | null>;
}>;

const START_LIMIT_MS = 60_000;

/** Starts the built panel on a state home, optionally with another environment, port or user; waits for its address. */
export async function startPanel(
  home: string,
  around: NodeJS.ProcessEnv = process.env,
  port = 0,
  user: Readonly<{ uid?: number; gid?: number }> = {},
): Promise<PanelProcess> {
  const program = join(import.meta.dirname, '..', '..', 'out', 'panel', 'index.js');
  const env = { ...around, UNDERSTUDY_HOME: home };
  const child = spawn(process.execPath, [program, '--port', String(port), '--no-open'], {
    ...{ env, ...user },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await addressOf(child);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = once(child, 'exit');
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    return code;
  };
  return {
    url,
    pid: child.pid ?? 0,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why: string): void => reject(new Error(`the panel ${why}; it said: ${output}`));
    const timer = setTimeout(() => fail('did not start in time'), START_LIMIT_MS);
    const hear = (chunk: Buffer): void => {
      output += chunk.toString();
      const url = /Understudy panel: (\S+)/.exec(output)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('exit', (code) => fail(`ended with ${code}`));
  });
}
