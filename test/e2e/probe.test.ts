import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../../src/cli/demo/scripted-provider';
import { createModelProbe } from '../../src/node/model-probe';
import { createSandbox, type Sandbox } from '../../src/node/opencode';
import { opencodeBinary } from '../support/opencode-binary';
import { providerConfig } from '../support/opencode-provider-config';

let root: string;
let sandbox: Sandbox;
let provider: ScriptedProvider;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'us-'));
  provider = await startScriptedProvider();
  const config = { provider: providerConfig(provider.url, { alpha: ['well-model', 'lost-model'] }) };
  sandbox = await createSandbox({ root, git: true, config });
  env = { ...sandbox.env, OPENCODE_BIN: (await opencodeBinary()).path };
});
afterAll(async () => {
  await provider?.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

const ask = (model: string, over: Readonly<Record<string, string>> = {}) =>
  createModelProbe({ ...env, ...over })({ model, directory: sandbox.directory });

describe('given a user with OpenCode and a model whose answer is scripted', () => {
  it('when it is probed, then it is asked once, and what OpenCode sends along is about what the panel says it costs', async () => {
    provider.script('well-model', [{ kind: 'text', text: 'OK' }]);
    expect(await ask('alpha/well-model')).toEqual({ ok: true, tookMs: expect.any(Number), cost: expect.any(Number) });
    const bytes = provider.requests('well-model').map(({ body }) => JSON.stringify(body).length);
    expect(bytes).toHaveLength(1);
    // The panel reckons with 8,000 tokens of about four letters each.
    expect(bytes[0]).toBeGreaterThan(16_000);
    expect(bytes[0]).toBeLessThan(64_000);
  });

  it('when its provider refuses the key, then the kind of the failure is named', async () => {
    provider.script('lost-model', [{ kind: 'status', status: 401 }]);
    expect(await ask('alpha/lost-model')).toMatchObject({ ok: false, kind: 'auth', status: 401 });
  });

  it('when there is no OpenCode, then that is the answer', async () => {
    expect(await ask('alpha/well-model', { OPENCODE_BIN: join(root, 'nowhere') })).toMatchObject({
      ok: false,
      kind: null,
      reason: expect.stringContaining('is not an executable file'),
    });
  });
});
