import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** What a part of the bench measures in a process of its own: nothing that ran before it is on its heap or in its code. */
export async function inOwnProcess<Result>(part: string, ...args: readonly string[]): Promise<Result> {
  // Weighing collects garbage. Times are measured without a flag.
  const flags = part === 'weigh' ? ['--expose-gc'] : [];
  const { stdout } = await execute(process.execPath, [...flags, process.argv[1] ?? '', part, ...args]);
  return JSON.parse(stdout) as Result;
}
