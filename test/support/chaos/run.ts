import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RecordedRequest, ScriptedStep } from '../../../src/demo/scripted-provider';
import {
  type OpencodeMessage,
  type OpencodeServer,
  type OpencodeSession,
  startOpencode,
  textOf,
} from '../../../src/node/opencode';
import { seeded } from '../../engine/naive';
import { type PanelProcess, startPanel } from '../panel-process';
import { type Case, openApp, openStage, type Stage } from '../stage';
import { anyStep, COOLDOWN_MS, wordOf } from './faults';
import { type Asked, broken, type Ended } from './verdict';

export type ChaosOptions = Readonly<{
  seed: number;
  turns: number;
  /** Parallel conversations, spread over two OpenCode processes. */
  sessions: number;
}>;

export type ChaosReport = Readonly<{
  counts: Readonly<Record<string, number>>;
  broken: readonly string[];
}>;

const MODELS = 5;
const STOP_SHARE = 0.12;
const STOP_WITHIN_MS = 1_500;
const RESTART_SHARE = 0.04;
const EDIT_SHARE = 0.06;
const RESET_SHARE = 0.08;
/** A longer turn counts as hung: each of five models may be silent for its whole limit. */
const TURN_LIMIT_MS = 90_000;
const SILENCE_LIMIT_MS = 1_500;

const DEFAULTS = {
  cooldownMs: COOLDOWN_MS,
  retryOriginalAfterMs: COOLDOWN_MS,
  quotaCooldownMs: COOLDOWN_MS,
  restMs: 1_000,
  firstTokenTimeoutMs: SILENCE_LIMIT_MS,
  stallTimeoutMs: SILENCE_LIMIT_MS,
  maxFallbackDepth: 4,
  circuitBreaker: { failureThreshold: 3, windowMs: 20_000, cooldownMs: 4_000 },
  networkBreaker: { failureThreshold: 5, cooldownMs: 4_000 },
};

type Talk = Readonly<{ number: number; process: number; server: OpencodeServer; session: OpencodeSession }>;

/** Combines all faults on two real OpenCodes, with an app that is killed repeatedly. */
export async function runChaos({ seed, turns, sessions }: ChaosOptions): Promise<ChaosReport> {
  const random = seeded(seed);
  const stage = await openStage();
  const second = await startOpencode({ ...stage, env: { UNDERSTUDY_HOME: stage.home } });
  const servers = [stage.server, second];
  const world = await openWorld(stage, random);
  try {
    const talks: Talk[] = [];
    for (let number = 0; number < sessions; number++) {
      const process = number % servers.length;
      const server = servers[process] as OpencodeServer;
      talks.push({ number, process, server, session: await server.createSession(world.place.directory) });
    }
    const ended: Ended[] = [];
    const talk = async (one: Talk): Promise<void> => {
      for (let turn = 0; turn < turns / sessions; turn++) {
        ended.push(await playTurn(one, turn, random));
        await world.disturb();
      }
    };
    await Promise.all(talks.map(talk));
    const inHistory = (await Promise.all(talks.map((one) => historyFaults(one, Math.ceil(turns / sessions))))).flat();
    const asked = world.asked();
    return {
      counts: { ...world.counts, ...countsOf(asked, ended) },
      broken: [...broken(asked, ended, world), ...inHistory],
    };
  } finally {
    await world.close();
    await second.stop();
    await stage.close();
  }
}

