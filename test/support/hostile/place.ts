import { execFileSync } from 'node:child_process';
import { mkdir, open, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A stranger's project, and a folder next to it that it must not reach. */
export type Place = Readonly<{
  project: string;
  outside: string;
  put(path: string, content: string | Uint8Array): Promise<void>;
  link(path: string, to: string): Promise<void>;
  /** Creates a pipe without a writer. */
  pipe(path: string): Promise<void>;
  /** Creates a socket without a listener. */
  socket(path: string): Promise<void>;
  sparse(path: string, bytes: number): Promise<void>;
  clear(path: string): Promise<string>;
}>;

export function placeAt(project: string, outside: string): Place {
  const clear = async (path: string): Promise<string> => {
    const target = join(project, path);
    await mkdir(dirname(target), { recursive: true }).catch(async () => {
      // A stranger's project may have a folder where others have a file.
      await rm(dirname(target), { force: true });
      await mkdir(dirname(target));
    });
    await rm(target, { recursive: true, force: true });
    return target;
  };
  return {
    ...{ project, outside, clear },
    put: async (path, content) => writeFile(await clear(path), content),
    link: async (path, to) => symlink(to, await clear(path)),
    async pipe(path) {
      execFileSync('mkfifo', [await clear(path)]);
    },
    async socket(path) {
      // Socket paths must be short, and Node deletes the path on close unless the socket was renamed.
      const short = join(tmpdir(), `us-${process.pid}-${sockets++}`);
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(short, resolve));
      await rename(short, await clear(path));
      await new Promise((resolve) => server.close(resolve));
    },
    async sparse(path, bytes) {
      const file = await open(await clear(path), 'w');
      await file.truncate(bytes);
      await file.close();
    },
  };
}
let sockets = 0;

/** An obstacle for the reader of a project. */
export type Shape = Readonly<{
  name: string;
  make(place: Place): Promise<unknown>;
  /** The problem is reported. Absent if nothing applies and no report is needed. */
  isTold?: boolean;
  /** OpenCode reads or follows this itself; its reaction is not ours. */
  isOpenCodes?: boolean;
  /** Part of it applies: it is too much, not wrong. */
  counts?: boolean;
  /** Represents its kind where all would take minutes. */
  isChosen?: boolean;
}>;

export const many = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at));

export const keyed = (count: number, name: (at: number) => string, value: (at: number) => unknown): unknown =>
  Object.fromEntries(many(count, (at) => [name(at), value(at)] as const));
