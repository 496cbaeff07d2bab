// `npm run check`, before every commit: types, layers, budgets, and lint and the nearest unit tests of uncommitted
// changes.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { changedSince, nearestTests } from './changed.mjs';
import { importsIn } from './check-layers.mjs';

const root = join(import.meta.dirname, '..');
const modules = join(root, 'node_modules');
/** More threads or a small heap would double the compiler's work beside the unit tests. */
const TYPES = ['types', [join(modules, 'typescript', 'bin', 'tsc'), '-b', '--singleThreaded'], { GOGC: '400' }];
const LINT = [join(modules, '@biomejs', 'biome', 'bin', 'biome'), 'check', '--error-on-warnings'];
const TREE = [
  ['layers', [join(root, 'scripts', 'check-layers.mjs')]],
  ['silent errors', [join(root, 'scripts', 'check-silent.mjs')]],
  ['budgets', [join(root, 'scripts', 'budgets.mjs')]],
];
const WHOLE = [
  ['build', [join(root, 'scripts', 'build.mjs')]],
  ['dead code', [join(modules, 'knip', 'bin', 'knip.js'), '--no-progress']],
];

export const vitest = (...projects) => [
  join(modules, 'vitest', 'vitest.mjs'),
  'run',
  ...projects.flatMap((project) => ['--project', project]),
];

/**
 * Runs a Node script and prints its time, or its output if it fails. `live` shows the output at once; `after` delays a
 * failure's output until another run has ended, so that it ends the log.
 * @returns {Promise<number>} the exit code.
 */
export async function run(name, args, { live = false, after, env } = {}) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', ...Array(2).fill(live ? 'inherit' : 'pipe')],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code === 0) {
    console.log(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  } else {
    await after;
    console.error(`${output}\n${name}: failed`);
  }
  return code ?? 1;
}

async function inOrder(steps) {
  for (const step of steps) {
    const code = await step();
    if (code !== 0) return code;
  }
  return 0;
}

/**
 * Runs unit tests and, in parallel, types, lint and layers up to the first failure.
 * @param {{ tests: readonly string[]
 * null, linted?: readonly string[] }} options `tests` are arguments of vitest, null for none; without `linted`, all
 * files are linted, and the build and the search for dead code run too.
 * @returns {Promise<number>} the exit code.
 */
export async function check({ tests, linted }) {
  const units = tests === null ? Promise.resolve(0) : run('unit tests', tests, { live: true });
  const lint = ['lint', [...LINT, ...(linted ?? ['.'])]];
  const steps = [TYPES, lint, ...TREE, ...(linted ? [] : WHOLE)].map(
    ([name, args, env]) =>
      () =>
        run(name, args, { after: units, env }),
  );
  const codes = await Promise.all([units, inOrder(steps)]);
  return codes.find((code) => code !== 0) ?? 0;
}

/** Number of test files that run within half a minute on two cores. */
const NEAREST = 60;

/** @returns {Promise<number>} the exit code. */
async function checkChanges() {
  const changed = changedSince(root, 'HEAD').filter((path) => existsSync(join(root, path)));
  const reached = nearestTests(changed, importsIn(root, ['scripts', 'src', 'test']));
  const nearest = reached.slice(0, NEAREST);
  console.log(`${nearest.length} of the ${reached.length} test files that the changes reach; npm test plays all.`);
  const tests = [...vitest('unit', 'web'), ...nearest, '--passWithNoTests', '--reporter', 'dot'];
  return check({
    tests: nearest.length === 0 ? null : tests,
    linted: ['--no-errors-on-unmatched', ...changed, 'package.json'],
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.env.UNDERSTUDY_RUNS ??= 'few';
  process.exitCode = await checkChanges();
}
