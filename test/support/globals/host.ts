import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { type ScriptedProvider, startScriptedProvider } from '../../../src/demo/scripted-provider';
import type { Client, Hooks, UserMessage } from '../../../src/plugin/opencode1/memory/types';
import { openPlace } from '../opencode2/host';
import type { Plugin } from '../opencode2/loader';
import { differences, lookAtGlobals } from './look.mjs';

export type Report = Readonly<{
  models: readonly string[];
  during: readonly string[];
  after: readonly string[];
  /** Number of functions that the host's zod compiles for a new schema. */
  compiled: number;
}>;

const [LEAD, SPARE] = ['lead', 'spare'];
type Companion = Plugin & { server(input: { client: Client; directory: string }): Promise<Hooks> };
type Turn = Readonly<{ directory: string; provider: ScriptedProvider; companion: Companion | null }>;

async function turn1({ directory, provider, companion }: Turn): Promise<() => Promise<void>> {
  const done = async () => ({ data: {} });
  const client = {
    session: { create: done, delete: done, abort: done, prompt: done, messages: async () => ({ data: [] }) },
    config: { providers: async () => ({ data: { providers: [] } }) },
    app: { log: done },
    tui: { showToast: done, publish: done },
    _client: { post: done, get: async () => ({ data: { version: '1.18.34' } }), patch: done, delete: done },
  } as unknown as Client;
  const hooks = (await companion?.server({ client, directory })) ?? {};
  await hooks.config?.({ model: `${LEAD}/${LEAD}`, agent: { build: {} } });
  for (const id of ['msg_1', 'msg_2']) {
    const message: UserMessage = {
      ...{ id, sessionID: 'ses_1', role: 'user', agent: 'build', time: { created: 1 } },
      model: { providerID: LEAD, modelID: LEAD },
    };
    await hooks['chat.message']?.({ sessionID: 'ses_1' }, { message, parts: [{ type: 'text', text: 'go' }] });
    const { providerID, modelID } = message.model;
    const headers: Record<string, string> = {};
    const asking = { sessionID: 'ses_1', agent: 'build', model: { providerID, id: modelID }, message };
    await hooks['chat.headers']?.(asking, { headers });
    const response = await fetch(`${provider.url}/v1/chat/completions`, {
      ...{ method: 'POST', headers, body: JSON.stringify({ model: modelID, stream: true, messages: [] }) },
    });
    await response.text();
    await hooks.event?.({ event: { type: 'session.idle', properties: { sessionID: 'ses_1' } } });
  }
  return async () => hooks.dispose?.();
}

async function turn2({ directory, provider, companion }: Turn): Promise<() => Promise<void>> {
  const models = [LEAD, SPARE].map((name) => ({
    ref: { providerID: name, id: name },
    baseURL: `${provider.url}/v1`,
  }));
  const place = await openPlace({ directory, models, plugins: companion ? [companion] : [] });
  await place.sit().ask('go');
  return place.close;
}

const parsed = () => z.object({ name: z.string() }).parse({ name: 'a' });

function compiledBy(parse: () => unknown): number {
  const own = globalThis.Function;
  let count = 0;
  globalThis.Function = new Proxy(own, {
    construct(target, args) {
      count++;
      return Reflect.construct(target, args);
    },
  });
  parse();
  globalThis.Function = own;
  return count;
}

async function play(generation: string, companionUrl: string): Promise<Report> {
  const root = await mkdtemp(join(tmpdir(), 'us-'));
  const directory = join(root, 'project');
  await mkdir(join(directory, '.opencode'), { recursive: true });
  process.env.UNDERSTUDY_HOME = join(root, 'u');
  const config = { agents: { '*': { fallbackModels: [`${SPARE}/${SPARE}`] } } };
  await writeFile(join(directory, '.opencode', 'model-fallback.json'), JSON.stringify(config));
  const provider = await startScriptedProvider();
  const turn = generation === '1' ? turn1 : turn2;
  provider.script(SPARE, [{ kind: 'text', text: 'SPARE' }]);
  provider.script(LEAD, [{ kind: 'text', text: 'LEAD' }]);
  parsed();
  // Node loads parts of itself on first use, and marks a promisified function.
  promisify(execFile);
  await (await turn({ directory, provider, companion: null }))();
  const before = lookAtGlobals();
  provider.clear();
  provider.script(SPARE, [{ kind: 'text', text: 'SPARE' }]);
  provider.script(LEAD, [{ kind: 'status', status: 429, headers: { 'retry-after': '840' } }]);
  const { default: companion } = (await import(companionUrl)) as { default: Companion };
  const end = await turn({ directory, provider, companion });
  const during = differences(before, lookAtGlobals());
  await end();
  const after = differences(before, lookAtGlobals());
  const models = provider.requests().map(({ model }) => model);
  await provider.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
  return { models, during, after, compiled: compiledBy(parsed) };
}

const [generation = '', companionUrl = ''] = process.argv.slice(2);
console.log(JSON.stringify(await play(generation, companionUrl)));
