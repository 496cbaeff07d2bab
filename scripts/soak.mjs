// `npm run soak`: tests that are too slow for every change. `npm run soak -- matrix` selects files by name; `releases`
// plays the promises on OpenCode releases and writes docs/releases.md; `random` uses new seeds.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { build } from './build.mjs';
import { soakRandom } from './soak-random.mjs';
import { soakReleases } from './soak-releases.mjs';

const root = join(import.meta.dirname, '..');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
// Verbose, because some tests take most of an hour.
const run = () =>
  spawnSync(process.execPath, [vitest, 'run', '--project', 'soak', '--reporter', 'verbose', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  }).status ?? 1;
const [first, ...rest] = process.argv.slice(2);

const SPECIAL = { releases: soakReleases, random: soakRandom };
process.exitCode = build() || (await (Object.hasOwn(SPECIAL, first ?? '') ? SPECIAL[first](rest) : run()));
