import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedProvider, startScriptedProvider, wireBasePath } from '../../src/cli/demo/scripted-provider';
import { createSandbox, type OpencodeServer, type Sandbox, startOpencode } from '../../src/node/opencode';
import { knowOpencode } from '../support/known-opencode';
import { opencodeBinary } from '../support/opencode-binary';
import { textOf } from '../support/said';
import { openSocketProvider, type SocketProvider } from '../support/socket-provider';
import { builtPlugin, lean, QUICK } from '../support/stage';

const LIMIT = { kind: 'error', status: 429, error: { type: 'rate_limit_exceeded', message: 'Slow down' } } as const;

/** An OpenCode 1 that asks OpenAI over web sockets, as the dev channel does and 1.18 with a flag: with a key it has stored, and its own plugins. */
async function openOne(plugins: readonly string[]) {
  const [openai, other, root, binary] = await Promise.all([
    openSocketProvider(),
    startScriptedProvider(),
    mkdtemp(join(tmpdir(), 'us-ws-')),
    opencodeBinary(),
  ]);
  const home = join(root, 'u');
  const made = await createSandbox({
    root,
    git: true,
    config: { plugin: plugins.map((file) => pathToFileURL(file).href) },
  });
  const { env, ...sandbox }: Sandbox = await lean(made);
  const { OPENCODE_DISABLE_DEFAULT_PLUGINS: _, ...others } = env;
  const data = join(env.XDG_DATA_HOME ?? '', 'opencode');
  await mkdir(data, { recursive: true });
  await writeFile(join(data, 'auth.json'), JSON.stringify({ openai: { type: 'api', key: 'not-a-real-key' } }));
  await knowOpencode(home, binary);
  const server = await startOpencode({
    binary,
    sandbox: { ...sandbox, env: others },
    env: { UNDERSTUDY_HOME: home, OPENCODE_EXPERIMENTAL_WEBSOCKETS: '1' },
  });
  const model = { tool_call: true, limit: { context: 128_000, output: 8_000 } };
  const directory = await sandbox.addProject('talks', {
    git: true,
    config: {
      model: 'openai/lead',
      provider: {
        openai: {
          npm: '@ai-sdk/openai',
          options: { baseURL: openai.url },
          models: { lead: { name: 'lead', ...model } },
        },
        other: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${other.url}${wireBasePath('openai-compatible')}`, apiKey: 'not-a-real-key' },
          models: { spare: { name: 'spare', ...model } },
        },
      },
    },
    files: {
      '.opencode/model-fallback.json': JSON.stringify({
        defaults: QUICK,
        agents: { '*': { fallbackModels: ['other/spare'] } },
      }),
    },
  });
  const close = async (): Promise<void> => {
    await server.stop();
    await Promise.all([openai.close(), other.close()]);
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  };
  return { openai, other, server, directory, close };
}

type One = Readonly<{
  openai: SocketProvider;
  other: ScriptedProvider;
  server: OpencodeServer;
  directory: string;
  close(): Promise<void>;
}>;

describe('given an OpenCode 1 that asks OpenAI over web sockets', () => {
  let one: One;
  beforeAll(async () => {
    one = await openOne([]);
  });
  afterAll(() => one?.close());

  it('when nobody is in its way, then it opens one', async () => {
    const { openai, server, directory } = one;
    openai.script('lead', [{ kind: 'text', text: 'LEAD ANSWERS' }]);
    const answer = await server.prompt(await server.createSession(directory), { text: 'go' });
    expect([textOf(answer).trim(), openai.sockets(), openai.requests('lead').map(({ over }) => over)]).toEqual([
      'LEAD ANSWERS',
      1,
      ['socket'],
    ]);
  });
});

describe('given an OpenCode 1 that would ask OpenAI over web sockets, and the companion', () => {
  let one: One;
  beforeAll(async () => {
    one = await openOne([builtPlugin()]);
  });
  afterAll(() => one?.close());

  it('when the lead answers, then it was asked over HTTP, and told nothing of ours', async () => {
    const { openai, server, directory } = one;
    openai.script('lead', [{ kind: 'text', text: 'LEAD ANSWERS' }]);
    const answer = await server.prompt(await server.createSession(directory), { text: 'go' });
    expect([textOf(answer).trim(), openai.sockets(), openai.requests('lead').map(({ over }) => over)]).toEqual([
      'LEAD ANSWERS',
      0,
      ['http'],
    ]);
    const [{ headers = {} } = {}] = openai.requests('lead');
    expect(Object.keys(headers).filter((name) => /understudy|opencode-title/.test(name))).toEqual([]);
  });

  it('when the lead is limited, then its understudy finishes the turn', async () => {
    const { openai, other, server, directory } = one;
    openai.script('lead', [LIMIT]);
    other.script('spare', [{ kind: 'text', text: 'UNDERSTUDY ANSWERS' }]);
    const answer = await server.prompt(await server.createSession(directory), { text: 'go' });
    expect([textOf(answer), openai.sockets()]).toEqual(['UNDERSTUDY ANSWERS', 0]);
  });
});
