import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Snapshot } from '../../src/contract/snapshot';
import { FOUR_MODELS, ISSUE_7602, TRIAGE, TWELVE_MODELS } from '../core/config/published-designs';
import { builtPlugin, partsOf } from '../support/built-companion';
import { startPanel } from '../support/panel-process';
import { textOf } from '../support/said';
import { sharedStage } from '../support/shared-stage';
import type { Stage } from '../support/stage';

let stage: Stage;

beforeAll(async () => {
  stage = await sharedStage();
});
afterAll(() => stage?.close());
beforeEach(() => stage.provider.clear());

const ANSWER = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;

describe('given what people must not find anywhere', () => {
  it('when a provider echoes a key in its error, then neither the key nor the prompt nor the answer is kept or shown', async () => {
    const { provider, server, home } = stage;
    const { directory, chain, ids } = await stage.makeCase();
    const message = 'Incorrect API key provided: sk-proj-abcdefghijklmnop1234567890. Mail owner@example.com.';
    provider.script(ids[0] ?? '', [
      { kind: 'status', status: 401, body: { error: { message, code: 'invalid_api_key' } } },
    ]);
    provider.script(ids[1] ?? '', [ANSWER]);
    const app = await stage.openApp();
    const session = await server.createSession(directory);
    expect(textOf(await server.prompt(session, { text: 'PROMPT TEXT' }))).toBe(ANSWER.text);
    const snapshot = await app.until((seen) =>
      seen.models.some((row) => row.model === chain[0] && row.state === 'blocked'),
    );
    await app.close();
    const kept = `${JSON.stringify(snapshot)}\n${await readFile(join(home, 'events.jsonl'), 'utf8')}`;
    expect(snapshot.models.find((row) => row.model === chain[0])?.lastFailure?.message).toBe(
      'Incorrect API key provided: [key] Mail [e-mail].',
    );
    for (const secret of ['sk-proj', 'owner@example.com', 'PROMPT TEXT', ANSWER.text, 'not-a-real-key'])
      expect(kept).not.toContain(secret);
  });

  it('when an agent’s entry holds fallback settings, then no provider is sent one of them', async () => {
    const { provider, server } = stage;
    const { directory, ids } = await stage.makeCase({
      config: {
        agent: {
          build: { fallback_models: ['a/b'], models: ['c/d'], currentModel: 'e/f', options: { user_option: 1 } },
        },
      },
    });
    provider.script(ids[0] ?? '', [ANSWER]);
    await server.prompt(await server.createSession(directory), { text: 'One' });
    const [request] = provider.requests();
    expect(request?.headers['x-understudy']).toBeUndefined();
    for (const key of ['fallback_models', 'models', 'currentModel']) expect(request?.body).not.toHaveProperty(key);
    expect(request?.body).toHaveProperty('user_option', 1);
  });
});

describe('given an opencode.json with a chain of a published design, and no file of ours', () => {
  it('when the lead it names is limited, then the next of its models answers, and the default is not asked', async () => {
    const { provider, server } = stage;
    const { directory, ids } = await stage.makeCase({
      models: 4,
      fallback: false,
      config: (chain) => {
        const [, currentModel, ...others] = chain;
        const tiers = [
          { name: 'premium', models: [currentModel, others[0]].map((model) => model?.split('/')[1]) },
          { name: 'local', models: [`${others[1]?.split('/')[0]}/*`] },
        ];
        const circuitBreaker = { failureThreshold: 3, cooldownMs: 3_600_000 };
        const fallback = { enabled: true, maxRetries: 3, circuitBreaker, extendedChain: { enabled: true, tiers } };
        return { agents: { oracle: { currentModel, models: [currentModel, ...others], fallback } } };
      },
    });
    provider.script(ids[1] ?? '', [{ kind: 'status', status: 429 }]);
    provider.script(ids[2] ?? '', [{ kind: 'status', status: 429 }]);
    provider.script(ids[3] ?? '', [ANSWER]);
    const session = await server.createSession(directory);
    const answer = await server.prompt(session, { text: 'One', agent: 'oracle' });
    expect([textOf(answer), ...ids.map((id) => provider.requests(id).length)]).toEqual([ANSWER.text, 0, 1, 1, 1]);
    const [request] = provider.requests(ids[3]);
    for (const key of ['currentModel', 'models', 'fallback']) expect(request?.body).not.toHaveProperty(key);
  });
});

