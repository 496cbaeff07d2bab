// `npm test`: checks, build, and tests on a real OpenCode and in a real browser. `--changed` skips tests that
// uncommitted changes cannot reach, `--changed=main` compares with a commit.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { measureBuild, printBudgets, readBudgets } from './budgets.mjs';
import { changedTests } from './changed.mjs';
import { check, run, vitest } from './check.mjs';
import { ensureChromium } from './ensure-chromium.mjs';
import { ensureOpencode, ensureOpencode2 } from './ensure-opencode.mjs';
import { readProofs, unproven } from './nightly-proofs.mjs';

const root = join(import.meta.dirname, '..');
const REPORTS = join(root, 'test-results');
/** Parts with separate reports. */
const PARTS = ['unit', 'long', 'e2e'];
const SLOWEST = 10;

const reportOf = (name) => join(REPORTS, `${name}.json`);
/** Arguments for a vitest report in addition to its output. */
const reporting = (name, reporter = 'default') => [
  ...['--reporter', reporter, '--reporter', 'json', `--outputFile.json=${reportOf(name)}`],
];

/**
 * Runs the selected tests and prints counts.
 * @param {readonly string[]} args Arguments of the command.
 * @returns {Promise<number>} the exit code.
 */
export async function playEverything(args) {
  const changed = args.find((arg) => /^--changed(?:=|$)/.test(arg));
  const rest = args.filter((arg) => arg !== changed);
  const commit = changed?.split('=')[1] ?? 'HEAD';
  for (const name of PARTS) rmSync(reportOf(name), { force: true });
  mkdirSync(REPORTS, { recursive: true });
  // Downloads run beside the checks. The end-to-end set-up retries a failed one and reports the reason.
  const fetched = Promise.allSettled([ensureOpencode(), ensureOpencode2(), ensureChromium()]);
  const since = changed ? [`--changed=${commit}`, '--passWithNoTests'] : [];
  const units = [...vitest('unit', 'web'), ...reporting('unit'), ...since];
  const startedAt = performance.now();
  const code = (await check({ tests: units })) || (await playPromises());
  printCounts();
  // A busy machine may exceed the limit, so the time is only printed.
  console.log(`testSeconds: ${Math.round((performance.now() - startedAt) / 1_000)} of ${readBudgets().testSeconds}`);
  return code || checkProofs() || printBudgets(measureBuild());

  async function playPromises() {
    await fetched;
    const files = changed ? changedTests(root, commit) : [];
    console.log(changed ? `The change reaches ${files.length} files of end-to-end tests.` : '');
    const promises =
      changed && files.length === 0
        ? Promise.resolve(0)
        : run('end-to-end tests', [...vitest('e2e'), ...reporting('e2e'), ...files, ...rest], { live: true });
    // Most of these tests wait: two workers are enough.
    const passing = since.length > 0 ? [] : ['--passWithNoTests'];
    const args = [...reporting('long', 'dot'), '--maxWorkers', '2', ...since, ...rest, ...passing];
    const codes = await Promise.all([promises, run('long tests', [...vitest('long'), ...args], { after: promises })]);
    return codes.find((each) => each !== 0) ?? 0;
  }
}

/** Test files of a report; empty if that part did not run. */
function readReport(name) {
  try {
    return JSON.parse(readFileSync(reportOf(name), 'utf8')).testResults.map((file) => ({
      name: relative(root, file.name).replaceAll('\\', '/'),
      seconds: (file.endTime - file.startTime) / 1_000,
      tests: file.assertionResults,
    }));
  } catch {
    return [];
  }
}

function printCounts() {
  const all = [];
  for (const name of PARTS) {
    const files = readReport(name);
    all.push(...files);
    console.log(`${name}: ${files.length} files, ${countsOf(files)}`);
  }
  const slowest = all.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  console.log(`slowest: ${slowest.map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`).join(', ')}`);
  console.log(countsOf(all));
}

function countsOf(files) {
  const count = (...states) =>
    files.flatMap(({ tests }) => tests).filter(({ status }) => states.includes(status)).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped', 'pending', 'todo')} skipped`;
}

/** A nightly test without an entry in test/nightly could lose its rule unnoticed. */
function checkProofs() {
  const nightly = PARTS.flatMap(readReport).flatMap(({ name, tests }) =>
    tests.filter(({ tags }) => tags?.includes('nightly')).map((test) => testName(name, test)),
  );
  const missing = unproven(nightly, readProofs());
  for (const name of missing) console.error(`${name}: a nightly test without an entry in test/nightly`);
  return missing.length === 0 ? 0 : 1;
}

const testName = (file, { ancestorTitles, title }) => [file, ...ancestorTitles, title].join(' > ');

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = await playEverything(process.argv.slice(2));
}
