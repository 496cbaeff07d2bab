import { mkdir, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type ScriptedStep, startScriptedProvider, wireBasePath } from '../../src/demo/scripted-provider';
import { fleetSecretPath } from '../../src/features/fleet/node/settings';
import { attachCore } from '../../src/node/attach-core';
import { builtPlugin } from '../support/built-companion';
import { GENERATIONS, openWorld, type World } from '../support/lives';
import { openServer, openWire } from '../support/redis';
import { type App, openApp, QUICK } from '../support/stage';
import { type CommandOutput, commandLine } from './command-line';
import { playCouncils } from './councils';
import { type TappedMessage, tapSocket } from './tap';

/** A day that was played below a folder. */
export type Day = Readonly<{
  /** One list for each connection to the app, oldest first. */
  conversations: readonly (readonly TappedMessage[])[];
  /** Texts of this machine, each with the text that replaces it. */
  replacements: readonly (readonly [text: string, placeholder: string])[];
}>;

type Generation = (typeof GENERATIONS)[number];
type Scene = Readonly<{
  generation: Generation;
  life: Awaited<ReturnType<World['start']>>;
  provider: Awaited<ReturnType<typeof startScriptedProvider>>;
  app: App;
  run: (directory: string, line: string) => Promise<CommandOutput>;
  directory: string;
  careful: string;
  /** Plays a limit of another machine of the fleet. */
  limitElsewhere(): Promise<void>;
}>;

const [LEAD, SPARE, LAST] = ['team/sonnet', 'other/gpt', 'third/gemini'];
const SECRET = 'x'.repeat(43);
const answer = (text: string): ScriptedStep => ({
  kind: 'text',
  text,
  usage: { inputTokens: 1_000, outputTokens: 500, cachedTokens: 200, reasoningTokens: 100 },
});
const OK = answer('LEAD ANSWERS');
const limited = (seconds: number, message = 'Rate limit reached'): ScriptedStep => ({
  kind: 'status',
  status: 429,
  headers: { 'retry-after': String(seconds) },
  body: { error: { message } },
});
const REFUSED: ScriptedStep = { kind: 'status', status: 401 };
const BROKEN: ScriptedStep = { kind: 'cut', text: 'partial words', afterMs: 200 };
const HELPER = {
  'OpenCode 1': { name: 'task', arguments: { description: 'Help', prompt: 'SUB TASK', subagent_type: 'helper' } },
  'OpenCode 2': { name: 'subagent', arguments: { description: 'Help', prompt: 'SUB TASK', agent: 'helper' } },
} as const;
const FALLBACKS = {
  defaults: {
    ...QUICK,
    ...{ firstTokenTimeoutMs: 60_000, stallTimeoutMs: 60_000, vendorLock: false, maxFallbackDepth: 2 },
    circuitBreaker: { failureThreshold: 2, cooldownMs: 2_000 },
  },
  budget: { day: 100, action: 'warn', providers: { team: { week: 0.05, action: 'warn' } } },
  headroom: { limits: { third: [{ requests: 50, hours: 5 }] } },
  agents: { '*': { fallbackModels: [SPARE, LAST] } },
};
/** A project that asks a person before a switch, and wants one limit looser than its user. */
const CAREFUL = { defaults: { policy: 'council', maxFallbackDepth: 9 } };

/** OpenCode's configuration, with three accounts on one scripted server. */
function configFor(baseURL: string) {
  const provider = (apiKey: string, id: string) => ({
    npm: '@ai-sdk/openai-compatible',
    options: { baseURL, apiKey },
    models: {
      [id]: {
        ...{ name: id, tool_call: true, limit: { context: 128_000, output: 8_000 } },
        cost: { input: 3, output: 15, cache_read: 0.3 },
      },
    },
  });
  return {
    model: LEAD,
    provider: {
      team: provider('not-a-real-key', 'sonnet'),
      other: provider('not-a-real-key-either', 'gpt'),
      third: provider('also-not-a-real-key', 'gemini'),
    },
    agent: { title: { disable: true }, helper: { mode: 'subagent', description: 'Helps', prompt: 'Help.' } },
  };
}