/** Each design with the models it names, as their providers call them, and who is limited before somebody answers. */
const DESIGNS = {
  'with four models': {
    text: FOUR_MODELS,
    agent: 'oracle',
    models: { openrouter: ['claude-3.5-sonnet', 'gpt-4', 'gemini-pro', 'mistral-large'] },
    chain: ['openrouter/claude-3.5-sonnet', 'openrouter/gpt-4', 'openrouter/gemini-pro', 'openrouter/mistral-large'],
    asked: ['claude-3.5-sonnet', 'gpt-4', 'gemini-pro', 'mistral-large'],
    problems: [],
  },
  'with twelve models in tiers': {
    text: TWELVE_MODELS,
    agent: 'oracle',
    models: {
      openrouter: [
        ...['claude-3.5-sonnet', 'claude-3-opus', 'gpt-4', 'gemini-pro', 'mistral-large', 'llama-3.3-70b'],
        ...['qwen-2.5-72b', 'deepseek-chat', 'nous-hermes-2'],
      ],
      free: ['openrouter/free'],
      'lmstudio-local': ['llama-3.2-1b', 'qwen-0.5b'],
    },
    chain: [
      ...['openrouter/claude-3.5-sonnet', 'openrouter/claude-3-opus', 'openrouter/gpt-4', 'openrouter/gemini-pro'],
      ...[
        'openrouter/mistral-large',
        'openrouter/llama-3.3-70b',
        'openrouter/qwen-2.5-72b',
        'openrouter/deepseek-chat',
      ],
      ...[
        'openrouter/nous-hermes-2',
        'free/openrouter/free',
        'lmstudio-local/llama-3.2-1b',
        'lmstudio-local/qwen-0.5b',
      ],
    ],
    asked: ['claude-3.5-sonnet', 'claude-3-opus', 'gpt-4'],
    problems: [],
  },
  'of triage': {
    text: TRIAGE,
    agent: 'build',
    models: {},
    chain: ['mine/lead'],
    asked: ['lead'],
    // It names a place outside of the project.
    problems: ['triage.scorecard.exportPath begins with ~'],
  },
  'of issue 7602': {
    text: ISSUE_7602,
    agent: 'build',
    models: { anthropic: ['claude-sonnet'], openai: ['gpt-4o-mini'] },
    chain: ['mine/lead', 'anthropic/claude-sonnet', 'openai/gpt-4o-mini'],
    asked: ['lead', 'claude-sonnet', 'gpt-4o-mini'],
    problems: [],
  },
} as const satisfies Readonly<Record<string, Design>>;

type Design = Readonly<{
  text: string;
  agent: string;
  models: Readonly<Record<string, readonly string[]>>;
  chain: readonly string[];
  asked: readonly string[];
  /** What is told of it, in part. */
  problems: readonly string[];
}>;

describe('given the printed design, word for word, as a project’s opencode.json', () => {
  /** Where the user of a design has its models: a key for each design, so that no account is limited in two of them. */
  const elsewhere = (name: string, models: Design['models']) => {
    const entry = (ids: readonly string[]) => ({
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL: `${stage.provider.url}/v1`, apiKey: `${name}-not-a-real-key` },
      models: Object.fromEntries(ids.map((id) => [id, { name: id, limit: { context: 128_000, output: 8_000 } }])),
    });
    const providers = Object.entries({ mine: ['lead'], ...models }).map(([id, ids]) => [id, entry(ids)]);
    return JSON.stringify({ model: 'mine/lead', provider: Object.fromEntries(providers) });
  };

  for (const [name, { text, agent, models, chain, asked, problems }] of Object.entries<Design>(DESIGNS))
    it(`when OpenCode starts with the one ${name}, then its chain is the agent’s, and a limited turn goes down it`, {
      tags: name === 'with twelve models in tiers' ? [] : ['nightly'],
    }, async () => {
      const { provider, server, sandbox } = stage;
      const files = { 'opencode.json': text, '.opencode/opencode.json': elsewhere(name, models) };
      const directory = await sandbox.addProject(`design ${name}`, { git: false, files });
      for (const id of asked.slice(0, -1)) provider.script(id, [{ kind: 'status', status: 429 }]);
      provider.script(asked.at(-1) ?? '', [ANSWER]);
      const app = await stage.openApp();
      const answer = await server.prompt(await server.createSession(directory), { text: 'One', agent });
      const isHere = (row: Readonly<{ directory: string | null }>): boolean => row.directory === directory;
      // What is wrong with its files the app reads by itself; that a busy machine reads them slowly is true as well.
      const toldIn = ({ config }: Pick<Snapshot, 'config'>) =>
        config.filter(isHere).flatMap((row) => row.problems.filter(({ message }) => !message.includes('slow to read')));
      const seen = await app.until(
        (snapshot) => snapshot.sessions.some(isHere) && toldIn(snapshot).length >= problems.length,
      );
      await app.close();
      const session = seen.sessions.find(isHere);
      expect(session?.agents.map((row) => [row.agent, row.chain.map(({ model }) => model)])).toEqual([[agent, chain]]);
      expect(toldIn(seen).map(({ message }) => message)).toEqual(
        problems.map((start) => expect.stringContaining(start)),
      );
      expect([textOf(answer), provider.requests().map(({ model }) => model)]).toEqual([ANSWER.text, asked]);
    });
});

