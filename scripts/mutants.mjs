// `npm run mutants`: counts the seeded mutants of the engine and the provider code that the fast tests kill, without
// OpenCode or browser. A mutant survives if no test fails with it.
import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { loadConfigFromFile } from 'vite';
import { mutantsOf, SWITCHES, withSwitches } from './mutant-sites.mjs';

const FOLDERS = ['src/engine', 'src/plugin/answer'];
const RUNNER = 'UNDERSTUDY_MUTANT_RUNNER';
/** CPU time limit of a test file, because an endless loop never ends. */
const MAX_CPU_S = 60;
const IN_LOOP = 3;
const MAX_ATTEMPTS = 5;
const CHUNK = 25;

const { values: options, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    root: { type: 'string', default: join(import.meta.dirname, '..') },
    project: { type: 'string', multiple: true, default: ['unit', 'long'] },
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    out: { type: 'string', default: 'test-results/mutants.json' },
    most: { type: 'string', default: '30' },
    from: { type: 'string' },
  },
});
/** The test process works in the measured folder. */
const root = resolve(process.env[RUNNER] ? '.' : options.root);

const byHash = (a, b) => (a.hash < b.hash ? -1 : 1);
const isKilled = ({ by }) => Boolean(by);

/** Draws mutants by seed, without those that an earlier run killed. */
function drawMutants(earlier) {
  const sources = FOLDERS.flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.name.endsWith('.ts'))
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep).join('/'));
  const all = sources.flatMap((file) => mutantsOf(readFileSync(join(root, file), 'utf8'), file, options.seed));
  all.sort(byHash);
  const killed = new Set(earlier?.filter(isKilled).map(({ hash }) => hash));
  const drawn = all.slice(0, Number(options.count)).filter(({ hash }) => !killed.has(hash));
  return drawn.map((mutant, id) => ({ ...mutant, id }));
}

/**
 * Opens the repository's Vitest projects with switches in the sources; one worker runs the files in the given order.
 */
async function openVitest(mutants, reporter) {
  const vitestNode = createRequire(join(root, 'package.json')).resolve('vitest/node');
  const { createVitest } = await import(pathToFileURL(vitestNode));
  const { config } = await loadConfigFromFile({ command: 'serve', mode: 'test' }, join(root, 'vitest.config.ts'));
  const switches = join(root, 'mutant-switches.js');
  const plugin = {
    name: 'mutants',
    enforce: 'pre',
    resolveId: (id) => (id.endsWith('/mutant-switches.js') ? switches : null),
    load: (id) => (id === switches ? SWITCHES : null),
    transform(code, id) {
      const inside = mutants.filter(({ file }) => join(root, file) === id);
      return inside.length > 0 ? { code: withSwitches(code, inside), map: null } : null;
    },
  };
  const projects = config.test.projects
    .filter(({ test }) => options.project.includes(test.name))
    .map(({ test, ...rest }) => ({
      ...rest,
      plugins: [plugin],
      test: { ...test, maxWorkers: 1, setupFiles: [switches, ...(test.setupFiles ?? [])] },
    }));
  const sequencer = class {
    sort = (files) => files;
  };
  const { tags = [] } = config.test;
  const shared = { root, config: false, watch: false, silent: true, maxWorkers: 1, reporters: [reporter], tags };
  const cacheDir = join(tmpdir(), 'understudy-mutants');
  return createVitest('test', { ...shared, sequence: { sequencer }, projects }, { cacheDir });
}

/** Child process: runs test files from the parent, each with its mutant. */
async function serveRuns() {
  const [mutants] = await once(process, 'message');
  let ended = [];
  let cpu = process.cpuUsage();
  const watch = () => {
    const { user, system } = process.cpuUsage(cpu);
    if ((user + system) / 1e6 > MAX_CPU_S) process.exit(IN_LOOP);
  };
  const vitest = await openVitest(mutants, {
    onTestModuleQueued({ moduleId }) {
      cpu = process.cpuUsage();
      process.send({ current: moduleId });
    },
    onTestModuleEnd: (module) =>
      ended.push({ file: module.moduleId, ok: module.ok(), ms: module.diagnostic().duration, ...module.meta() }),
  });
  const byFile = new Map((await vitest.globTestSpecifications(filters)).map((one) => [one.moduleId, one]));
  process.on('disconnect', () => process.exit());
  setInterval(watch, 1000);
  process.on('message', async ({ pairs, bail }) => {
    for (const project of vitest.projects) {
      project.provide('mutants', Object.fromEntries(pairs));
      project.config.bail = vitest.config.bail = bail;
    }
    ended = [];
    const { unhandledErrors } = await vitest.runTestSpecifications(pairs.map(([file]) => byFile.get(file)));
    for (const { VITEST_TEST_PATH: file } of unhandledErrors) if (file) ended.push({ file, ok: false });
    // A run's error without a failed test proves nothing about the mutant: the parent starts another process.
    if (unhandledErrors.length > 0 && ended.every(({ ok }) => ok)) {
      console.error(unhandledErrors);
      process.exit(1);
    }
    process.send({ ended });
  });
  process.send({ files: [...byFile.keys()] });
}

