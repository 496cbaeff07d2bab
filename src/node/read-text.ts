import { constants } from 'node:fs';
import { stat } from 'node:fs/promises';
import { open } from './disk';
import { failureCode, failureText, isAbsence } from './failure';
import { realInside } from './inside';

/** A real configuration has a few kB; a larger one is a mistake, and reading it would hold OpenCode up. */
export const MAX_CONFIG_BYTES = 131_072;
/** OpenCode's own configuration may hold whole prompts; more than this is no configuration. */
export const MAX_OPENCODE_BYTES = 1_048_576;

/** Why a link of a project's is not followed. */
export const LEADS_OUT = 'it is a link that leads out of the project';

/** A file as text, or why there is none. */
export type Read =
  | Readonly<{ kind: 'missing'; path: string }>
  | Readonly<{ kind: 'text'; path: string; text: string }>
  | Readonly<{ kind: 'unreadable'; path: string; reason: string }>;

/** What a file is may change between looking and opening: opening a pipe must not wait. Windows has neither flag. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const READ_NO_LINK = READ | (constants.O_NOFOLLOW ?? 0);

/**
 * Reads a small file of text; never waits on what is no file, and never rejects.
 *
 * @param within the folder that no link may lead out of; absent for what is the user's own.
 */
export async function readText(path: string, maxBytes: number, within?: string): Promise<Read> {
  const unreadable = (reason: string): Read => ({ kind: 'unreadable', path, reason });
  try {
    const real = within === undefined ? path : await realInside(within, path);
    if (real === null) return unreadable(LEADS_OUT);
    // Opening alone can move a device.
    if (!(await stat(real)).isFile()) return unreadable('it is not a file');
    const file = await open(real, within === undefined ? READ : READ_NO_LINK);
    try {
      const opened = await file.stat();
      if (!opened.isFile()) return unreadable('it is not a file');
      const length = Math.min(opened.size, maxBytes) + 1;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
      if (bytesRead > maxBytes) return unreadable(`it is larger than ${maxBytes / 1_024} kB`);
      const text = new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead));
      return { kind: 'text', path, text };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isAbsence(error)) return { kind: 'missing', path };
    if (error instanceof TypeError) return unreadable('it is not UTF-8 text');
    return unreadable(failureCode(error) === 'EACCES' ? 'permission is denied' : failureText(error));
  }
}
