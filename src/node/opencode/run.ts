import type { OpencodeBinary } from './binary';
import { startChild } from './child';
import type { Sandbox } from './sandbox';

export type RunResult = Readonly<{ exitCode: number | null; stdout: string; stderr: string }>;

export type RunOptions = Readonly<{
  binary: OpencodeBinary;
  sandbox: Sandbox;
  directory: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  limitMs?: number;
}>;

const DEFAULT_LIMIT_MS = 90_000;

/** @throws Error with the end of the output after `limitMs`. */
export async function runOpencode({ binary, sandbox, directory, args, env, limitMs }: RunOptions): Promise<RunResult> {
  const child = await startChild({
    command: binary.path,
    args: ['run', ...args],
    cwd: directory,
    env: { ...sandbox.env, PWD: directory, ...env },
  });
  const limit = limitMs ?? DEFAULT_LIMIT_MS;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void child.stop();
  }, limit);
  const { exitCode } = await child.exited;
  clearTimeout(timer);
  if (isLate) throw new Error(`opencode run did not end within ${limit} ms. Its last output:\n${child.outputTail()}`);
  return { exitCode, stdout: child.stdout(), stderr: child.stderr() };
}
