import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os, { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { vi } from 'vitest';
import type { BudgetRow } from '../../src/contract/budget';
import { answer } from '../../src/contract/contract';
import { ledgerLineIn } from '../../src/core/budget/spent';
import { replayLog } from '../../src/core/replay';
import { placeOfRun } from '../../src/features/council/node/run-folder';
import { openRankingBook } from '../../src/features/ranking/node/open-ranking-book';
import { Run } from '../../src/features/ranking/rules/run/run';
import { attachCore } from '../../src/node/attach-core';
import { runsIn } from '../../src/node/base/council-runs';
import { keptModels } from '../../src/node/base/kept-models';
import { hashOf } from '../../src/node/config/config-journal';
import { lastConfig } from '../../src/node/config/last-config';
import { trustedProjects, trustPath } from '../../src/node/config/trust';
import { accountsPath, StoredAccounts } from '../../src/node/data/account-books';
import { openHealthFile } from '../../src/node/data/health-file';
import { readOnDisk } from '../../src/node/data/on-disk';
import { openOthersSpent } from '../../src/node/data/others-spent';
import { exportLog, readLog } from '../../src/node/data/own-data';
import { isSpendingFile } from '../../src/node/data/spending-files';
import { readVerdicts } from '../../src/node/setup/host-abilities';
import { openApp } from '../support/stage';
import { commandLine } from './command-line';
import { type EngineRecording, engineAnswers } from './engine';

/** Replaces the folder that a recording was made in. */
export const PLACE = '/home/user';
/** The time at which a recording is opened, in Unix ms, and the program that made it. */
export type Manifest = Readonly<{ version: string; at: number }>;

export const VERSIONS = join(import.meta.dirname, 'versions');

/** The folders of all recordings, the oldest first. */
export const recordings = (): string[] =>
  readdirSync(VERSIONS)
    .sort()
    .map((name) => join(VERSIONS, name));

/** The paths of all files below a folder, sorted. */
export const recordedFiles = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
};

/** Copies the files of a recording into a new folder, as their user has them. Paths in them stay those of the recording. */
async function unpack(recording: string, at: number): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'us-'));
  const source = join(recording, 'home');
  for (const path of await recordedFiles(source)) {
    const target = join(root, path.replace(/\.gz$/, ''));
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const bytes = await readFile(join(source, path));
    await writeFile(target, path.endsWith('.gz') ? gunzipSync(bytes) : bytes, { mode: 0o600 });
    await utimes(target, at / 1_000, at / 1_000);
  }
  return root;
}

/** Commands whose output depends on nothing but what is stored. */
const LINES = [
  ...['status', 'headroom', 'notices', 'logs', 'phrases', 'what-if --policy steady', 'changes'],
  ...['scorecard', 'export --format json', 'export --format csv', 'export --format md', 'export --format html'],
  ...['export --format svg', 'chains get', 'chains export', 'config', 'settings get', 'trust list'],
  ...['rank data export', 'council list'],
];
/** Questions of the panel that no command asks. */
const ALL = { range: { kind: 'all' }, timeZone: 'UTC' };
const QUERIES: readonly (readonly [name: string, input: unknown])[] = [
  ['usage.get', { ...ALL, splitBy: 'model' }],
  ['usage.get', { ...ALL, splitBy: 'agent' }],
  ['usage.models', ALL],
  ['usage.agents', ALL],
  ['sessions.list', {}],
];
/** Acts of a person, the last because they change what the others print. */
const ACTS = [
  ...['hold third/gemini open --for 1h', 'release third/gemini', 'isolate other/gpt', 'release other/gpt'],
  ...['pause --for 10m', 'resume', 'reset all', 'chains set plan other/gpt --dry-run'],
];
const OF_RUN = ['export --format json', 'export --format md', 'export --format html', 'export --format sarif'];

/** A busy machine may need this long until the app has read everything, in ms. */
const SETTLED_MS = 150_000;
/** The machine was started again since: how long it has been running since then, in s. */
const UPTIME_S = 30;

