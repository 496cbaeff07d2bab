// Downloads a pinned package into the user's cache. For packages that must not be in package.json: platform packages,
// and bench peers, whose dependencies would break the lock file on partial registry mirrors.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { npmCommand } from './npm-command.mjs';

/** Enough for 70 MB on a slow line; a dead line must not block a test run. */
const INSTALL_LIMIT_MS = 300_000;

const execute = promisify(execFile);

export function cacheFolder() {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME) return XDG_CACHE_HOME;
  if (process.platform === 'win32') return LOCALAPPDATA || join(homedir(), 'AppData', 'Local');
  return process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache');
}

/** Installs next to `target`, then moves the whole folder there. */
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

/** Two processes may install at once: the first to move wins. */
async function moveIntoPlace(staging, target) {
  try {
    await rename(staging, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  }
}

/** npm's last output line, which has the reason. */
function reasonOf(error) {
  if (error.killed) return `npm took longer than ${INSTALL_LIMIT_MS / 1_000} s`;
  const lines = String(error.stderr || error.message)
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('A complete log') && !line.includes('npm warn'));
  return lines.slice(0, 2).join('; ') || 'npm failed without a word';
}

/**
 * Cached folder of a package, downloaded if needed.
 * @param {string} name Registry name.
 * @param {string} version The exact one.
 * @param {{ folder?: string, proof?: string }} [place] Cache folder name without version, and a file of the package
 * that must exist.
 * @returns {Promise<string>}
 * @throws Error in one line if it is not available.
 */
export async function ensurePackage(name, version, { folder = name, proof = 'package.json' } = {}) {
  const target = join(cacheFolder(), 'understudy', `${folder}-${version}`);
  const path = join(target, 'node_modules', name);
  if (existsSync(join(path, proof))) return path;
  // Left by another kind of machine that shares the cache, or cleaned in part.
  await rm(target, { recursive: true, force: true });
  try {
    await install(`${name}@${version}`, target);
  } catch (error) {
    throw new Error(`${name} ${version} could not be fetched: ${reasonOf(error)}`, { cause: error });
  }
  if (!existsSync(join(path, proof))) throw new Error(`${name} ${version} holds no ${proof}`);
  return path;
}
