import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { textOf } from '../../src/node/opencode';
import { builtPlugin } from '../support/built-companion';
import { ANSWER, ENV, LOGIN, loginProject, NEXT, SHAPES } from '../support/login-project';
import { processorMs } from '../support/processor-time';
import { openStage } from '../support/stage';
import { type BenchRow, rowOf } from './bench-row';

const ROUNDS = 3;
const PROVIDERS = 10;
const TARGET_MS = 50;
/** A process is at rest once half a second costs no more than a step of its clock, in ms. */
const REST_MS = 500;
const STEP_MS = 10;

/** Processor time that one look at a provider behind a login plugin costs, in ms: a chain with ten of them beside one with none. */
export async function looksBench(): Promise<readonly BenchRow[]> {
  const name = 'processor time of a look at a login';
  if (process.platform !== 'linux') return [{ name, why: 'only Linux reports its time in /proc' }];
  const chain = SHAPES.slice(0, PROVIDERS).map((shape) => `login-${shape}/main-model`);
  const looks: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const none = await costOf([]);
    looks.push(((await costOf(chain)) - none) / PROVIDERS);
  }
  return [rowOf(name, 'ms', looks, { target: TARGET_MS })];
}

/** Processor time of an OpenCode with one message, in ms. */
async function costOf(chain: readonly string[]): Promise<number> {
  const stage = await openStage([LOGIN, builtPlugin()], ENV);
  try {
    const directory = await loginProject(stage, 'passes', { model: `next/${NEXT}` }, chain);
    const { pid } = stage.server;
    const session = await stage.server.createSession(directory);
    const answer = textOf(await stage.server.prompt(session, { text: 'One' }));
    if (answer !== ANSWER.text) throw new Error(`OpenCode answered "${answer}"`);
    for (let before = 0; processorMs(pid) - before > STEP_MS; await pause(REST_MS)) before = processorMs(pid);
    return processorMs(pid);
  } finally {
    await stage.close();
  }
}