/** Opens a recording with this code, at the recorded time, and collects its answers as plain JSON. */
export async function openRecording(recording: string): Promise<Record<string, unknown>> {
  const { at } = JSON.parse(await readFile(join(recording, 'manifest.json'), 'utf8')) as Manifest;
  const root = await unpack(recording, at);
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: at });
  const uptime = vi.spyOn(os, 'uptime').mockReturnValue(UPTIME_S);
  syncBuiltinESMExports();
  try {
    const answers = await answersIn(root);
    const engine = JSON.parse(await readFile(join(recording, 'engine.json'), 'utf8')) as EngineRecording;
    const text = JSON.stringify({ ...answers, 'log of the engine': engineAnswers(engine) }, withoutChance);
    return JSON.parse(text.replaceAll(root, PLACE)) as Record<string, unknown>;
  } finally {
    vi.useRealTimers();
    uptime.mockRestore();
    syncBuiltinESMExports();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Values that depend on the order of events in this process, on the file system or on the time zone. */
const BY_CHANCE = ['rev', 'edition', 'endsAt'];
const withoutChance = (key: string, value: unknown): unknown => {
  if (BY_CHANCE.includes(key)) return typeof value;
  return key === 'budgets' ? (value as readonly BudgetRow[]).filter(({ period }) => period !== 'day') : value;
};

async function answersIn(root: string): Promise<Record<string, unknown>> {
  const home = join(root, 'u');
  const directory = `${PLACE}/opencode1/shop`;
  const env = {
    ...{ UNDERSTUDY_HOME: home, XDG_CONFIG_HOME: join(root, 'opencode1', 'home', '.config'), PATH: '' },
    ...{ HOME: join(root, 'opencode1', 'home'), USERPROFILE: join(root, 'opencode1', 'home') },
  };
  const before = await contentsOf(home);
  const { state: _, ...replay } = replayLog(await readLog(home));
  const answers: Record<string, unknown> = {
    ...(await storedIn(home)),
    'decisions of the log': replay,
    'hash of the exported log': hashOf(Buffer.from(await exportLog(home))),
  };
  const app = await openApp(home, { version: '0.1.0', runtime: 'test', env });
  const run = async (line: string): Promise<void> => {
    const { code, output } = await commandLine(line, {
      ...{ env, directory, attachCore: () => attachCore({ env, runtime: 'cli' }) },
    });
    answers[`understudy ${line}`] = { code, output };
  };
  const runs = (await runsIn(home)).toSorted();
  try {
    await app.until(
      ({ budgets, config, councils }) => budgets.length > 0 && config.length > 0 && councils.length === runs.length,
      SETTLED_MS,
    );
    for (const line of LINES) await run(line);
    for (const name of runs)
      for (const action of OF_RUN) {
        const [verb = '', ...rest] = action.split(' ');
        await run(['council', verb, name, ...rest].join(' '));
      }
    for (const [name, input] of QUERIES)
      answers[`${name} ${JSON.stringify(input)}`] = await answer(app.host.handlers, name, input);
    for (const line of ACTS) await run(line);
  } finally {
    await app.close();
  }
  const changes = changesBetween(before, await contentsOf(home));
  return { ...answers, 'changes of files': changes, 'runs of rankings': await rankingRuns(home) };
}

/** The values that each loader makes of its file. */
async function storedIn(home: string): Promise<Record<string, unknown>> {
  const names = await readdir(home);
  const ledgers = await Promise.all(names.filter(isSpendingFile).map((name) => readFile(join(home, name), 'utf8')));
  const warnings: string[] = [];
  const health = openHealthFile(home, (message) => void warnings.push(message));
  const others = openOthersSpent(home);
  await others.refresh();
  return {
    warnings,
    'fleet-spent.json': [...others.known()],
    'trusted-projects.json': await trustedProjects(trustPath(home)),
    'self-test.json': await readVerdicts(home),
    'accounts.json': StoredAccounts.safeParse(JSON.parse(await readFile(accountsPath(home), 'utf8'))).data ?? null,
    'health.json': [await readOnDisk(home), await health.news()],
    'spent-*.jsonl': ledgers.flatMap((text) => text.trim().split('\n').map(ledgerLineIn)),
    'place.json of councils': await Promise.all((await runsIn(home)).toSorted().map((run) => placeOfRun(home, run))),
    'models.json': await Promise.all(
      ['opencode1', 'opencode2'].map((each) => keptModels(home, `${PLACE}/${each}/shop`)),
    ),
    'last-config.json': await Promise.all(
      ['opencode1', 'opencode2'].map((each) =>
        lastConfig(home, `${PLACE}/${each}/home/.config/opencode/model-fallback.json`),
      ),
    ),
  };
}

/** The proposals under way in the history. */
async function rankingRuns(home: string): Promise<unknown> {
  const opened = await openRankingBook(home, () => undefined);
  if (!opened.ok) return opened.reason;
  const runs = [...opened.book.read().runs].map(([agent, run]) => [agent, Run.safeParse(run).data ?? null]);
  opened.close();
  return runs;
}

const contentsOf = async (folder: string): Promise<ReadonlyMap<string, string>> =>
  new Map(
    await Promise.all(
      (await recordedFiles(folder)).map(async (path) => [path, hashOf(await readFile(join(folder, path)))] as const),
    ),
  );

/** The files that are new, changed or gone. */
function changesBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  return {
    added: [...after.keys()].filter((path) => !before.has(path)),
    removed: [...before.keys()].filter((path) => !after.has(path)),
    rewritten: [...before].flatMap(([path, hash]) => (after.has(path) && after.get(path) !== hash ? [path] : [])),
  };
}
