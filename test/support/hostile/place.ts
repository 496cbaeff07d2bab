import { execFileSync } from 'node:child_process';
import { mkdir, open, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A project of a stranger's, and a folder beside it that is none of its business. */
export type Place = Readonly<{
  project: string;
  outside: string;
  /** Writes a file of the project in place of what lies there, by its path in it. */
  put(path: string, content: string | Uint8Array): Promise<void>;
  /** Makes a link in the project that leads elsewhere. */
  link(path: string, to: string): Promise<void>;
  /** Makes a pipe in the project that nobody writes to. */
  pipe(path: string): Promise<void>;
  /** Makes a socket in the project that nobody listens at. */
  socket(path: string): Promise<void>;
  /** Makes a file of zeros in the project that takes no room. */
  sparse(path: string, bytes: number): Promise<void>;
  /** Where a path of the project lies, with its folder made and nothing in its place. */
  clear(path: string): Promise<string>;
}>;

/** A place to make a stranger's project in; nothing is there yet but what lies beside it. */
export function placeAt(project: string, outside: string): Place {
  const clear = async (path: string): Promise<string> => {
    const target = join(project, path);
    await mkdir(dirname(target), { recursive: true }).catch(async () => {
      // What an ordinary project has as a file, a stranger's may have as a folder.
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
      // Its name may be short only, and Node takes it away when it closes: unless it has another name by then.
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

/** A thing in the way of its reader. */
export type Shape = Readonly<{
  name: string;
  make(place: Place): Promise<unknown>;
  /** Somebody is told what is wrong. Absent where nothing counts and nothing need be said. */
  isTold?: boolean;
  /** OpenCode reads this itself, and minds, or follows it: what it does then is not ours. */
  isOpenCodes?: boolean;
  /** Some of it counts: it is too much, not wrong. */
  counts?: boolean;
  /** One of its kind: where all of them would take minutes, these are played. */
  isChosen?: boolean;
}>;

export const many = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at));

/** A JSON object with so many keys. */
export const keyed = (count: number, name: (at: number) => string, value: (at: number) => unknown): unknown =>
  Object.fromEntries(many(count, (at) => [name(at), value(at)] as const));
