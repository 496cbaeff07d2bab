import { spawn } from 'node:child_process';
import { generationOf, type OpencodeBinary } from './binary';
import { listModels2, type Place } from './own-server2';

/** `env` is the whole environment. */
export type OpencodeCommand = Place & Readonly<{ args: readonly string[]; signal?: AbortSignal | undefined }>;

/** Never rejects. Kills OpenCode after the limit. */
export async function askOpencode(
  binary: OpencodeBinary,
  { args, directory, env, limitMs, signal }: OpencodeCommand,
): Promise<Readonly<{ output: string; isLate: boolean }>> {
  // OpenCode would wait for a message on an open stdin.
  const child = started(() =>
    spawn(binary.path, args, {
      cwd: directory,
      env: { ...env, PWD: directory },
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
      ...(signal ? { signal } : {}),
    }),
  );
  if (child === null) return { output: '', isLate: false };
  let output = '';
  let isLate = false;
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, limitMs);
  await new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve()); // silent: without output there is no answer
  });
  clearTimeout(timer);
  return { output, isLate };
}

function started<Child>(start: () => Child): Child | null {
  try {
    return start();
  } catch {
    // silent: the system refuses to run it, and callers read null as no answer
    return null;
  }
}

export async function askForModels(binary: OpencodeBinary, place: Place): Promise<readonly string[] | null> {
  if (generationOf(binary) >= 2) return await listModels2(binary, place);
  const { output } = await askOpencode(binary, { ...place, args: ['models', '--pure'] });
  const models = output
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => /^[^/\s]+\/\S+$/.test(line));
  return models.length === 0 ? null : models;
}