/** Starts a process that runs test files, and another one when it ends. */
async function openRunner(mutants) {
  const setup = { cwd: root, env: { ...process.env, [RUNNER]: '1' }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] };
  const start = async () => {
    const child = fork(import.meta.filename, process.argv.slice(2), setup);
    child.send(mutants);
    const [{ files }] = await once(child, 'message');
    return { child, files };
  };
  let { child, files } = await start();
  const run = async (pairs, bail = 0) => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      let current = null;
      child.send({ pairs, bail });
      for await (const [message] of on(child, 'message', { close: ['exit'] })) {
        if (message.ended) return message.ended;
        current = message.current;
      }
      // A mutant may also exhaust the memory.
      const isLost = child.exitCode === IN_LOOP || child.signalCode !== null;
      ({ child } = await start());
      if (isLost) return [{ file: current, ok: false, isLost }];
    }
    throw new Error(`${pairs.map(([file]) => file).join(', ')}: cannot be run`);
  };
  return { files, run, close: () => child.kill() };
}

function* chunksOf(items) {
  for (let at = 0; at < items.length; at += CHUNK) yield items.slice(at, at + CHUNK);
}

async function share(runners, jobs, work) {
  const left = jobs.values();
  const playAll = async (runner) => {
    for (const job of left) await work(runner, job);
  };
  await Promise.all(runners.map(playAll));
}

/** Runs all test files without a mutant, for coverage and time. Failing files are excluded. */
async function survey(runners) {
  const surveyed = [];
  await share(runners, [...chunksOf(runners[0].files)], async (runner, files) => {
    const ended = await runner.run(files.map((file) => [file, null]));
    const failed = new Set(ended.filter(({ ok }) => !ok).map(({ file }) => file));
    for (const file of failed) console.log(`fails without a mutant, not used: ${relative(root, file)}`);
    for (const { file, ms, reached, changed, loaded } of ended.filter((one) => !failed.has(one.file) && one.reached)) {
      surveyed.push({ file, ms, reached: new Set(reached), changed: new Set(changed), loaded: new Set(loaded) });
    }
  });
  return surveyed;
}

/** Number of leading path parts shared by test and source. */
function nearness(test, source) {
  const [steps, own] = [relative(root, test), source].map((path) => path.split(/[/\\.]/).slice(1));
  return steps.findIndex((step, at) => step !== own[at]);
}

/** Assigns to each mutant the nearest test files in which it changes a value: others cannot fail by it. */
function plan(mutants, surveyed) {
  return mutants.map(({ edits, ...mutant }) => {
    const isReached = surveyed.some(({ reached }) => reached.has(mutant.id));
    // A worker loads a module once for all its files.
    const isLoaded = surveyed.some(({ loaded }) => loaded.has(mutant.id));
    const files = surveyed
      .filter(({ changed }) => isLoaded || changed.has(mutant.id))
      .sort((a, b) => nearness(b.file, mutant.file) - nearness(a.file, mutant.file) || a.ms - b.ms)
      .map(({ file }) => file);
    const most = Number(options.most);
    return { ...mutant, verdict: isReached ? 'survived' : 'not reached', isLoaded, files: files.slice(0, most) };
  });
}

/**
 * Takes each mutant's next test file that is free, so that one worker runs many mutants. A mutant that changes a
 * module while it loads gets its own worker.
 */
function nextJobs(mutants) {
  const taken = new Map();
  const jobs = [];
  for (const { id, by, isLoaded, files } of mutants) {
    if (by || files.length === 0) continue;
    if (isLoaded) jobs.push({ pairs: files.splice(0).map((file) => [file, id]), bail: 1 });
    const at = files.findIndex((file) => !taken.has(file));
    if (at >= 0) taken.set(files.splice(at, 1)[0], id);
  }
  return [...jobs, ...[...chunksOf([...taken])].map((pairs) => ({ pairs, bail: 0 }))];
}

async function runMutants(runners, mutants, save) {
  for (let jobs = nextJobs(mutants); jobs.length > 0; jobs = nextJobs(mutants)) {
    console.log(`killed ${mutants.filter(isKilled).length} of ${mutants.length}; ${jobs.length} jobs`);
    save();
    await share(runners, jobs, async (runner, { pairs, bail }) => {
      const ended = await runner.run(pairs, bail);
      const idOf = new Map(pairs);
      for (const { file, isLost } of ended.filter(({ ok }) => !ok)) {
        const verdict = isLost ? 'timeout' : 'killed';
        if (idOf.has(file)) Object.assign(mutants[idOf.get(file)], { verdict, by: relative(root, file) });
        idOf.delete(file);
      }
      // A lost process also loses the results of its other files.
      if (ended.some(({ isLost }) => isLost) && bail === 0)
        for (const [file, id] of idOf) mutants[id].files.unshift(file);
    });
  }
}

function save(results) {
  const rows = results.map(({ id, isLoaded, files, ...result }) => JSON.stringify(result));
  mkdirSync(dirname(options.out), { recursive: true });
  writeFileSync(options.out, `{ "seed": ${JSON.stringify(options.seed)}, "mutants": [\n${rows.join(',\n')}\n] }\n`);
}

async function measure() {
  const earlier = options.from && JSON.parse(readFileSync(options.from, 'utf8')).mutants;
  const drawn = drawMutants(earlier);
  const start = () => openRunner(drawn);
  const runners = await Promise.all(Array.from({ length: Number(options.jobs) }, start));
  const mutants = plan(drawn, await survey(runners));
  const results = [...(earlier ? earlier.filter(isKilled) : []), ...mutants].sort(byHash);
  await runMutants(runners, mutants, () => save(results));
  save(results);
  for (const runner of runners) runner.close();
  const count = (...verdicts) => results.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const killed = count('killed', 'timeout');
  const shares = `${killed} killed (${((100 * killed) / results.length).toFixed(1)} %), ${count('survived')} survived`;
  console.log(`${results.length} mutants: ${shares}, ${count('not reached')} not reached`);
}

process.env.UNDERSTUDY_RUNS ??= 'few';
await (process.env[RUNNER] ? serveRuns() : measure());