describe('given the built companion', () => {
  it('when it is loaded, then it needs Node’s own modules and its parts alone, is ASCII, and exports one plugin', async () => {
    const parts = partsOf(builtPlugin());
    const names = (await readdir(parts)).filter((name) => name.endsWith('.js'));
    const own = [...names.map((name) => `./${name}`), ...names.map((name) => `./${basename(parts)}/${name}`)];
    for (const file of [builtPlugin(), ...names.map((name) => join(parts, name))]) {
      const source = await readFile(file, 'utf8');
      expect([source.slice(0, 7), /^[\0-\x7f]*$/.test(source)]).toEqual(['// @bun', true]);
      const imports = source.matchAll(/^import (?:[^'"]+ from )?['"]([^'"]+)['"]|\bimport\(\s*['"]?([^'")]*)/gm);
      const loaded = [...imports].map(([, first, later]) => first ?? later ?? '');
      // `url`: the package of a provider, which OpenCode loads as well.
      expect(loaded.filter((name) => !name.startsWith('node:') && ![...own, 'url'].includes(name))).toEqual([]);
    }
    const module = (await import(pathToFileURL(builtPlugin()).href)) as Record<string, unknown>;
    expect(Object.keys(module)).toEqual(['default']);
    const [server, setup] = [expect.any(Function), expect.any(Function)];
    expect(module.default).toEqual({ id: 'understudy', server, setup });
  });
});

describe('given the command line', () => {
  const run = async (home: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> => {
    const program = join(import.meta.dirname, '..', '..', 'out', 'cli', 'understudy.js');
    const env = { ...process.env, UNDERSTUDY_HOME: home };
    try {
      return { code: 0, ...(await promisify(execFile)(process.execPath, [program, ...args], { env })) };
    } catch (error) {
      const failed = error as { code: number; stdout: string; stderr: string };
      return { code: failed.code, stdout: failed.stdout, stderr: failed.stderr };
    }
  };

  it('when nothing runs, then status says so and exits 3', async () => {
    const home = await mkdtemp(join(tmpdir(), 'us-'));
    expect(await run(home, 'status')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Understudy is not running.'),
    });
    await rm(home, { recursive: true });
  });

  it('when another process holds the lock of what a command changes, then the command waits, and says what it did', {
    tags: ['nightly'],
  }, async () => {
    const home = await mkdtemp(join(tmpdir(), 'us-'));
    // Of a process that died with it: taken over once it is stale.
    await mkdir(join(home, 'preferences.json.lock'));
    const set = await run(home, 'config', 'set', 'history.detailDays', '60');
    expect(set).toMatchObject({ code: 0, stdout: 'history.detailDays is now 60.\n' });
    expect(await readFile(join(home, 'preferences.json'), 'utf8')).toContain('60');
    await rm(home, { recursive: true });
  });

  it('when the panel runs, then status --json prints its snapshot, and a second panel prints the first one’s address', async () => {
    const home = await mkdtemp(join(tmpdir(), 'us-'));
    const panel = await startPanel(home);
    const { code, stdout } = await run(home, 'status', '--json');
    expect([code, Snapshot.parse(JSON.parse(stdout)).connection.status]).toEqual([0, 'waiting']);
    expect(await run(home, 'panel', '--no-open')).toMatchObject({
      code: 0,
      stdout: `Understudy panel: ${panel.url}\n`,
    });
    await panel.stop();
    await rm(home, { recursive: true });
  });
});
