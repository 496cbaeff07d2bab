import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { failureCode } from './failure';

const gone = new AbortController();
let failure: Error | null = null;

/** Aborts once the reader has closed stdout or stderr, as `head` does. */
export const readerGone: AbortSignal = gone.signal;

export const print = (text: string): void => write(process.stdout, text);

export const printError = (text: string): void => write(process.stderr, text);

function write(stream: NodeJS.WriteStream, text: string): void {
  if (!gone.signal.aborted) stream.write(`${text}\n`);
}

/**
 * Waits for the output, then exits even if other work is open: 0 if the reader closed the output, 1 if it could not be
 * written.
 */
export async function runToExit(
  run: () => Promise<number>,
  exit: (code: number) => void = process.exit,
): Promise<void> {
  const streams = [process.stdout, process.stderr];
  for (const stream of streams) stream.on('error', onError);
  const code = await run();
  // A reader that neither reads nor closes would block the exit.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => exit(code));
  await drained(streams);
  if (failure !== null) printError(`The output could not be written: ${failure.message}`);
  await drained(streams);
  exit(gone.signal.aborted ? 0 : failure === null ? code : 1);
}

function onError(error: Error): void {
  // A pipe that Node made is a socket: unread data at its close is a reset.
  if (['EPIPE', 'ECONNRESET'].includes(failureCode(error) ?? '')) gone.abort();
  else failure ??= error;
}

async function drained(streams: readonly NodeJS.WriteStream[]): Promise<void> {
  await Promise.all(streams.map((stream) => new Promise<void>((resolve) => stream.write('', () => resolve()))));
  // The event of an error follows the callback.
  await setImmediate();
}
