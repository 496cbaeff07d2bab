// Fetches a pinned package into the user's cache folder. For what must stay out of package.json: platform packages and
// the peers of the bench, whose own dependencies would break the lock file on partial registry mirrors.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { npmCommand } from './npm-command.mjs';

/** Up to 70 MB are fetched; a slow line gets its time, a dead one does not hold a test run for ever. */
const INSTALL_LIMIT_MS = 300_000;

const execute = promisify(execFile);

/** The user's cache folder by the custom of the system. */
export function cacheFolder() {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME) return XDG_CACHE_HOME;
  if (process.platform === 'win32') return LOCALAPPDATA || join(homedir(), 'AppData', 'Local');
  return process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache');
}

/** Installs the package into a folder of its own beside `target` and moves it there whole. */
async function install(wanted, target) {
  await mkdir(dirname(target), { recursive: true });
  const staging = await mkdtemp(`${target}.incoming-`);
  try {
    const { command, args } = npmCommand();
    const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const what = [`--prefix=${staging}`, ...flags, wanted];
    await execute(command, [...args, 'install', ...what], { timeout: INSTALL_LIMIT_MS, cwd: staging });
    await moveIntoPlace(staging, target);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Two processes may install at once: the first to move wins, and the other uses what is there. */
async function moveIntoPlace(staging, target) {
  try {
    await rename(staging, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  }
}

/** The last line npm had to say, which names the reason. */
function reasonOf(error) {
  if (error.killed) return `npm took longer than ${INSTALL_LIMIT_MS / 1_000} s`;
  const lines = String(error.stderr || error.message)
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('A complete log') && !line.includes('npm warn'));
  return lines.slice(0, 2).join('; ') || 'npm failed without a word';
}

/**
 * The folder of a package in the cache, fetched when it is not there.
 * @param {string} name As the registry calls it.
 * @param {string} version The exact one.
 * @param {{ folder?: string, proof?: string }} [place] The folder's name in the cache, without the version; and the file
 *   of the package that must be there.
 * @returns {Promise<string>}
 * @throws Error with one clear line when it is not to be had.
 */
export async function ensurePackage(name, version, { folder = name, proof = 'package.json' } = {}) {
  const target = join(cacheFolder(), 'understudy', `${folder}-${version}`);
  const path = join(target, 'node_modules', name);
  if (existsSync(join(path, proof))) return path;
  // Something else is there: a cache shared with another kind of machine, or one that was cleaned in part.
  await rm(target, { recursive: true, force: true });
  try {
    await install(`${name}@${version}`, target);
  } catch (error) {
    throw new Error(`${name} ${version} could not be fetched: ${reasonOf(error)}`, { cause: error });
  }
  if (!existsSync(join(path, proof))) throw new Error(`${name} ${version} holds no ${proof}`);
  return path;
}