/** Plays a day on both generations of OpenCode, with one state home in `root`/u. */
export async function playDay(root: string): Promise<Day> {
  const address = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal)?.address;
  if (address === undefined) throw new Error('A fleet needs a network interface that is not the loopback.');
  const closers: (() => Promise<unknown>)[] = [];
  try {
    return await playBoth(root, address, (close) => void closers.push(close));
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function playBoth(root: string, address: string, atEnd: (close: () => Promise<unknown>) => void): Promise<Day> {
  const [server, provider] = await Promise.all([openServer(), startScriptedProvider()]);
  atEnd(() => Promise.all([server.close(), provider.close()]));
  const wire = await openWire({ host: '127.0.0.1', port: Number(new URL(provider.url).port), isTls: false }, address);
  atEnd(wire.close);
  const base = `http://${address}:${wire.address.port}`;
  const redis = `redis://127.0.0.1:${server.address.port}`;
  const config = configFor(`${base}${wireBasePath('openai-compatible')}`);
  for (const [id, text] of Object.entries({ gpt: 'SPARE ANSWERS', gemini: 'LAST ANSWERS' }))
    provider.script(id, [answer(text)]);
  const home = join(root, 'u');
  await joinFleet(home, redis, 'one');
  const other = await openWorld('OpenCode 1', config, { root: join(root, 'elsewhere') });
  await writeFile(join(other.sandbox.configDirectory, 'model-fallback.json'), JSON.stringify(FALLBACKS));
  await joinFleet(other.home, redis, 'two');
  const elsewhere = await other.start();
  atEnd(() => Promise.all([elsewhere.stop(), other.provider.close()]));
  const elsewhereIn = await other.sandbox.addProject('elsewhere', { git: true });

  const conversations: (readonly TappedMessage[])[] = [];
  for (const [at, generation] of GENERATIONS.entries()) {
    const world = await openWorld(generation, config, { root: join(root, `opencode${at + 1}`), home });
    const { sandbox } = world;
    await writeFile(join(sandbox.configDirectory, 'model-fallback.json'), JSON.stringify(FALLBACKS));
    const env = { ...process.env, ...sandbox.env, UNDERSTUDY_HOME: home };
    const app = await openApp(home, { version: '0.1.0', runtime: 'desktop', env, companion: builtPlugin() });
    const tap = await tapSocket(join(home, 'core.sock'));
    const life = await world.start();
    const run = (directory: string, line: string): Promise<CommandOutput> =>
      commandLine(line, { env, directory, attachCore: () => attachCore({ env, runtime: 'cli' }) });
    const directory = await sandbox.addProject('shop', { git: true });
    const careful = await sandbox.addProject('careful', {
      git: true,
      files: { '.opencode/model-fallback.json': JSON.stringify(CAREFUL) },
    });
    const limitElsewhere = async (): Promise<void> => {
      provider.script('sonnet', [limited(3_600)]);
      const session = await elsewhere.begin(elsewhereIn);
      await app.until(({ models }) => models.some(({ machine, state }) => machine === 'two' && state === 'cooling'));
      await elsewhere.remove(elsewhereIn, session);
    };
    try {
      await playTurns({ ...{ generation, life, provider, app, run, directory, careful, limitElsewhere } });
      await playCouncils(generation, { home, root: join(root, `council${at + 1}`) });
      await lookAround(run, directory);
    } finally {
      await life.stop();
      await app.close();
      await tap.close();
      conversations.push(...tap.conversations);
      await world.provider.close();
    }
  }
  return {
    conversations,
    replacements: [
      [base, 'http://provider.test'],
      [redis, 'redis://127.0.0.1:1'],
    ],
  };
}

async function joinFleet(home: string, url: string, name: string): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const fleet = { url, team: 'acme', name, share: ['health', 'headroom', 'budget'] };
  await writeFile(join(home, 'preferences.json'), JSON.stringify({ fleet }), { mode: 0o600 });
  await writeFile(fleetSecretPath(home), SECRET, { mode: 0o600 });
}

async function playTurns(scene: Scene): Promise<void> {
  const { life, provider, app, run, directory } = scene;
  provider.script('sonnet', [{ kind: 'headers', headers: planHeaders(), of: OK }]);
  const session = await life.begin(directory);
  await app.until(({ sessions }) => sessions.some((row) => row.session === session && row.isIdle && row.usage));
  const talk = (...steps: ScriptedStep[]): Promise<string> => {
    provider.script('sonnet', steps);
    return life.goOn(directory, session);
  };
  const untilHome = () => expect.poll(() => talk(OK), { interval: 500 }).toBe('LEAD ANSWERS');
  // Another generation may have left limits behind.
  await run(directory, 'reset all');
  await untilHome();
  await run(directory, 'drill build');

  await talk(limited(2));
  await untilHome();
  for (const step of [BROKEN, { kind: 'noFinish', text: 'partial words' } as const]) {
    await talk(step);
    await run(directory, 'reset all');
  }
  await talk({ kind: 'status', status: 500 });
  await run(directory, 'status');
  await untilHome();
  await talk(REFUSED);
  await run(directory, 'reset team');
  await talk({ kind: 'emptyStop' });
  await run(directory, 'reset all');
  await talk({ kind: 'toolCall', name: 'no_such_tool', arguments: {} }, OK);
  await playHelper(scene, session);
  await playActs(scene, talk);
  await askFirst(scene);

  await scene.limitElsewhere();
  await talk(OK);
  await run(directory, 'fleet status');
  await run(directory, 'reset team');
  await untilHome();
  await life.remove(directory, session);

  const last = await life.begin(directory);
  await app.until(({ sessions }) => sessions.some((row) => row.session === last && row.isIdle));
  provider.script('sonnet', [limited(3_600, 'You exceeded your current quota, please check your plan and billing')]);
  provider.script('gpt', [limited(7_200)]);
  await life.goOn(directory, last);
  provider.script('gpt', [answer('SPARE ANSWERS')]);
}

