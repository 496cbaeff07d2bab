// Finds or downloads the OpenCode for demo and end-to-end tests. Not in package.json: partial registry mirrors lack
// its platform packages, which would break the lock file.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensurePackage } from './ensure-package.mjs';

/** Keep equal to PINNED_OPENCODE_VERSION in src/node/opencode/binary.ts. */
export const OPENCODE_VERSION = '1.18.34';

/** The tested release of OpenCode 2. */
export const OPENCODE2_VERSION = '2.0.15';

const execute = promisify(execFile);

/**
 * OpenCode's platform package of a machine.
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

/** The package of OpenCode 2; its baseline builds run on every machine of their kind. */
export function packageName2(machine) {
  const name = packageName({ ...machine, hasAvx2: false });
  return name.replace(/^opencode-/, '@opencode/cli-');
}

async function thisMachine() {
  const { platform, arch } = process;
  const report = platform === 'linux' ? process.report.getReport() : null;
  const isMusl = report !== null && report.header.glibcVersionRuntime === undefined;
  return { platform, arch, isMusl, hasAvx2: arch !== 'x64' || (await readAvx2(platform)) };
}

/** Assumes AVX2 if it cannot be read, as on all processors of the last decade. */
async function readAvx2(platform) {
  try {
    if (platform === 'linux') return /\bavx2\b/i.test(readFileSync('/proc/cpuinfo', 'utf8'));
    if (platform === 'darwin') return (await execute('sysctl', ['-n', 'hw.optional.avx2_0'])).stdout.trim() === '1';
  } catch {
    // Unreadable: assume AVX2.
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
 * Path of an OpenCode 1: `OPENCODE_BIN`, else a cached or downloaded release.
 * @param {string} [version]
 * @returns {Promise<string>}
 * @throws Error in one line if there is none.
 */
export async function ensureOpencode(version = OPENCODE_VERSION) {
  return (await named('OPENCODE_BIN')) ?? fetchRelease(1, version);
}

/**
 * Path of an OpenCode 2: `OPENCODE2_BIN`, else a cached or downloaded release.
 * @param {string} [version]
 * @returns {Promise<string>}
 * @throws Error in one line if there is none.
 */
export async function ensureOpencode2(version = OPENCODE2_VERSION) {
  return (await named('OPENCODE2_BIN')) ?? fetchRelease(2, version);
}

/**
 * Registry name of this machine's package.
 * @param {number} generation 1 or 2.
 * @returns {Promise<string>}
 * @throws Error if OpenCode is not built for it.
 */
export async function packageFor(generation) {
  return (generation === 1 ? packageName : packageName2)(await thisMachine());
}

/**
 * Path of exactly this release, cached or downloaded; ignores variables.
 * @param {number} generation 1 or 2.
 * @param {string} version
 * @returns {Promise<string>}
 * @throws Error in one line if it is not available.
 */
export async function fetchRelease(generation, version) {
  return fetched(await packageFor(generation), version);
}

/** File that a variable names, if set. @throws Error if it cannot be run. */
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
