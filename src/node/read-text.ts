import { open, stat } from 'node:fs/promises';
import { failureCode, failureText } from './failure';
import { isInside } from './inside';

/** A real configuration has a few kB; a larger one is a mistake, and reading it would hold OpenCode up. */
export const MAX_CONFIG_BYTES = 131_072;
/** OpenCode's own configuration may hold whole prompts; more than this is no configuration. */
export const MAX_OPENCODE_BYTES = 1_048_576;

/** A file as text, or why there is none. */
export type Read =
  | Readonly<{ kind: 'missing'; path: string }>
  | Readonly<{ kind: 'text'; path: string; text: string }>
  | Readonly<{ kind: 'unreadable'; path: string; reason: string }>;

/**
 * Reads a small file of text; never waits on what is no file, and never rejects.
 *
 * @param within the folder that no link may lead out of; absent for what is the user's own.
 */
export async function readText(path: string, maxBytes: number, within?: string): Promise<Read> {
  const unreadable = (reason: string): Read => ({ kind: 'unreadable', path, reason });
  try {
    if (within !== undefined && !(await isInside(within, path)))
      return unreadable('it is a link that leads out of the project');
    // Opening a named pipe would wait for a writer for ever.
    const before = await stat(path);
    if (!before.isFile()) return unreadable('it is not a file');
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(Math.min(before.size, maxBytes) + 1),
        0,
        Math.min(before.size, maxBytes) + 1,
        0,
      );
      if (bytesRead > maxBytes) return unreadable(`it is larger than ${maxBytes / 1_024} kB`);
      return {
        kind: 'text',
        path,
        text: new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead)),
      };
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = failureCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing', path };
    if (error instanceof TypeError) return unreadable('it is not UTF-8 text');
    return unreadable(code === 'EACCES' ? 'permission is denied' : failureText(error));
  }
}
