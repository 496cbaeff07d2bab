import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const OUT = join(import.meta.dirname, '..', '..', 'out');
const PADDED = pathToFileURL(join(import.meta.dirname, 'padded-output.mjs')).href;
export const COMMAND_LINE = [join(OUT, 'cli', 'understudy.js')];
export const PANEL = [join(OUT, 'panel', 'index.js')];

/** `padChars` are added to the first text of each stream. */
export type OutputRun = Readonly<{
  program?: readonly string[];
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  directory: string;
  padChars?: number;
  isEndless?: boolean;
}>;

/** Reads nothing until the program has waited for its reader or has ended. */
export async function readLate(run: OutputRun) {
  const { child, stdout, stderr, report } = start(run);
  const ended = once(child, 'close');
  await new Promise((resolve) => report.once('data', resolve).once('end', resolve));
  if (run.isEndless) child.kill('SIGTERM');
  const [out, err, reports] = await Promise.all([stdout, stderr, report].map((stream) => text(stream)));
  const [code] = await ended;
  const read = JSON.stringify({ stdout: out?.length, stderr: err?.length });
  return { code, out, read, written: reports?.trim().split('\n').at(-1) };
}

/** Closes the first stream with output, as `head` does. @returns the text of the other. */
export async function readHead(run: OutputRun) {
  const { child, stdout, stderr, report } = start(run);
  const ended = once(child, 'close');
  report.resume();
  const first = await Promise.race([stdout, stderr].map((stream) => once(stream, 'data').then(() => stream)));
  first.destroy();
  const other = await text(first === stdout ? stderr : stdout);
  const [code] = await ended;
  return { code, other };
}

function start({ program = COMMAND_LINE, args, env, directory, padChars = 0 }: OutputRun) {
  const child = spawn(process.execPath, ['--import', PADDED, ...program, ...args], {
    cwd: directory,
    env: { ...env, PAD_CHARS: String(padChars) },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const [, stdout, stderr, report] = child.stdio as unknown as [null, Readable, Readable, Readable];
  for (const stream of [stdout, stderr, report]) stream.setEncoding('utf8');
  return { child, stdout, stderr, report };
}
