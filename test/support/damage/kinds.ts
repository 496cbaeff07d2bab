import { chmod, chown, mkdir, open, readFile, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execute } from './programs';

/** Damages a file; `random` draws from 0 to 1. */
export type Damage = (path: string, random: () => number) => Promise<void>;

const HUGE_BYTES = 1_073_741_824;
const PAGE_BYTES = 4_096;
const DAY_S = 86_400;
const WRONG_JSON = [
  'null',
  '[null]',
  '{}',
  '{"v":1}',
  '{"v":99,"x":{}}',
  '"text"',
  '{"v":1,"__proto__":{"v":2}}',
  '{"a":',
];

const replaced =
  (make: (path: string, random: () => number) => Promise<unknown>): Damage =>
  async (path, random) => {
    await rm(path, { recursive: true, force: true });
    await make(path, random);
  };

/** Changes bytes of a file; replaces anything else with a file. */
const changed =
  (change: (bytes: Buffer, random: () => number) => Buffer): Damage =>
  async (path, random) => {
    const bytes = await readFile(path).catch(() => Buffer.alloc(PAGE_BYTES));
    const owner = await stat(path).catch(() => null);
    if (!owner?.isFile()) await rm(path, { recursive: true, force: true });
    await writeFile(path, change(bytes, random), { mode: 0o600 });
  };

const noise = (length: number, random: () => number): Buffer =>
  Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));

export const FOREIGN = 'of another user';

export const DAMAGES: Readonly<Record<string, Damage>> = {
  'cut off': changed((bytes, random) => bytes.subarray(0, Math.floor(random() * bytes.length))),
  'of no bytes': changed(() => Buffer.alloc(0)),
  'with eight bits turned': changed((bytes, random) => {
    for (let n = 0; n < 8 && bytes.length > 0; n++) {
      const at = Math.floor(random() * bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    }
    return bytes;
  }),
  'with a stretch of zeros': changed((bytes, random) => {
    const from = Math.floor(random() * bytes.length);
    return bytes.fill(0, from, Math.min(bytes.length, from + Math.ceil(random() * PAGE_BYTES)));
  }),
  'with a page of noise': changed((bytes, random) => {
    const at = Math.floor((random() * bytes.length) / PAGE_BYTES) * PAGE_BYTES;
    noise(Math.min(PAGE_BYTES, bytes.length - at), random).copy(bytes, at);
    return bytes;
  }),
  'of noise alone': replaced((path, random) => writeFile(path, noise(5_000, random), { mode: 0o600 })),
  'of JSON that is something else': replaced((path, random) =>
    writeFile(path, `${WRONG_JSON[Math.floor(random() * WRONG_JSON.length)]}\n`, { mode: 0o600 }),
  ),
  'as a folder with something in it': replaced(async (path) => {
    await mkdir(path);
    await writeFile(join(path, 'inside'), 'kept');
  }),
  'as a link to nothing': replaced((path) => symlink('/nowhere/at/all', path)),
  'as a link to a device without an end': replaced((path) => symlink('/dev/zero', path)),
  'as a link to a folder': replaced((path) => symlink('/usr', path)),
  'as a pipe': replaced((path) => execute('mkfifo', [path])),
  'that nobody may read': (path) => chmod(path, 0),
  'that nobody may write': (path) => chmod(path, 0o400),
  'that everybody may read': (path) => chmod(path, 0o666),
  [FOREIGN]: async (path) => {
    await chown(path, 0, 0);
    await chmod(path, 0o600);
  },
  'of a gibibyte': replaced(async (path) => {
    await writeFile(path, 'x', { mode: 0o600 });
    await truncate(path, HUGE_BYTES);
  }),
  'with a lock from tomorrow': async (path) => {
    await mkdir(`${path}.lock`, { recursive: true }).catch(() => undefined);
    const tomorrow = Date.now() / 1_000 + DAY_S;
    await utimes(`${path}.lock`, tomorrow, tomorrow);
  },
  'dated tomorrow': async (path) => {
    const tomorrow = Date.now() / 1_000 + DAY_S;
    await utimes(path, tomorrow, tomorrow).catch(() => undefined);
  },
  'that is gone': replaced(async () => undefined),
  'with a torn line at its end': async (path) => {
    const file = await open(path, 'a').catch(() => null);
    await file?.appendFile('{"n":1,"half');
    await file?.close();
  },
};
