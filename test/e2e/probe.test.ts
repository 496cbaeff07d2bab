import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../../src/demo/scripted-provider';
import { askForModels, createSandbox, findOpencode, type Sandbox } from '../../src/node/opencode';
import { createModelProbe } from '../../src/node/opencode/model-probe';
import { providerConfig } from '../support/opencode-provider-config';
import { lean } from '../support/stage';

let root: string;
let sandbox: Sandbox;
let provider: ScriptedProvider;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'us-'));
  provider = await startScriptedProvider();
  const config = { provider: providerConfig(provider.url, { alpha: ['well-model', 'lost-model'] }) };
  sandbox = await lean(await createSandbox({ root, git: true, config }));
});
afterAll(async () => {
  await provider?.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

/** Both generations; a machine where no OpenCode 2 can be had asks the first alone. */
const BINARIES = ['OPENCODE_BIN', ...(process.env.OPENCODE2_BIN ? ['OPENCODE2_BIN'] : [])];

const ask = (model: string, over: Readonly<Record<string, string>> = {}) =>
  createModelProbe({ ...env, ...over })({ model, directory: sandbox.directory });

describe.each(BINARIES)('given a user with OpenCode (%s) and a model whose answer is scripted', (variable) => {
  beforeAll(() => {
    provider.clear();
    env = { ...sandbox.env, OPENCODE_BIN: process.env[variable] ?? '' };
  });

  it('when it is probed, then it is asked once, and what OpenCode sends along is about what the panel says it costs', async () => {
    provider.script('well-model', [{ kind: 'text', text: 'OK' }]);
    expect(await ask('alpha/well-model')).toEqual({ ok: true, tookMs: expect.any(Number), cost: expect.any(Number) });
    const bytes = provider.requests('well-model').map(({ body }) => JSON.stringify(body).length);
    expect(bytes).toHaveLength(1);
    // The panel reckons with 8,000 tokens of about four letters each.
    expect(bytes[0]).toBeGreaterThan(16_000);
    expect(bytes[0]).toBeLessThan(64_000);
  });

  it('when its provider refuses the key, then the kind of the failure is named', { tags: ['nightly'] }, async () => {
    provider.script('lost-model', [{ kind: 'status', status: 401 }]);
    expect(await ask('alpha/lost-model')).toMatchObject({ ok: false, kind: 'auth', status: 401 });
  });

  // OpenCode 1 tells nobody that it waits for a limit to end.
  it.runIf(variable === 'OPENCODE2_BIN')(
    'when it is limited, then that is told at once, and it is asked once',
    async () => {
      provider.script('lost-model', [{ kind: 'status', status: 429, headers: { 'retry-after': '3600' } }]);
      const before = provider.requests('lost-model').length;
      expect(await ask('alpha/lost-model')).toMatchObject({ ok: false, kind: 'rate_limit', status: 429 });
      expect(provider.requests('lost-model')).toHaveLength(before + 1);
    },
  );

  it('when its models are asked for, then those of the configuration are told', async () => {
    const search = await findOpencode(env);
    if (!search.ok) throw new Error(search.reason);
    const place = { directory: sandbox.directory, env, limitMs: 90_000 };
    expect(await askForModels(search.binary, place)).toEqual(
      expect.arrayContaining(['alpha/well-model', 'alpha/lost-model']),
    );
  });

  it('when there is no OpenCode, then that is the answer', async () => {
    expect(await ask('alpha/well-model', { OPENCODE_BIN: join(root, 'nowhere') })).toMatchObject({
      ok: false,
      kind: null,
      reason: expect.stringContaining('is not an executable file'),
    });
  });
});
