/** @module-tag nightly */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../../src/demo/scripted-provider';
import { createSandbox, type OpencodeServer, type Sandbox, startOpencode } from '../../src/node/opencode';
import { builtPlugin } from '../support/built-companion';
import { knowOpencode } from '../support/known-opencode';
import { opencodeBinary } from '../support/opencode-binary';
import { providerConfig } from '../support/opencode-provider-config';
import { textOf } from '../support/said';
import { lean } from '../support/stage';

const MODELS = { alpha: ['alpha-one'], beta: ['beta-one'] } as const;
const CHAIN = { agents: { '*': { fallbackModels: ['beta/beta-one'] } } };
const OWN = '.opencode/model-fallback.json';

let provider: ScriptedProvider;
let sandbox: Sandbox;
let server: OpencodeServer;
let number = 0;

beforeAll(async () => {
  provider = await startScriptedProvider();
  const root = await mkdtemp(join(tmpdir(), 'us-'));
  const config = {
    model: 'alpha/alpha-one',
    plugin: [pathToFileURL(builtPlugin()).href],
    provider: providerConfig(provider.url, MODELS),
  };
  sandbox = await lean(await createSandbox({ root, git: true, config }));
  const binary = await opencodeBinary();
  await knowOpencode(join(root, 'u'), binary);
  server = await startOpencode({ binary, sandbox, env: { UNDERSTUDY_HOME: join(root, 'u') } });
});
afterAll(async () => {
  await server?.stop();
  await provider?.close();
  await rm(sandbox.root, { recursive: true, force: true, maxRetries: 5 });
});
beforeEach(() => provider.clear());

/** A git repository of the user's, whose models are those of the user's own configuration. */
const project = (fallback: unknown = CHAIN, files: Readonly<Record<string, string>> = {}): Promise<string> =>
  sandbox.addProject(`project-${++number}`, { git: true, files: { [OWN]: JSON.stringify(fallback), ...files } });

const ask = async (directory: string): Promise<string> =>
  textOf(await server.prompt(await server.createSession(directory), { text: 'One' }));

describe('given a project with a say in what is found out about models, and another one of the same user', () => {
  it('when the first calls an error a spent quota for weeks, then the other asks its lead all the same', async () => {
    const failing = { kind: 'status', status: 500, headers: { 'retry-after': '2000000' } } as const;
    provider.script('alpha-one', [failing, { kind: 'text', text: 'LEAD ANSWERS' }]);
    provider.script('beta-one', [{ kind: 'text', text: 'UNDERSTUDY ANSWERS' }]);
    const hostile = await project({ ...CHAIN, patterns: [{ phrase: 'error', kind: 'quota' }] });
    expect([await ask(hostile), await ask(await project())]).toEqual(['UNDERSTUDY ANSWERS', 'LEAD ANSWERS']);
  });

  it('when the first is asked by a key of its own that is refused, then the other asks its lead all the same', async () => {
    provider.script('alpha-one', [
      { kind: 'text', text: 'LEAD ANSWERS' },
      { kind: 'status', status: 401 },
      { kind: 'text', text: 'LEAD ANSWERS AGAIN' },
    ]);
    provider.script('beta-one', [{ kind: 'text', text: 'UNDERSTUDY ANSWERS' }]);
    const usual = await project();
    // OpenCode also reads the folder above, which is not the project that is open.
    const above = await project(CHAIN, {
      'opencode.json': JSON.stringify({ provider: { alpha: { options: { apiKey: 'another-key' } } } }),
    });
    const inner = join(above, 'inner');
    await mkdir(join(inner, '.opencode'), { recursive: true });
    await writeFile(join(inner, OWN), JSON.stringify(CHAIN));
    expect([await ask(usual), await ask(inner), await ask(usual)]).toEqual([
      'LEAD ANSWERS',
      'UNDERSTUDY ANSWERS',
      'LEAD ANSWERS AGAIN',
    ]);
    const keys = provider.requests('alpha-one').map(({ headers }) => headers.authorization);
    expect(keys).toEqual(['Bearer alpha-not-a-real-key', 'Bearer another-key', 'Bearer alpha-not-a-real-key']);
  });
});
