// Finds or fetches the real OpenCode that the demo and the end-to-end tests drive. It stays out of package.json: its
// platform packages are missing from partial registry mirrors, and the lock file would then break for everyone.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { access, constants, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { npmCommand } from './npm-command.mjs';

/** Keep equal to PINNED_OPENCODE_VERSION in src/node/opencode/binary.ts. */
export const OPENCODE_VERSION = '1.18.33';

/** About 70 MB are fetched; a slow line gets its time, a dead one does not hold a test run for ever. */
const INSTALL_LIMIT_MS = 300_000;

const execute = promisify(execFile);

/**
 * The platform package for a machine, as OpenCode names them.
 * @param {{ platform: string, arch: string, isMusl: boolean, hasAvx2: boolean }} machine
 * @throws Error if OpenCode is not built for it.
 */
export function packageName({ platform, arch, isMusl, hasAvx2 }) {
  const system = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[platform];
  if (system === undefined || (arch !== 'x64' && arch !== 'arm64')) {
    throw new Error(`OpenCode is not built for ${platform}-${arch}; set OPENCODE_BIN to an OpenCode that runs here`);
  }
  const baseline = arch === 'x64' && !hasAvx2 ? '-baseline' : '';
  return `opencode-${system}-${arch}${baseline}${platform === 'linux' && isMusl ? '-musl' : ''}`;
}

/** What {@link packageName} needs to know about this machine. */
async function thisMachine() {
  const { platform, arch } = process;
  const report = platform === 'linux' ? process.report.getReport() : null;
  const isMusl = report !== null && report.header.glibcVersionRuntime === undefined;
  return { platform, arch, isMusl, hasAvx2: arch !== 'x64' || (await readAvx2(platform)) };
}

/** Whether the processor has AVX2; where that cannot be asked, it is taken for granted as on all of the last decade. */
async function readAvx2(platform) {
  try {
    if (platform === 'linux') return /\bavx2\b/i.test(readFileSync('/proc/cpuinfo', 'utf8'));
    if (platform === 'darwin') return (await execute('sysctl', ['-n', 'hw.optional.avx2_0'])).stdout.trim() === '1';
  } catch {
    // Not readable: see above.
  }
  return true;
}

/** The user's cache folder by the custom of the system. */
function cacheFolder() {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME) return XDG_CACHE_HOME;
  if (process.platform === 'win32') return LOCALAPPDATA || join(homedir(), 'AppData', 'Local');
  return process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache');
}

async function isExecutable(path) {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Installs the package into a folder of its own beside `target` and moves it there whole. */
async function install(name, target) {
  await mkdir(dirname(target), { recursive: true });
  const staging = await mkdtemp(`${target}.incoming-`);
  try {
    const { command, args } = npmCommand();
    const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const what = [`--prefix=${staging}`, ...flags, `${name}@${OPENCODE_VERSION}`];
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
 * The path of an OpenCode executable: `OPENCODE_BIN`, else the pinned one from the cache, fetched when it is not there.
 * @returns {Promise<string>}
 * @throws Error with one clear line when there is none to be had.
 */
export async function ensureOpencode() {
  const named = process.env.OPENCODE_BIN;
  if (named) {
    if (await isExecutable(named)) return resolve(named);
    throw new Error(`OPENCODE_BIN is ${named}, which is not an executable file`);
  }
  const name = packageName(await thisMachine());
  const target = join(cacheFolder(), 'understudy', `opencode-${OPENCODE_VERSION}`);
  const executable = process.platform === 'win32' ? 'opencode.exe' : 'opencode';
  const path = join(target, 'node_modules', name, 'bin', executable);
  if (await isExecutable(path)) return path;
  // Something else is there: a cache shared with another kind of machine, or one that was cleaned in part.
  await rm(target, { recursive: true, force: true });
  try {
    await install(name, target);
  } catch (error) {
    throw new Error(`OpenCode ${OPENCODE_VERSION} (${name}) could not be fetched: ${reasonOf(error)}`, {
      cause: error,
    });
  }
  if (!(await isExecutable(path))) throw new Error(`${name} holds no ${basename(path)}; set OPENCODE_BIN`);
  return path;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    console.log(await ensureOpencode());
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
