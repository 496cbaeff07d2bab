import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOpencode } from '../../src/node/opencode';
import { NIGHTLY } from '../support/nightly';
import { opencode2Binary, type RealStage } from '../support/opencode2/real';
import { sharedStage2 } from '../support/opencode2/shared';
import { sharedStage } from '../support/shared-stage';
import type { Stage } from '../support/stage';

const FALLBACK = { kind: 'text', text: 'FALLBACK ANSWERS' } as const;
/** Packages that OpenCode bundles and that take a made-up model and address. */
const PACKAGES = (
  'alibaba amazon-bedrock anthropic azure cerebras cohere deepinfra gateway github-copilot google google-vertex groq mistral openai ' +
  'openai-compatible perplexity togetherai vercel xai'
)
  .split(' ')
  .map((name) => `@ai-sdk/${name}`);
const ALL = [...PACKAGES, '@openrouter/ai-sdk-provider', 'venice-ai-sdk-provider'];
const FAULTS = ['answers 429', 'never answers'] as const;

/** A provider that speaks every wire badly; `requests` counts by the first part of the path. */
async function openBad(): Promise<{ url: string; server: Server; requests: Map<string, number> }> {
  const requests = new Map<string, number>();
  const server = createServer((request, response) => {
    const [, fault = '', number = ''] = request.url?.split('/') ?? [];
    requests.set(number, (requests.get(number) ?? 0) + 1);
    if (fault !== 'limits') return;
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '60' });
    response.end('{"error":{"message":"Too many requests"}}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, requests };
}

let bad: Awaited<ReturnType<typeof openBad>>;
let number = 0;
beforeAll(async () => {
  bad = await openBad();
});
afterAll(() => {
  bad?.server.closeAllConnections();
  bad?.server.close();
});

async function caseOf(stage: Pick<Stage, 'makeCase' | 'provider'>, npm: string, fault: (typeof FAULTS)[number]) {
  const name = String(++number);
  const address = `${bad.url}/${fault === 'answers 429' ? 'limits' : 'hangs'}/${name}`;
  const made = await stage.makeCase({
    packages: { 0: npm },
    addresses: { 0: address },
    defaults: { firstTokenTimeoutMs: 3_000 },
  });
  stage.provider.script(made.ids[1] ?? '', [FALLBACK]);
  return { ...made, asked: () => bad.requests.get(name) ?? 0 };
}

describe('given a primary of a package that OpenCode 1 bundles', NIGHTLY, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await sharedStage();
  });
  afterAll(() => stage?.close());

  for (const npm of ALL)
    for (const fault of FAULTS)
      it(`when it is ${npm} and ${fault} in \`opencode run\`, then the fallback model answers`, async () => {
        const { directory, asked } = await caseOf(stage, npm, fault);
        const { binary, sandbox, home } = stage;
        const env = { UNDERSTUDY_HOME: home };
        const { exitCode, stdout } = await runOpencode({ binary, sandbox, directory, args: ['One'], env });
        expect([exitCode, stdout.includes(FALLBACK.text), asked()]).toEqual([0, true, 1]);
      });
});

describe('given a chain that ends with a package that OpenCode 1 bundles', NIGHTLY, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await sharedStage();
  });
  afterAll(() => stage?.close());

  it.each(ALL)('when it is %s and all models fail, then the error is one sentence, and no JSON', async (npm) => {
    const name = String(++number);
    const { directory, ids } = await stage.makeCase({
      ...{ packages: { 1: npm }, addresses: { 1: `${bad.url}/limits/${name}` } },
      defaults: { firstTokenTimeoutMs: 3_000 },
    });
    stage.provider.script(ids[0] ?? '', [{ kind: 'status', status: 429, headers: { 'retry-after': '60' } }]);
    const session = await stage.server.createSession(directory);
    const { info } = await stage.server.prompt(session, { text: 'One' });
    const error = String(info.error?.data?.message).replaceAll('\u2060', '');
    expect(error).toMatch(/^(?:error: )?Understudy: all models of this chain are unavailable \(/);
    expect(error).not.toMatch(/[{}]/);
    expect(bad.requests.get(name)).toBe(1);
  });
});

describe.skipIf(opencode2Binary().path === '')('given a primary of a package on OpenCode 2', NIGHTLY, () => {
  let stage: RealStage;
  beforeAll(async () => {
    stage = await sharedStage2();
  });
  afterAll(() => stage?.close());

  for (const npm of ALL)
    for (const fault of FAULTS)
      it(`when it is ${npm} and ${fault}, then the fallback model finishes the turn`, async () => {
        const { directory, asked } = await caseOf(stage, npm, fault);
        const seat = await stage.sitIn(directory);
        await seat.ask('One');
        await expect.poll(() => seat.said(), { timeout: 20_000 }).toEqual([FALLBACK.text]);
        expect(asked()).toBeLessThanOrEqual(1);
      });
});
