// Runs before start, test and demo: a fresh clone needs no separate install command.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand } from './npm-command.mjs';

const OLDEST_NODE = [20, 19];

/** @param {string} version Such as `20.19.0`. */
export function isNodeNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/**
 * True if `node_modules` has every locked package in its version. Compares with npm's lock in `node_modules`; packages
 * for other systems may be missing.
 * @param {string} root The repository.
 */
export function matchesLock(root) {
  const installedLock = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedLock)) return false;
  try {
    const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
    const installed = JSON.parse(readFileSync(installedLock, 'utf8')).packages;
    return Object.entries(wanted).every(([path, { version, optional }]) => {
      if (path === '') return true;
      if (installed[path] === undefined) return optional === true;
      return installed[path].version === version && existsSync(join(root, path, 'package.json'));
    });
  } catch {
    return false; // An unreadable lock is a reason to install.
  }
}

/**
 * Runs `npm ci` if needed, without package scripts.
 * @param {string} root The repository.
 * @returns {number} npm's exit code, 0 if nothing was needed.
 */
export function ensureDependencies(root) {
  if (matchesLock(root)) return 0;
  console.log('Installing dependencies (npm ci)…');
  const { command, args } = npmCommand();
  const flags = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const result = spawnSync(command, [...args, ...flags], { cwd: root, stdio: 'inherit' });
  return result.status ?? 1;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (!isNodeNewEnough(process.versions.node)) {
    console.error(`Node ${process.versions.node} is too old: ${OLDEST_NODE.join('.')} or newer is needed.`);
    process.exitCode = 1;
  } else {
    process.exitCode = ensureDependencies(fileURLToPath(new URL('..', import.meta.url)));
    if (process.exitCode !== 0) console.error('The dependencies could not be installed: npm ci failed.');
  }
}
