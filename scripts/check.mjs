// `npm run check`: types, lint, layers and unit tests; meant to be run before every commit.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const STEPS = [
  ['types of the engine', ['typescript/bin/tsc', '-p', 'tsconfig.engine.json']],
  ['types of the programs', ['typescript/bin/tsc', '-p', 'tsconfig.node.json']],
  ['types of the panel', ['typescript/bin/tsc', '-p', 'tsconfig.web.json']],
  ['lint', ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
  ['layers', [join('..', 'scripts', 'check-layers.mjs')]],
  ['unit tests', ['vitest/vitest.mjs', 'run', '--project', 'unit', '--project', 'web']],
];

/** Runs the steps in order and stops at the first that fails. @returns the exit code. */
export function check() {
  for (const [name, [script, ...args]] of STEPS) {
    const startedAt = performance.now();
    const result = spawnSync(process.execPath, [join(root, 'node_modules', script), ...args], {
      cwd: root,
      stdio: 'inherit',
    });
    if (result.status !== 0) {
      console.error(`\n${name}: failed`);
      return result.status ?? 1;
    }
    console.log(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  }
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = check();
