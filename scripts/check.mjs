// `npm run check`: types, lint, layers and the tests that the uncommitted changes reach; before every commit.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const modules = join(root, 'node_modules');
const STATIC = [
  ['types', [join(modules, 'typescript', 'bin', 'tsc'), '-b']],
  ['lint', [join(modules, '@biomejs', 'biome', 'bin', 'biome'), 'check', '--error-on-warnings', '.']],
  ['layers', [join(root, 'scripts', 'check-layers.mjs')]],
  ['budgets', [join(root, 'scripts', 'budgets.mjs')]],
];
const WHOLE = [
  ['build', [join(root, 'scripts', 'build.mjs')]],
  ['dead code', [join(modules, 'knip', 'bin', 'knip.js'), '--no-progress']],
];

/** Arguments that run the tests of some projects of vitest.config.ts. */
export const vitest = (...projects) => [
  join(modules, 'vitest', 'vitest.mjs'),
  'run',
  ...projects.flatMap((project) => ['--project', project]),
];

/**
 * Runs a script of Node and prints its time, or its output if it fails. `live` shows the output at once; `after` delays the
 * output of a failure until another run has ended, so that it is at the end of the log.
 *
 * @returns {Promise<number>} the exit code.
 */
export async function run(name, args, { live = false, after } = {}) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
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
 * Runs unit tests, and beside them types, lint and layers in order, up to the first that fails.
 *
 * @param {{ tests: readonly string[], isWhole?: boolean }} options `tests` are arguments of vitest; `isWhole` adds the build and
 *   the search for dead code.
 * @returns {Promise<number>} the exit code.
 */
export async function check({ tests, isWhole = false }) {
  const units = run('unit tests', tests, { live: true });
  const steps = [...STATIC, ...(isWhole ? WHOLE : [])].map(
    ([name, args]) =>
      () =>
        run(name, args, { after: units }),
  );
  const codes = await Promise.all([units, inOrder(steps)]);
  return codes.find((code) => code !== 0) ?? 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.env.UNDERSTUDY_RUNS ??= 'few';
  process.exitCode = await check({
    tests: [...vitest('unit', 'web'), '--changed', '--passWithNoTests', '--reporter', 'dot'],
  });
}
