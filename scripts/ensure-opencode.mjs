// Finds or fetches the real OpenCode that the demo and the end-to-end tests drive. It stays out of package.json: its
// platform packages are missing from partial registry mirrors, and the lock file would then break for everyone.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensurePackage } from './ensure-package.mjs';

/** Keep equal to PINNED_OPENCODE_VERSION in src/node/opencode/binary.ts. */
export const OPENCODE_VERSION = '1.18.34';

/** The release of OpenCode 2 that the same is proven on. */
export const OPENCODE2_VERSION = '2.0.15';

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

/** The same of OpenCode 2, whose baseline builds run on every machine of their kind. */
export function packageName2(machine) {
  const name = packageName({ ...machine, hasAvx2: false });
  return name.replace(/^opencode-/, '@opencode/cli-');
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

async function isExecutable(path) {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * The path of an OpenCode 1 executable: `OPENCODE_BIN`, else a release from the cache, fetched when it is not there.
 * @param {string} [version] The pinned one where it is left out.
 * @returns {Promise<string>}
 * @throws Error with one clear line when there is none to be had.
 */
export async function ensureOpencode(version = OPENCODE_VERSION) {
  return (await named('OPENCODE_BIN')) ?? fetchRelease(1, version);
}

/**
 * The same of OpenCode 2, which `OPENCODE2_BIN` names.
 * @param {string} [version] The pinned one where it is left out.
 * @returns {Promise<string>}
 * @throws Error with one clear line when there is none to be had.
 */
export async function ensureOpencode2(version = OPENCODE2_VERSION) {
  return (await named('OPENCODE2_BIN')) ?? fetchRelease(2, version);
}

/**
 * The package of a generation for this machine, as the registry calls it.
 * @param {number} generation 1 or 2.
 * @returns {Promise<string>}
 * @throws Error if OpenCode is not built for it.
 */
export async function packageFor(generation) {
  return (generation === 1 ? packageName : packageName2)(await thisMachine());
}

/**
 * The path of this very release, whatever the variables name: from the cache, fetched when it is not there.
 * @param {number} generation 1 or 2.
 * @param {string} version
 * @returns {Promise<string>}
 * @throws Error with one clear line when it is not to be had.
 */
export async function fetchRelease(generation, version) {
  return fetched(await packageFor(generation), version);
}

/** The file a variable names, if it is set. @throws Error when that is none to run: it was meant. */
async function named(variable) {
  const path = process.env[variable];
  if (!path) return null;
  if (await isExecutable(path)) return resolve(path);
  throw new Error(`${variable} is ${path}, which is not an executable file`);
}

async function fetched(name, version) {
  const executable = join('bin', process.platform === 'win32' ? 'opencode.exe' : 'opencode');
  return join(await ensurePackage(name, version, { folder: 'opencode', proof: executable }), executable);
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    console.log(await ensureOpencode());
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
