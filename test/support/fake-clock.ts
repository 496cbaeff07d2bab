import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'understudy', 'libfaketime');
const LIBRARY = 'libfaketime.so.1';

/** A wall clock of one program; the monotonic clock and the uptime stay real. */
export type FakeClock = Readonly<{
  env: Readonly<Record<string, string>>;
  /** Sets it, in ms ahead of the machine's; running programs follow at once. */
  set(aheadMs: number): Promise<void>;
}>;

/** @param path file that controls the clock. @returns null if libfaketime is not available on this system. */
export async function fakeClock(path: string): Promise<FakeClock | null> {
  const library = await libraryIn(CACHE).catch(() => null);
  if (library === null) return null;
  const set = (aheadMs: number): Promise<void> => writeFile(path, `${aheadMs < 0 ? '' : '+'}${aheadMs / 1_000}\n`);
  await set(0);
  const env = { LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: path, FAKETIME_NO_CACHE: '1', DONT_FAKE_MONOTONIC: '1' };
  return { env, set };
}

/** Path of the library; extracted once from a Debian package, never installed. @throws if that fails. */
async function libraryIn(cache: string): Promise<string> {
  const find = async (): Promise<string | undefined> =>
    (await readdir(cache, { recursive: true }).catch(() => [])).find((name) => name.endsWith(`/${LIBRARY}`));
  const known = await find();
  if (known) return join(cache, known);
  const folder = await mkdtemp(join(tmpdir(), 'us-'));
  try {
    await execute('apt-get', ['download', 'libfaketime'], { cwd: folder });
    const [package_ = ''] = await readdir(folder);
    await execute('dpkg-deb', ['-x', package_, 'all'], { cwd: folder });
    await mkdir(join(cache, '..'), { recursive: true });
    await rename(join(folder, 'all'), cache).catch(async () => execute('cp', ['-r', join(folder, 'all'), cache]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return join(cache, (await find()) ?? '');
}
