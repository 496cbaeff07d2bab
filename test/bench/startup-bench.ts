import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createSandbox, type OpencodeBinary, type Sandbox, startOpencode } from '../../src/node/opencode';
import { opencodeBinary } from '../support/opencode-binary';
import { builtPlugin } from '../support/stage';
import { type BenchRow, rowOf } from './bench-row';

/** Starts measured of each subject; the first start of a home is cold and is left out. */
const ROUNDS = 9;
const OWN_RUNS = 20;
/** What the companion may add to a start. */
const TARGET_MS = 50;

/**
 * From the start of an OpenCode to its first answer about a project, which needs every plugin loaded: with the companion
 * and without, in turns, so that a busy moment of the machine meets both.
 */
export async function startupBench(): Promise<readonly BenchRow[]> {
  const root = await mkdtemp(join(tmpdir(), 'us-'));
  try {
    const alone = await home(join(root, 'a'), []);
    const ours = await home(join(root, 'o'), [pathToFileURL(builtPlugin()).href]);
    const samples = { alone: [] as number[], ours: [] as number[] };
    for (let round = 0; round <= ROUNDS; round++) {
      const pair = { alone: await startMs(alone), ours: await startMs(ours) };
      if (round === 0) continue;
      samples.alone.push(pair.alone);
      samples.ours.push(pair.ours);
    }
    const added = samples.ours.map((ms, at) => ms - (samples.alone[at] ?? 0));
    return [
      rowOf('start → first answer, OpenCode alone', 'ms', samples.alone),
      rowOf('start → first answer, with the companion', 'ms', samples.ours),
      rowOf('added by the companion, pair by pair', 'ms', added, { target: TARGET_MS }),
      rowOf('the companion alone, processor time', 'ms', await ownCpuMs(ours), { target: TARGET_MS }),
    ];
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Home = Readonly<{ binary: OpencodeBinary; sandbox: Sandbox; directory: string; state: string }>;

/** A home with one project, whose chain is armed for whoever reads it. */
async function home(root: string, plugins: readonly string[]): Promise<Home> {
  const sandbox = await createSandbox({ root, git: true, config: { plugin: plugins } });
  const fallback = { agents: { '*': { fallbackModels: ['openai/gpt-4o', 'google/gemini-2.5-flash'] } } };
  const directory = await sandbox.addProject('measured', {
    git: true,
    files: { '.opencode/model-fallback.json': JSON.stringify(fallback) },
  });
  return { binary: await opencodeBinary(), sandbox, directory, state: join(root, 'u') };
}

/** What OpenCode waits for at its start, in a process that does nothing else. */
const OPENING = `
  const before = process.cpuUsage();
  const { default: plugin } = await import(process.argv[2]);
  const nothing = new Proxy(() => undefined, { get: (_, key) => (key === 'then' ? undefined : nothing), apply: async () => ({}) });
  const hooks = await plugin.server({ client: nothing, directory: process.argv[3] });
  await hooks.config({ model: 'anthropic/claude-sonnet-4-5' });
  const { user, system } = process.cpuUsage(before);
  console.log((user + system) / 1_000);
  process.exit();
`;

/**
 * The companion's own work at a start, in OpenCode's own runtime. In processor time, because the noise of a whole start is
 * larger than the figure.
 */
async function ownCpuMs({ binary, sandbox, directory, state }: Home): Promise<number[]> {
  const script = join(sandbox.root, 'opening.mjs');
  await writeFile(script, OPENING);
  const args = ['run', script, pathToFileURL(builtPlugin()).href, directory];
  const env = { ...sandbox.env, UNDERSTUDY_HOME: state, BUN_BE_BUN: '1' };
  return Array.from({ length: OWN_RUNS }, () =>
    Number(execFileSync(binary.path, args, { env, encoding: 'utf8' }).trim()),
  );
}

async function startMs({ binary, sandbox, directory, state }: Home): Promise<number> {
  const startedAt = performance.now();
  const server = await startOpencode({ binary, sandbox, env: { UNDERSTUDY_HOME: state } });
  try {
    await server.request('GET', '/session', { directory });
    return performance.now() - startedAt;
  } finally {
    await server.stop();
  }
}
