// Finds or unpacks a Redis or Valkey server for fleet tests. Never installed as a service.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder } from './ensure-package.mjs';

/** The server with libraries that a small Debian lacks. */
const PACKAGES = ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1', 'libatomic1'];
const FETCH_LIMIT_MS = 120_000;
const VERSION_LIMIT_MS = 20_000;
/** The oldest with the required commands. */
const OLDEST = 7;

const execute = promisify(execFile);

/** @returns the server if it runs here and is new enough. */
async function sound(path, libraries) {
  try {
    const env = { ...process.env, ...(libraries ? { LD_LIBRARY_PATH: libraries } : {}) };
    const { stdout } = await execute(path, ['--version'], { timeout: VERSION_LIMIT_MS, env });
    const version = /v=(\d+)\.[\d.]+/.exec(stdout)?.[0].slice(2);
    return version && Number.parseInt(version, 10) >= OLDEST ? { path, version, libraries } : null;
  } catch {
    return null;
  }
}

/** Unpacks Debian's packages into the cache without installing them. */
async function unpackFromDebian() {
  if (!existsSync('/etc/debian_version')) throw new Error('this is no Debian');
  const target = join(cacheFolder(), 'understudy', 'redis-debian');
  if (!existsSync(target)) {
    await mkdir(dirname(target), { recursive: true });
    const staging = await mkdtemp(`${target}.incoming-`);
    try {
      const limits = { cwd: staging, timeout: FETCH_LIMIT_MS };
      const download = () => execute('apt-get', ['download', ...PACKAGES], limits);
      // A fresh machine has no package list, and only root can fetch it.
      await download().catch(async () => {
        await execute('apt-get', ['update'], limits);
        await download();
      });
      for (const name of (await readdir(staging)).filter((each) => each.endsWith('.deb')))
        await execute('dpkg-deb', ['--extract', name, staging], limits);
      // Two processes may unpack at once: the first to move wins.
      await rename(staging, target).catch((error) => {
        if (!existsSync(target)) throw error;
      });
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  }
  const triplet = (await readdir(join(target, 'usr', 'lib'))).find((name) => name.endsWith('-linux-gnu')) ?? '';
  return { path: join(target, 'usr', 'bin', 'redis-server'), libraries: join(target, 'usr', 'lib', triplet) };
}

/**
 * A runnable server: `REDIS_BIN`, an installed one, or Debian's, unpacked into the cache.
 * @returns {Promise<{ path: string, version: string, libraries?: string }>}
 * @throws Error in one line if there is none.
 */
export async function ensureRedis() {
  const named = process.env.REDIS_BIN;
  if (named) {
    const found = await sound(named, process.env.REDIS_LIBRARIES);
    if (found) return found;
    throw new Error(`REDIS_BIN is ${named}, which is no Redis or Valkey ${OLDEST} that runs here`);
  }
  for (const name of ['valkey-server', 'redis-server']) {
    const found = await sound(name);
    if (found) return found;
  }
  const { path, libraries } = await unpackFromDebian().catch((error) => {
    throw new Error(
      `No Redis or Valkey ${OLDEST} was found and none could be fetched (${reasonOf(error)}): set REDIS_BIN`,
    );
  });
  const found = await sound(path, libraries);
  if (!found) throw new Error(`Debian's redis-server does not run here: install one or set REDIS_BIN`);
  return found;
}

const reasonOf = (error) =>
  String(error.stderr || error.message)
    .trim()
    .split('\n')[0];

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    console.log((await ensureRedis()).path);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
