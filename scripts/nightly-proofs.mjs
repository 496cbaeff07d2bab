// `npm run nightly -- proofs`: proves that a faster test covers each rule with a nightly test. Each entry of
// test/nightly breaks the rule in a copy of the sources; its faster test must fail. `npm run nightly -- proofs
// council` selects files of test/nightly.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const ROOT = join(import.meta.dirname, '..');
const TABLES = join(ROOT, 'test', 'nightly');
const COPIED = [
  'docs',
  'resources',
  'scripts',
  'src',
  'test',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'package.json',
  'package-lock.json',
];
/** A break may make its test hang. */
const LIMIT_MS = 30_000;
const CONFIGURATION = /^(?:tsconfig.*\.json|.*\.config\.ts|vite\.\w+\.ts|biome\.json)$/;

/**
 * Entries of test/nightly, by file.
 * @typedef {{ file: string, find: string, replace: string }} Break An edit that breaks the rule; `find` occurs once.
 * @typedef {{ project: string, file: string, name: string }} Faster The test that must fail; `name` is a part of its
 * full name.
 * @typedef {{ tests: readonly string[], rule: string, break: Break, fails: Faster }} Entry `tests` are beginnings of
 * "file > suite > test".
 * @returns {readonly (Entry & { table: string })[]}
 */
export function readProofs(folder = TABLES) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) =>
      JSON.parse(readFileSync(join(folder, name), 'utf8')).map((entry) => ({ ...entry, table: name.slice(0, -5) })),
    );
}

/**
 * Nightly tests without an entry.
 * @param {readonly string[]} names Tests as "file > suite > test".
 * @param {readonly Entry[]} entries
 */
export function unproven(names, entries) {
  const beginnings = entries.flatMap(({ tests }) => tests);
  return names.filter((name) => !beginnings.some((beginning) => name.startsWith(beginning)));
}

/** True if the text of the edit occurs exactly once. */
export function fits(text, { find }) {
  return text.split(find).length === 2;
}

function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), 'understudy-proofs-'));
  const configuration = readdirSync(ROOT).filter((name) => CONFIGURATION.test(name));
  for (const name of [...COPIED, ...configuration]) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'dir');
  return copy;
}

function run(copy, args) {
  const env = { ...process.env, UNDERSTUDY_RUNS: process.env.UNDERSTUDY_RUNS ?? 'few' };
  const child = spawn(process.execPath, args, { cwd: copy, env, stdio: 'ignore' });
  return new Promise((resolve) => child.once('close', resolve));
}

/** @returns the number of tests by result, or null if the file did not load. */
async function play(copy, { project, file, name }) {
  if (project === 'e2e') {
    if ((await run(copy, [join('scripts', 'build.mjs')])) !== 0) return null;
  }
  const report = join(copy, 'proof.json');
  rmSync(report, { force: true });
  const pattern = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const vitest = [join('node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', project, file, '-t', pattern];
  const limits = project === 'e2e' ? [] : [`--testTimeout=${LIMIT_MS}`, `--hookTimeout=${LIMIT_MS}`];
  await run(copy, [...vitest, ...limits, '--reporter=json', `--outputFile=${report}`]);
  try {
    const tests = JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap((each) => each.assertionResults);
    const count = (status) => tests.filter((test) => test.status === status).length;
    return { passed: count('passed'), failed: count('failed') };
  } catch {
    return null;
  }
}

/** Breaks a rule in the copy, runs its faster test and restores the file. @returns the problem, or null. */
async function prove(copy, entry) {
  const path = join(copy, entry.break.file);
  const text = readFileSync(path, 'utf8');
  if (!fits(text, entry.break)) return `${entry.break.file} does not hold "${entry.break.find}" once`;
  writeFileSync(
    path,
    text.replace(entry.break.find, () => entry.break.replace),
  );
  const broken = await play(copy, entry.fails);
  writeFileSync(path, text);
  if (broken === null) return 'the broken sources did not build or load';
  if (broken.failed > 0) return null;
  return broken.passed > 0 ? 'the faster test still passes' : 'no test has that name';
}

/**
 * Proves the entries and prints a line for each.
 * @param {readonly string[]} names Tables; all if empty.
 * @returns {Promise<number>} the exit code: 1 if a faster test misses its break.
 */
export async function playProofs(names = []) {
  const entries = readProofs().filter(({ table }) => names.length === 0 || names.includes(table));
  const waiting = [...entries];
  let failed = 0;
  const work = async () => {
    const copy = copyTree();
    try {
      for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
        const problem = await prove(copy, entry);
        if (problem) failed += 1;
        console.log(
          `${problem ? `FAILED (${problem})` : 'fails as it must'}: ${entry.fails.file} > ${entry.fails.name}`,
        );
        console.log(`  rule: ${entry.rule} (${entry.table}, ${entry.tests.length} nightly)`);
      }
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), entries.length) }, work));
  console.log(`${entries.length - failed} of ${entries.length} breaks are noticed by a faster test.`);
  return failed === 0 ? 0 : 1;
}
