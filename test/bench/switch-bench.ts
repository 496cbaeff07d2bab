import { textOf } from '../../src/node/opencode';
import { startPanel } from '../support/panel-process';
import { type Case, openApp, openStage, type Stage } from '../support/stage';
import { type BenchRow, rowOf } from './bench-row';

/** Turns measured per row; the first of a process is cold and is left out of it. */
const TURNS = 20;
const LIMITED = { kind: 'status', status: 429 } as const;
/** Long enough that nothing recovers during a row. */
const DEFAULTS = { cooldownMs: 600_000, retryOriginalAfterMs: 600_000, restMs: 600_000 };

/** From the lead's failed response to the request that the next provider receives, on a real OpenCode, in a git repository with snapshots on. */
export async function switchBench(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const stage = await openStage();
  try {
    rows.push(rowOf('switch, companion alone: failed response → next request', 'ms', await turns(stage)));
    const panel = await startPanel(stage.home);
    try {
      await connected(stage.home);
      rows.push(rowOf('switch, whole system (socket included)', 'ms', await turns(stage)));
    } finally {
      await panel.stop();
    }
    rows.push(
      rowOf('OpenCode alone, its own retry of the same model', 'ms', await nativeRetries(stage), {
        note: 'the peer: no switch at all',
      }),
    );
  } finally {
    await stage.close();
  }
  return rows;
}

/** Waits until the companion has found the app. */
async function connected(home: string): Promise<void> {
  const viewer = await openApp(home);
  await viewer.until((snapshot) => snapshot.connection.status === 'connected');
  await viewer.close();
}

/** Each turn uses a chain of its own in one project, so that every lead is fresh. */
async function turns(stage: Stage): Promise<number[]> {
  const samples: number[] = [];
  await turn(stage, await stage.makeCase({ defaults: DEFAULTS }));
  for (let n = 0; n < TURNS; n++) {
    const warm = await stage.makeCase({ defaults: DEFAULTS });
    await warmUp(stage, warm);
    samples.push(await turn(stage, warm));
  }
  return samples;
}

/** Boots the project's instance with an answered turn, so that the measured one is warm. */
async function warmUp({ provider, server }: Stage, { directory, ids }: Case): Promise<void> {
  provider.script(ids[0] ?? '', [{ kind: 'text', text: 'warm' }]);
  await server.prompt(await server.createSession(directory), { text: 'Warm up' });
}

async function turn({ provider, server }: Stage, { directory, ids }: Case): Promise<number> {
  const [lead = '', understudy = ''] = ids;
  provider.script(lead, [LIMITED]);
  provider.script(understudy, [{ kind: 'text', text: 'ANSWER' }]);
  const answer = await server.prompt(await server.createSession(directory), { text: 'One' });
  if (textOf(answer) !== 'ANSWER')
    throw new Error(`the understudy did not answer: ${JSON.stringify(answer.info.error)}`);
  const failed = provider.requests(lead).at(-1)?.respondedAt ?? Number.NaN;
  return (provider.requests(understudy).at(-1)?.at ?? Number.NaN) - failed;
}

const NATIVE_RUNS = 3;

async function nativeRetries(stage: Stage): Promise<number[]> {
  const samples: number[] = [];
  for (let n = 0; n < NATIVE_RUNS; n++) {
    const { directory, ids } = await stage.makeCase({ fallback: false });
    const [lead = ''] = ids;
    stage.provider.script(lead, [LIMITED, { kind: 'text', text: 'ANSWER' }]);
    await stage.server.prompt(await stage.server.createSession(directory), { text: 'One' });
    const [failed, next] = stage.provider.requests(lead);
    samples.push((next?.at ?? Number.NaN) - (failed?.respondedAt ?? Number.NaN));
  }
  return samples;
}
