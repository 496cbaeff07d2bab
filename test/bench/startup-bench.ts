import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ScriptedProvider, startScriptedProvider } from '../../src/cli/demo/scripted-provider';
import {
  createSandbox,
  type OpencodeBinary,
  type OpencodeConfig,
  type Sandbox,
  startOpencode,
  startOpencode2,
} from '../../src/node/opencode';
import { companionFolder, putCompanion } from '../../src/node/setup/companion-files';
import { builtPlugin } from '../support/built-companion';
import { opencodeBinary } from '../support/opencode-binary';
import { providerConfig } from '../support/opencode-provider-config';
import { type BenchRow, rowOf } from './bench-row';

/** Starts measured of each subject; the first start of a home is cold and is left out. */
const ROUNDS = 9;
const OWN_RUNS = 20;
/** What the companion may add to a start. */
const TARGET_MS = 50;

/** From the start of an OpenCode of each generation, with the companion and without. */
export async function startupBench(): Promise<readonly BenchRow[]> {
  const root = await mkdtemp(join(tmpdir(), 'us-'));
  const provider = await startScriptedProvider();
  try {
    const alone = await home(join(root, 'a'), { plugin: [] });
    const ours = await home(join(root, 'o'), { plugin: [pathToFileURL(builtPlugin()).href] });
    return [
      ...(await pairs(
        () => start(alone),
        () => start(ours),
      )),
      ...(await ownCpu(ours)),
      ...(await secondBench(root, provider)),
    ];
  } finally {
    await provider.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Time from a start to each of these moments, in ms. */
type Moments = Readonly<Record<string, Readonly<{ value: number; target?: number }>>>;

/** With the companion and without, in turns, so that a busy moment of the machine meets both. */
async function pairs(alone: () => Promise<Moments>, ours: () => Promise<Moments>): Promise<readonly BenchRow[]> {
  const rounds: Readonly<{ alone: Moments; ours: Moments }>[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const pair = { alone: await alone(), ours: await ours() };
    if (round > 0) rounds.push(pair);
  }
  return Object.entries(rounds[0]?.alone ?? {}).flatMap(([what, { target }]) => {
    const of = (side: 'alone' | 'ours'): number[] => rounds.map((round) => round[side][what]?.value ?? 0);
    const added = of('ours').map((value, at) => value - (of('alone')[at] ?? 0));
    return [
      rowOf(`${what} alone`, 'ms', of('alone')),
      rowOf(`${what} with the companion`, 'ms', of('ours')),
      rowOf('added by the companion, pair by pair', 'ms', added, target === undefined ? {} : { target }),
    ];
  });
}

/** The same of OpenCode 2, which answers about a project before its plugins are there: its first request waits for them. */
async function secondBench(root: string, provider: ScriptedProvider): Promise<readonly BenchRow[]> {
  if (opencode2Binary().path === '') return [{ name: 'the start of OpenCode 2', why: 'none for this machine' }];
  const state = join(root, 'two', 'u');
  const put = await putCompanion({ home: state, source: builtPlugin() });
  if (!put.ok) throw new Error(put.reason);
  const models = { model: MODEL, provider: providerConfig(provider.url, { alpha: [MODEL.split('/')[1] ?? ''] }) };
  const alone = await home(join(root, 'b'), models);
  const ours = await home(join(root, 'two'), { ...models, plugins: [pathToFileURL(companionFolder(state)).href] });
  return pairs(
    () => secondStart(alone, provider),
    () => secondStart(ours, provider),
  );
}

/** Named by `npm run bench`; empty where none could be had. Not from the stage of tests: that needs vitest. */
const opencode2Binary = (): OpencodeBinary => ({ path: process.env.OPENCODE2_BIN ?? '', version: '2' });
/** The model that OpenCode 2 asks. */
const MODEL = 'alpha/alpha-one';

type Home = Readonly<{ sandbox: Sandbox; directory: string; state: string }>;

/** A home with one project, whose chain is armed for whoever reads it. */
async function home(root: string, config: OpencodeConfig): Promise<Home> {
  const sandbox = await createSandbox({ root, git: true, config });
  const fallback = { agents: { '*': { fallbackModels: ['openai/gpt-4o', 'google/gemini-2.5-flash'] } } };
  const directory = await sandbox.addProject('measured', {
    git: true,
    files: { '.opencode/model-fallback.json': JSON.stringify(fallback) },
  });
  return { sandbox, directory, state: join(root, 'u') };
}

/** What OpenCode waits for at its start, and what is made of it with the first message, in a process that does nothing else. */
const OPENING = `
  // OpenCode has these of itself.
  for (const name of ['crypto', 'fs', 'fs/promises', 'net', 'os', 'path', 'timers/promises', 'url'])
    await import('node:' + name);
  const before = process.cpuUsage();
  const { default: plugin } = await import(process.argv[2]);
  const nothing = new Proxy(() => undefined, { get: (_, key) => (key === 'then' ? undefined : nothing), apply: async () => ({}) });
  const hooks = await plugin.server({ client: nothing, directory: process.argv[3] });
  await hooks.config({ model: 'anthropic/claude-sonnet-4-5' });
  const waited = process.cpuUsage(before);
  await hooks['chat.params']({ agent: 'build' }, { options: {} });
  const whole = process.cpuUsage(before);
  console.log(JSON.stringify([waited, whole].map(({ user, system }) => (user + system) / 1_000)));
  process.exit();
`;

/**
 * The companion's own work at a start, in OpenCode's own runtime: what OpenCode waits for, and all up to the first message.
 * In processor time, because the noise of a whole start is larger than the figure.
 */
async function ownCpu({ sandbox, directory, state }: Home): Promise<readonly BenchRow[]> {
  const { path } = await opencodeBinary();
  const script = join(sandbox.root, 'opening.mjs');
  await writeFile(script, OPENING);
  const args = ['run', script, pathToFileURL(builtPlugin()).href, directory];
  const env = { ...sandbox.env, UNDERSTUDY_HOME: state, BUN_BE_BUN: '1' };
  const runs = Array.from(
    { length: OWN_RUNS },
    () => JSON.parse(execFileSync(path, args, { env, encoding: 'utf8' })) as [waited: number, whole: number],
  );
  return [
    rowOf(
      'of it the companion, processor time',
      'ms',
      runs.map(([waited]) => waited),
      { target: TARGET_MS },
    ),
    rowOf(
      'the companion up to the first message',
      'ms',
      runs.map(([, whole]) => whole),
    ),
  ];
}

/** To the first answer about a project, which needs every plugin loaded. */
async function start({ sandbox, directory, state }: Home): Promise<Moments> {
  const binary = await opencodeBinary();
  const startedAt = performance.now();
  const server = await startOpencode({ binary, sandbox, env: { UNDERSTUDY_HOME: state } });
  try {
    await server.request('GET', '/session', { directory });
    const value = performance.now() - startedAt;
    return { 'start → first answer, OpenCode': { value, target: TARGET_MS } };
  } finally {
    await server.stop();
  }
}

/** To the first session of a project, and to the first request of its first message at its provider. */
async function secondStart({ sandbox, directory, state }: Home, provider: ScriptedProvider): Promise<Moments> {
  provider.clear();
  const [, id = ''] = MODEL.split('/');
  const asked = new Promise<number>((resolve) =>
    provider.script(id, () => {
      resolve(performance.now());
      return { kind: 'text', text: 'Here.' };
    }),
  );
  const startedAt = performance.now();
  const server = await startOpencode2({ binary: opencode2Binary(), sandbox, env: { UNDERSTUDY_HOME: state } });
  try {
    const session = await server.createSession(directory);
    const value = performance.now() - startedAt;
    await server.prompt(session.id, 'Who is there?');
    const askedMs = (await asked) - startedAt;
    await server.settled(session.id);
    return {
      'start → first session, OpenCode 2': { value, target: TARGET_MS },
      'start → first request, OpenCode 2': { value: askedMs },
    };
  } finally {
    await server.stop();
  }
}