async function openWorld(stage: Stage, random: () => number) {
  const place = await stage.makeCase({
    models: MODELS,
    wires: ['openai-compatible', 'anthropic', 'openai-responses', 'google', 'openrouter'],
    defaults: DEFAULTS,
  });
  const asked: Asked[] = [];
  const script = (request: RecordedRequest): ScriptedStep => {
    const step = anyStep(random, join(place.directory, `made-${asked.length}.txt`));
    const turn = turnIn(request);
    asked.push({ at: request.at, model: request.model, turn, process: Number(turn.split('.')[0]) % 2, step });
    return step;
  };
  for (const id of place.ids) stage.provider.script(id, script);
  const counts = { restarts: 0, edits: 0, resets: 0 };
  const resets: number[] = [];
  const edits: number[] = [];
  let app: Promise<PanelProcess> = startPanel(stage.home);
  await app;
  const restart = async (): Promise<void> => {
    counts.restarts++;
    const before = app;
    app = before.then((running) => running.kill()).then(() => startPanel(stage.home));
    await app;
  };
  const reset = async (): Promise<void> => {
    await app;
    const viewer = await openApp(stage.home);
    try {
      const { rev } = await viewer.snapshot();
      await viewer.host.handlers['health.reset']({ target: { all: true }, rev, actor: 'panel' });
      resets.push(Date.now());
      counts.resets++;
    } finally {
      await viewer.close();
    }
  };
  const edit = async (): Promise<void> => {
    counts.edits++;
    await shuffleChain(place, random);
    edits.push(Date.now());
  };
  return {
    place,
    counts,
    resets,
    edits,
    asked: () => asked as readonly Asked[],
    async disturb(): Promise<void> {
      if (random() < RESTART_SHARE) await restart();
      if (random() < EDIT_SHARE) await edit();
      if (random() < RESET_SHARE) await reset();
    },
    close: async () => (await app).stop(),
  };
}

async function shuffleChain(place: Case, random: () => number): Promise<void> {
  const path = join(place.directory, '.opencode', 'model-fallback.json');
  const file = JSON.parse(await readFile(path, 'utf8')) as { agents: Record<string, { fallbackModels: string[] }> };
  const chain = [...(file.agents['*']?.fallbackModels ?? [])];
  chain.sort(() => random() - 0.5);
  await writeFile(path, JSON.stringify({ ...file, agents: { '*': { fallbackModels: chain } } }));
}

const turnText = (session: number, turn: number): string => `Turn ${session}.${turn}.`;

const turnIn = ({ body }: RecordedRequest): string =>
  [...JSON.stringify(body).matchAll(/Turn (\d+\.\d+)\./g)].at(-1)?.[1] ?? 'none';

async function playTurn({ number, server, session }: Talk, turn: number, random: () => number): Promise<Ended> {
  const isStopped = random() < STOP_SHARE;
  const stopAfterMs = random() * STOP_WITHIN_MS;
  const pending = server.prompt(session, { text: turnText(number, turn) }, AbortSignal.timeout(TURN_LIMIT_MS)).then(
    (message) => ({ message }),
    (error: Error) => ({ error }),
  );
  let stoppedAt: number | null = null;
  if (isStopped) {
    // The user stops at a random moment.
    await pause(stopAfterMs);
    await server.abort(session);
    stoppedAt = Date.now();
  }
  const result = await pending;
  const end = 'message' in result ? endOf(result.message) : { how: 'stuck' as const, error: result.error.message };
  return { turn: `${number}.${turn}`, session: number, stoppedAt, ...end };
}

function endOf(message: OpencodeMessage): Pick<Ended, 'how' | 'error'> {
  const { error } = message.info;
  if (error?.name === 'MessageAbortedError') return { how: 'stopped', error: null };
  if (error) return { how: 'failed', error: String(error.data?.message ?? error.name) };
  return { how: textOf(message) === '' ? 'silent' : 'answered', error: null };
}

async function historyFaults({ number, server, session }: Talk, turns: number): Promise<readonly string[]> {
  const messages = await server.messages(session);
  const users = messages.filter(({ info }) => info.role === 'user').map(textOf);
  const sent = Array.from({ length: turns }, (_, turn) => turnText(number, turn));
  const failed = messages.filter(({ info }) => info.error).map(({ info }) => info.parentID);
  return [
    ...(JSON.stringify(users) === JSON.stringify(sent) ? [] : [`session ${number} holds ${JSON.stringify(users)}`]),
    ...(new Set(failed).size === failed.length ? [] : [`session ${number} shows two errors for one message`]),
  ];
}

function countsOf(asked: readonly Asked[], ended: readonly Ended[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = { turns: ended.length, requests: asked.length };
  const count = (name: string): void => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (const { how, error } of ended) {
    count(how);
    if (error) count(`error: ${error.replaceAll('\u2060', '').slice(0, 60)}`);
  }
  for (const { step } of asked) count(`step: ${wordOf(step)}`);
  return counts;
}
