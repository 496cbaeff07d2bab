// `npm run check`: types, lint, layers, dead code and unit tests; meant to be run before every commit.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const modules = join(root, 'node_modules');
/** What the types were found to be is kept: the next check reads what has changed. */
const types = (name) => [
  join(modules, 'typescript', 'bin', 'tsc'),
  ...['-p', `tsconfig.${name}.json`, '--incremental'],
  ...['--tsBuildInfoFile', join(modules, '.cache', `tsconfig.${name}.tsbuildinfo`)],
];
const STATIC = [
  ['types of the engine', types('engine')],
  ['types of the programs', types('node')],
  ['types of the panel', types('web')],
  ['lint', [join(modules, '@biomejs', 'biome', 'bin', 'biome'), 'check', '--error-on-warnings', '.']],
  ['layers', [join(root, 'scripts', 'check-layers.mjs')]],
  ['dead code', [join(modules, 'knip', 'bin', 'knip.js'), '--no-progress']],
];
/** Runs some of the tests, by the names their kinds have in the configuration. */
export const vitest = (...projects) => [
  join(modules, 'vitest', 'vitest.mjs'),
  'run',
  ...projects.flatMap((project) => ['--project', project]),
];

/**
 * Runs a script of Node's. What it says is kept until it has ended, unless it is to be seen `live`. A failure is told `after`
 * what is heard meanwhile: last, where whoever reads only the end of a log looks.
 */
export async function run(name, args, { live = false, after } = {}) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', ...Array(2).fill(live ? 'inherit' : 'pipe')],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (said += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code === 0) {
    console.log(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  } else {
    await after;
    console.error(`${said}\n${name}: failed`);
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

/** Of the panel's tests those that what is not committed yet touches: all of them take as long as everything else. */
const TOUCHED = ['tests of the panel', [...vitest('web'), '--changed', '--passWithNoTests', '--reporter', 'dot']];

/**
 * Runs the tests, and beside them types, lint and layers, in order up to the first that fails.
 *
 * @param isWhole The build and all of the panel's tests as well.
 * @returns the exit code.
 */
export async function check({ isWhole = false } = {}) {
  const units = run('unit tests', isWhole ? vitest('unit', 'web') : vitest('unit'), { live: true });
  const steps = [...STATIC, isWhole ? ['build', [join(root, 'scripts', 'build.mjs')]] : TOUCHED];
  const beside = steps.map(
    ([name, args]) =>
      () =>
        run(name, args, { after: units }),
  );
  const codes = await Promise.all([units, inOrder(beside)]);
  return codes.find((code) => code !== 0) ?? 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  // A look before a commit: `npm test` draws more.
  process.env.UNDERSTUDY_RUNS ??= 'few';
  process.exitCode = await check();
}
