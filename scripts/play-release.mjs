// Plays the groups of scripts/promises.mjs on one release of OpenCode and reads the results.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { generationOf, plain, readReport } from './promises.mjs';

const root = join(import.meta.dirname, '..');
const MINUTE_MS = 60_000;
/** Length of the output's end that can explain a failure. */
const TAIL_LENGTH = 4_000;

/**
 * Plays one group. An unplayed group proves nothing about the release.
 * @param {{ version: string, binary: string, group: object }} task
 * @param {string} [program] vitest, or the command line for the demo.
 * @returns {Promise<{ promises: readonly object[] }
 * { unplayed: string }>}
 */
export function playGroup(task, program = programFor(task.group)) {
  return task.group.file === undefined ? playDemo(task, program) : playTests(task, program);
}

const programFor = ({ file }) =>
  file === undefined ? join(root, 'out', 'cli', 'understudy.js') : join(root, 'node_modules', 'vitest', 'vitest.mjs');

/** The demo uses `OPENCODE_BIN` of either generation and prints which one. */
async function playDemo({ version, binary, group }, cli) {
  const ended = await run([cli, 'demo', '--once'], { OPENCODE_BIN: binary, NO_COLOR: '1' }, group);
  const promise = { place: 'the demo', title: 'it tells a whole fallback and ends with 0' };
  const failed = (why) => ({ promises: [{ ...promise, outcome: 'failed', why }] });
  if (ended.isTooLate) return failed(lateText(group));
  if (ended.code !== 0) return failed(lastWords(ended.tail) || `it ended with ${ended.code}`);
  if (!new RegExp(`OpenCode ${version.replaceAll('.', '\\.')}\\b`).test(ended.tail))
    return { unplayed: `the demo was not played on OpenCode ${version}` };
  return { promises: [{ ...promise, outcome: 'held', why: '' }] };
}

async function playTests({ version, binary, group }, vitest) {
  const folder = join(root, 'test-results', 'releases');
  const report = join(folder, `${version}-${group.name}.json`);
  mkdirSync(folder, { recursive: true });
  rmSync(report, { force: true });
  const args = [
    ...[vitest, 'run', '--project', 'e2e', group.file],
    ...(group.pattern === undefined ? [] : ['-t', group.pattern]),
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  ];
  const ended = await run(args, variablesFor(version, binary), group);
  if (ended.isTooLate)
    return { promises: [{ place: group.name, title: 'it comes to an end', outcome: 'failed', why: lateText(group) }] };
  const promises = reportAt(report).map((promise) => ({ ...promise, why: hidden(promise.why) }));
  if (promises.length === 0) return { unplayed: `${group.file} was not run: ${lastWords(ended.tail)}` };
  if (ended.code === 0 || promises.some(({ outcome }) => outcome === 'failed')) return { promises };
  const why = `every promise held, and yet the run ended with ${ended.code}`;
  return { promises: [...promises, { place: group.name, title: 'it ends well', outcome: 'failed', why }] };
}

/** Replaces the machine's OpenCode by this release. */
const variablesFor = (version, binary) => ({
  [generationOf(version) === 1 ? 'OPENCODE_BIN' : 'OPENCODE2_BIN']: binary,
  UNDERSTUDY_NIGHTLY: '1',
});

function reportAt(path) {
  try {
    return readReport(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return [];
  }
}

const lateText = ({ limitMinutes }) => `It had not ended after ${limitMinutes} minutes.`;

/** Hides folders of this machine. */
const hidden = (text) => text.replaceAll(root, '.').replaceAll(tmpdir(), 'tmp');

const lastWords = (tail) => hidden(plain(tail.trim().split('\n').slice(-3).join('\n')));

/** Runs a Node program and shows its output; ends it with all its children after the group's limit. */
function run(args, variables, { limitMinutes }) {
  return new Promise((resolve) => {
    const env = { ...process.env, ...variables };
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let tail = '';
    let isTooLate = false;
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        process.stdout.write(text);
        tail = (tail + text).slice(-TAIL_LENGTH);
      });
    const stop = () => {
      endTree(child);
      process.stdout.write('', () => process.exit(1));
    };
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
    const timer = setTimeout(() => {
      isTooLate = true;
      endTree(child);
    }, limitMinutes * MINUTE_MS);
    child.on('error', (error) => {
      tail += error.message;
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stop);
      resolve({ code, tail, isTooLate });
    });
  });
}

/** Ends a program with its descendants, because an OpenCode under test has its own process group. */
export function endTree(child) {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
    return;
  }
  const listed = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout ?? '';
  const all = listed.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const tree = [child.pid];
  for (const parent of tree) tree.push(...all.filter(([, ppid]) => ppid === parent).map(([pid]) => pid));
  for (const pid of tree) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }
}
