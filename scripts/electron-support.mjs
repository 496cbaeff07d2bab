// `npm run electron-support`, weekly in a workflow: fails if the app's Electron no longer gets security fixes.
// Electron supports the three newest major versions.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { npmCommand } from './npm-command.mjs';

const SUPPORTED_MAJORS = 3;

/**
 * @param {string} present The app's version.
 * @param {string} latest The newest stable one.
 * @returns {{ isSupported: boolean, words: string }}
 * @throws RangeError for an invalid version.
 */
export function supportOf(present, latest) {
  const [own, newest] = [majorOf(present), majorOf(latest)];
  const oldest = newest - SUPPORTED_MAJORS + 1;
  const isSupported = own >= oldest;
  const words = isSupported
    ? `Electron ${present} is supported until ${own + SUPPORTED_MAJORS}.0.0 is out; the newest is ${latest}.`
    : `Electron ${present} is out of support: ${oldest} is the oldest that gets fixes, ${latest} the newest.`;
  return { isSupported, words };
}

function majorOf(version) {
  const [, major] = /^(\d+)\.\d+\.\d+$/.exec(version) ?? [];
  if (major === undefined) throw new RangeError(`"${version}" is no stable version of Electron.`);
  return Number(major);
}

function main() {
  const { devDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'));
  const { command, args } = npmCommand();
  const latest = execFileSync(command, [...args, 'view', 'electron', 'dist-tags.latest'], { encoding: 'utf8' }).trim();
  const { isSupported, words } = supportOf(devDependencies.electron, latest);
  (isSupported ? console.log : console.error)(words);
  return isSupported ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = main();
