import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generationOf, startOpencode, startOpencode2 } from '../../src/node/opencode';
import { builtPlugin } from '../support/built-companion';
import { type BenchRow, rowOf } from './bench-row';
import { compare, type Figure, inHome } from './compared';
import { ALONE, benchedOpencodes, type Home, type Kind, OURS } from './homes';

/** Starts measured of each kind; the first start of a home is cold and is left out. */
const ROUNDS = 9;
const OWN_RUNS = 20;
/** What the companion may add to a start. */
const TARGET_MS = 50;

/** Time from a start to the first answer about a project, and to the first request at the provider, in ms. */
type Moments = Readonly<{ answer: number; request: number }>;

const MOMENT = { unit: 'ms', base: ALONE } as const;
const ANSWER: Figure<Moments> = {
  ...MOMENT,
  ...{ name: 'start → first answer about a project', of: ({ answer }) => answer, target: TARGET_MS },
};
/** OpenCode 2 answers before its plugins are loaded, so only its first request waits for them. */
const REQUEST: Figure<Moments> = { ...MOMENT, name: 'start → first request', of: ({ request }) => request };

/** The start of an OpenCode of each generation, with each kind of plugin. */
export async function startupBench(): Promise<readonly BenchRow[]> {
  const binaries = await benchedOpencodes();
  const rows: BenchRow[] = [];
  for (const binary of binaries) {
    const isSecond = generationOf(binary) >= 2;
    rows.push(...(await compare(ROUNDS, measureStart, isSecond ? [ANSWER, REQUEST] : [ANSWER], [binary])));
    if (!isSecond) rows.push(...(await inHome(binary, OURS, ownCpu)));
  }
  const hasSecond = binaries.some((binary) => generationOf(binary) >= 2);
  return hasSecond ? rows : [...rows, { name: 'the start of OpenCode 2', why: 'none for this machine' }];
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
async function ownCpu({ start: { binary, sandbox, env: more }, makeCase }: Home): Promise<readonly BenchRow[]> {
  const { directory } = await makeCase();
  const script = join(sandbox.root, 'opening.mjs');
  await writeFile(script, OPENING);
  const args = ['run', script, pathToFileURL(builtPlugin()).href, directory];
  const env = { ...sandbox.env, ...more, BUN_BE_BUN: '1' };
  const runs = Array.from(
    { length: OWN_RUNS },
    () => JSON.parse(execFileSync(binary.path, args, { env, encoding: 'utf8' })) as [waited: number, whole: number],
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

/** Starts OpenCode twice in a home and measures the second start. */
async function measureStart(home: Home, { agent }: Kind): Promise<Moments> {
  const { directory, ids } = await home.makeCase();
  const place = { directory, ids, ...(agent ? { agent } : {}) };
  const measure = generationOf(home.start.binary) < 2 ? measureFirst : measureSecond;
  await measure(home, place);
  return measure(home, place);
}

type Place = Readonly<{ directory: string; ids: readonly string[]; agent?: string }>;

/** OpenCode 1 loads every plugin before its first answer about a project. */
async function measureFirst({ start }: Home, { directory }: Place): Promise<Moments> {
  const startedAt = performance.now();
  const server = await startOpencode(start);
  try {
    await server.request('GET', '/session', { directory });
    return { answer: performance.now() - startedAt, request: Number.NaN };
  } finally {
    await server.stop();
  }
}

async function measureSecond({ start, provider }: Home, { directory, ids, ...agent }: Place): Promise<Moments> {
  provider.clear();
  const requested = new Promise<number>((resolve) =>
    provider.script(ids[0] ?? '', () => {
      resolve(performance.now());
      return { kind: 'text', text: 'Here.' };
    }),
  );
  const startedAt = performance.now();
  const server = await startOpencode2(start);
  try {
    const { id } = await server.createSession(directory, agent);
    const answer = performance.now() - startedAt;
    await server.prompt(id, 'Hello');
    const request = (await requested) - startedAt;
    await server.settled(id);
    return { answer, request };
  } finally {
    await server.stop();
  }
}
