// Checks if out/ is as new as its sources.
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { companionParts } from './npm-package.mjs';

const SOURCES = [
  'src',
  'package.json',
  'electron.vite.config.ts',
  'vite.node.config.ts',
  'vite.companion.ts',
  'vite.libraries.ts',
];
const BUILT = [
  'main/index.js',
  'preload/index.cjs',
  'renderer/index.html',
  'panel/index.js',
  'cli/understudy.js',
  'plugin/opencode-understudy.js',
];

export function markBuilt(root, startedAt) {
  const stamp = join(root, 'out', '.built');
  writeFileSync(stamp, '');
  utimesSync(stamp, startedAt, startedAt);
}

export function isBuilt(root) {
  const stamp = join(root, 'out', '.built');
  if (!existsSync(stamp) || !BUILT.every((file) => existsSync(join(root, 'out', file)))) return false;
  const builtAtMs = statSync(stamp).mtimeMs;
  const built = join(root, 'out', 'plugin');
  if (!existsSync(join(built, companionParts(built), 'runtime.js'))) return false;
  return SOURCES.every((source) => newestMs(join(root, source)) <= builtAtMs);
}

// Includes folders, because their time changes when a file is removed.
function newestMs(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}
