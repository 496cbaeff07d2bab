import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createSandbox, type OpencodeBinary, type Sandbox, startOpencode } from '../../src/node/opencode';
import { opencodeBinary } from '../support/opencode-binary';
import { builtPlugin } from '../support/stage';
import { type BenchRow, rowOf } from './bench-row';

/** Starts measured of each subject; the first start of a home is cold and is left out. */
const ROUNDS = 9;
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