/** The headers of a plan that is 40 % used. */
const planHeaders = () => ({
  'anthropic-ratelimit-unified-5h-utilization': '0.4',
  'anthropic-ratelimit-unified-5h-reset': String(Math.ceil(Date.now() / 1_000) + 7_200),
  'anthropic-ratelimit-unified-5h-status': 'allowed',
  'x-ratelimit-made-up': '1',
});

/** A sub-agent whose first model is limited. */
async function playHelper({ life, provider, directory, generation, run }: Scene, session: string): Promise<void> {
  provider.script('sonnet', ({ body }) => {
    const text = JSON.stringify(body);
    if (text.includes('CHILD ANSWERS')) return OK;
    return text.includes('SUB TASK') && !text.includes('"One"')
      ? limited(2)
      : { kind: 'toolCall', ...HELPER[generation] };
  });
  provider.script('gpt', [answer('CHILD ANSWERS')]);
  await life.goOn(directory, session);
  provider.script('gpt', [answer('SPARE ANSWERS')]);
  await run(directory, 'reset all');
}

/** What a person can do, on the command line. */
async function playActs(
  { run, directory, app }: Scene,
  talk: (...steps: ScriptedStep[]) => Promise<string>,
): Promise<void> {
  const inTurn = async (...lines: string[]): Promise<void> => {
    for (const line of lines) await run(directory, line);
  };
  await inTurn(`hold ${SPARE} open`, `pin build ${LAST} --for 1h`);
  await talk(OK);
  await inTurn('unpin build', `release ${SPARE}`, `isolate ${LAST}`, 'pause --for 10m');
  await talk(OK);
  await inTurn('resume', `isolate ${SPARE}`);
  // Alone, the primary is probed once its breaker is half open: the companion requests a lease for that.
  for (let turn = 0; turn < 2; turn++) await talk({ kind: 'status', status: 500 });
  await app.until(({ models }) => models.every(({ model, state }) => model !== LEAD || state !== 'open'));
  await talk(OK);
  await inTurn(`release ${SPARE}`, `release ${LAST}`, `hold ${LEAD} closed --for 1h`, `release ${LEAD}`, 'reset all');
}

/** A project that asks a person first. */
async function askFirst({ life, provider, app, run, careful }: Scene): Promise<void> {
  provider.script('sonnet', [REFUSED]);
  const session = await life.begin(careful);
  await app.until(({ questions }) => questions.some((each) => each.session === session));
  await run(careful, 'answer yes');
  await app.until(({ sessions }) => sessions.some((row) => row.session === session && row.isIdle));
  for (const line of ['trust list', 'trust allow --yes', `recall ${session}`, 'reset team']) await run(careful, line);
  await life.remove(careful, session);
}

/** Writes files, ranks models, and prints everything that can be printed. */
async function lookAround(run: Scene['run'], directory: string): Promise<void> {
  const LINES = [
    ...[`chains set build ${SPARE} ${LAST} --create`, `chains set plan ${LAST}`, 'chains get', 'chains export'],
    ...['settings set history.detailDays 60', 'settings get', 'config', 'changes'],
    ...[`rank data set ${SPARE} gpqa 0.7 --source https://made-up.test`],
    ...['rank role build builder', 'rank headroom team --week 50', `rank data match ${LEAD} none`],
    ...['rank propose build', `rank review build ${SPARE} --approve`, `rank keep build ${LAST} 2`, 'rank show build'],
    ...[
      'rank data list',
      'rank weights',
      'phrases',
      'headroom',
      'status',
      'notices',
      'logs',
      'what-if --policy steady',
    ],
    ...['council list', 'council show', 'doctor', 'fleet doctor', 'chains propose', 'scorecard', 'undo --dry-run'],
  ];
  for (const line of LINES) await run(directory, line);
}
