import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import plugin from '../../src/plugin';
import { REQUEST_HEADER } from '../../src/plugin/opencode1/memory/guarded-request';
import type { BusEvent, Client, Hooks, UserMessage } from '../../src/plugin/opencode1/memory/types';
import { tempFolder } from '../node/temp-folder';

/** Each test has models of its own: health is the process's. */
let cases = 0;

beforeEach(async () => {
  const root = await tempFolder();
  vi.stubEnv('UNDERSTUDY_HOME', join(root, 'u'));
  vi.stubEnv('XDG_CONFIG_HOME', join(root, 'config'));
  vi.stubEnv('XDG_DATA_HOME', join(root, 'data'));
  vi.stubEnv('OPENCODE_CONFIG_DIR', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

type Spoken = { toasts: string[]; logs: { level: string; message: string }[] };

function clientOf(over: Partial<Client> = {}): { client: Client; spoken: Spoken } {
  const spoken: Spoken = { toasts: [], logs: [] };
  // That a machine which is kept busy reads slowly is true as well, and said beside it.
  const hear = <Said>(list: Said[], said: Said, message: string): void => {
    if (!message.includes('slow to read')) list.push(said);
  };
  const client: Client = {
    session: {
      create: async () => ({ error: {} }),
      delete: async () => ({}),
      abort: async () => ({}),
      prompt: async () => ({ data: {} }),
      messages: async () => ({ data: [] }),
    },
    config: { providers: async () => ({ data: { providers: [] } }) },
    app: { log: async ({ body }) => hear(spoken.logs, body, body.message) as never },
    tui: {
      showToast: async ({ body }) => hear(spoken.toasts, body.message, body.message) as never,
      publish: async () => ({}),
    },
    _client: {
      post: async () => ({}),
      get: async () => ({ data: { version: '1.18.33' } }),
      patch: async () => ({}),
      delete: async () => ({ data: true }),
    },
    ...over,
  };
  return { client, spoken };
}

/** A project with the plugin in it, as OpenCode loads it. */
async function openProject(file: string | null, over: Partial<Client> = {}) {
  const directory = await tempFolder();
  const path = join(directory, '.opencode', 'model-fallback.json');
  await mkdir(join(directory, '.opencode'));
  const write = (text: string) => writeFile(path, text);
  if (file !== null) await write(file);
  const { client, spoken } = clientOf(over);
  const hooks = await plugin.server({ client, directory });
  onTestFinished(() => hooks.dispose?.());
  const number = ++cases;
  const lead = `lead/m${number}`;
  const spare = `spare/m${number}`;
  await hooks.config?.({ model: lead, agent: { build: {}, off: { disable: true }, listed: { models: ['x/y'] } } });
  // As soon as OpenCode asks for something, the companion is there.
  await hooks['chat.params']?.({ agent: 'build', sessionID: 's' }, { options: {} });
  return {
    hooks,
    directory,
    path,
    write,
    spoken,
    lead,
    spare,
    chain: JSON.stringify({ agents: { '*': { fallbackModels: [spare] } } }),
  };
}

const chainFor = (number: number): string =>
  JSON.stringify({ agents: { '*': { fallbackModels: [`spare/m${number}`] } } });

const userMessage = (model: string, id = 'msg_1'): UserMessage => ({
  ...{ id, sessionID: 'ses_1', role: 'user', agent: 'build', time: { created: 1 } },
  model: { providerID: model.split('/')[0] ?? '', modelID: model.split('/')[1] ?? '' },
});

/** A message arrives, and its request is about to be made: the model it goes to, and our header. */
async function ask(hooks: Hooks, model: string, agent = 'build') {
  const message = userMessage(model);
  await hooks['chat.message']?.({ sessionID: 'ses_1' }, { message, parts: [{ type: 'text' }] });
  const output = { headers: {} as Record<string, string> };
  const { providerID, modelID: id } = message.model;
  await hooks['chat.headers']?.({ sessionID: 'ses_1', agent, model: { providerID, id }, message }, output);
  return { model: `${providerID}/${id}`, header: output.headers[REQUEST_HEADER] ?? null };
}

describe('given the plugin file', () => {
  it('when OpenCode looks at it, then it has one plugin with an id and a server', () => {
    expect([plugin.id, typeof plugin.server]).toEqual(['understudy', 'function']);
  });
});

describe('given no configuration', () => {
  it('when a message is sent, then no request is numbered and nobody is told anything', async () => {
    const { hooks, lead, spoken } = await openProject(null);
    expect([await ask(hooks, lead), spoken]).toEqual([
      { model: lead, header: null },
      { toasts: [], logs: [] },
    ]);
  });

  it('when one is written, then it is in force from the next message on; gone, it is not', async () => {
    const { hooks, lead, write, chain, path } = await openProject(null);
    const before = await ask(hooks, lead);
    await write(chain);
    const during = await ask(hooks, lead);
    await rm(path);
    const after = await ask(hooks, lead);
    expect([before.header, during.header, after.header]).toEqual([null, expect.stringMatching(/^\d+$/), null]);
  });
});

describe('given another plugin that does fallbacks', () => {
  it('when the first message is sent, then one toast says what to do; OpenCode’s log has it from the start', async () => {
    const { hooks, lead, spoken } = await openProject(chainFor(cases + 1));
    const config = { model: lead, plugin: ['oh-my-opencode-slim'] };
    for (let reads = 0; reads < 2; reads++) await hooks.config?.(config);
    const before = [spoken.toasts.length, spoken.logs.length];
    for (let messages = 0; messages < 2; messages++) await ask(hooks, lead);
    expect([before, spoken.toasts]).toEqual([
      [0, 1],
      [expect.stringMatching(/^oh-my-opencode-slim also switches models/)],
    ]);
  });
});

describe('given a malformed configuration', () => {
  it('when messages are sent, then one warning names the place, and OpenCode works as it is', async () => {
    const { hooks, lead, path, spoken } = await openProject('{ "agents": { broken');
    const asked = [await ask(hooks, lead), await ask(hooks, lead)];
    expect(asked.map(({ header }) => header)).toEqual([null, null]);
    await expect.poll(() => spoken.toasts.length).toBe(1);
    expect(spoken.toasts[0]).toMatch(`${path}:1:`);
    expect(spoken.logs).toEqual([{ service: 'understudy', level: 'warn', message: spoken.toasts[0] }]);
  });

  it('when it is mended, then fallback is armed at the next message', async () => {
    const { hooks, lead, write, chain } = await openProject('{ "agents": { broken');
    await ask(hooks, lead);
    await write(chain);
    expect((await ask(hooks, lead)).header).toMatch(/^\d+$/);
  });

  it('when it breaks after it was right, then what it said last stays in force, with one warning', async () => {
    const { hooks, lead, write, spoken } = await openProject(chainFor(cases + 1));
    await write('{ broken');
    expect((await ask(hooks, lead)).header).toMatch(/^\d+$/);
    await ask(hooks, lead);
    await expect.poll(() => spoken.toasts.length).toBe(1);
  });

  it('when it is switched off, then nothing is numbered', async () => {
    const { hooks, lead } = await openProject('{ "enabled": false }');
    expect((await ask(hooks, lead)).header).toBeNull();
  });
});

describe('given a lead that is out', () => {
  it('when the next message arrives, then it goes to the understudy', async () => {
    const { hooks, lead, spare } = await openProject(chainFor(cases + 1));
    const host = globalThis.fetch;
    const { header } = await ask(hooks, lead);
    expect(header).not.toBeNull();
    // A limited title request is enough to know it: health is the model's.
    const provider = await import('../../src/demo/scripted-provider');
    const scripted = await provider.startScriptedProvider();
    onTestFinished(() => scripted.close());
    const name = lead.slice('lead/'.length);
    scripted.script(name, [{ kind: 'status', status: 429 }]);
    const title = { headers: {} as Record<string, string> };
    await hooks['chat.headers']?.(
      {
        sessionID: 'ses_1',
        agent: { name: 'title' },
        model: { providerID: 'lead', id: name },
        message: userMessage(lead),
      },
      title,
    );
    const response = await host(`${scripted.url}/v1/chat/completions`, {
      method: 'POST',
      headers: title.headers,
      body: JSON.stringify({ model: name }),
    });
    expect([response.status, (await ask(hooks, lead)).model]).toEqual([429, spare]);
    expect(scripted.requests()[0]?.headers[REQUEST_HEADER]).toBeUndefined();
  });
});

describe('given a lead that OpenCode does not have', () => {
  it('when a message comes, then it goes to the understudy; in an empty list nobody is missing', async () => {
    const spare = `m${cases + 1}`;
    const providers = async () => ({ data: { providers: [{ id: 'spare', models: { [spare]: {} } }] } });
    const known = await openProject(chainFor(cases + 1), { config: { providers } });
    const unknown = await openProject(chainFor(cases + 1));
    expect([(await ask(known.hooks, known.lead)).model, (await ask(unknown.hooks, unknown.lead)).model]).toEqual([
      known.spare,
      unknown.lead,
    ]);
  });
});

describe('given requests that do not come by', () => {
  const answered = (lead: string): BusEvent => ({
    type: 'message.updated',
    properties: {
      info: {
        ...{ id: 'msg_2', sessionID: 'ses_1', role: 'assistant', parentID: 'msg_1', finish: 'stop' },
        ...{ providerID: 'lead', modelID: lead.slice('lead/'.length) },
      },
    },
  });

  it('when answers arrive all the same, then the user is told once whom nobody sees', async () => {
    const { hooks, lead, spoken } = await openProject(chainFor(cases + 1));
    await ask(hooks, lead);
    await hooks.event?.({ event: answered(lead) });
    await hooks.event?.({ event: answered(lead) });
    expect(spoken.toasts).toEqual([
      'Understudy cannot see requests to lead. If it fails in a sub-agent, or after its response has begun, the turn stays with it.',
    ]);
  });

  it('when they do come by, then there is nothing to tell', async () => {
    const { hooks, lead, spoken } = await openProject(chainFor(cases + 1));
    const { header } = await ask(hooks, lead);
    await fetch('http://127.0.0.1:9', { headers: { [REQUEST_HEADER]: header ?? '' } }).catch(() => null);
    await hooks.event?.({ event: answered(lead) });
    // This port is nobody's, and this client moves no turn: that is another matter.
    expect(spoken.toasts.filter((toast) => toast.includes('does not see'))).toEqual([]);
  });
});

describe('given settings of ours in an agent’s entry', () => {
  it('when a request is made, then they are taken out and the provider’s own options stay', async () => {
    const { hooks } = await openProject(null);
    const options = { fallback_models: ['a/b'], fallback: true, fallbackModels: [], temperature: 0, models: ['own'] };
    await hooks['chat.params']?.({ agent: 'build' } as never, { options });
    const listed = { models: ['x/y'], top_p: 1 };
    await hooks['chat.params']?.({ agent: { name: 'listed' } } as never, { options: listed });
    const current = { currentModel: 'a/b', models: ['x/y'] };
    await hooks['chat.params']?.({ agent: 'build' } as never, { options: current });
    expect([options, listed, current]).toEqual([{ temperature: 0, models: ['own'] }, { top_p: 1 }, {}]);
  });
});

describe('given a hook that meets what it never expected', () => {
  const nonsense: readonly (readonly [keyof Hooks, unknown[]])[] = [
    ['config', [null]],
    ['chat.message', [{}, {}]],
    ['chat.params', [null, null]],
    ['chat.headers', [{}, {}]],
    ['experimental.chat.messages.transform', [null, { messages: [{}] }]],
    ['event', [{ event: { type: 'message.updated', properties: null } }]],
  ];
  it.each(nonsense)(
    'when %s gets nonsense, then it never rejects, and the log says what happened',
    async (name, args) => {
      const { hooks, spoken } = await openProject(chainFor(cases + 1));
      const hook = hooks[name] as (...values: unknown[]) => Promise<void>;
      await expect(hook(...args)).resolves.toBeUndefined();
      await expect.poll(() => spoken.logs.map(({ level }) => level)).toEqual(['error']);
    },
  );

  it('when even the log throws, then it does not reject', async () => {
    const log = () => {
      throw new Error('no log');
    };
    const { hooks } = await openProject(null, { app: { log } as never });
    await expect(hooks.config?.(null as never)).resolves.toBeUndefined();
  });
});

describe('given events of OpenCode’s bus', () => {
  const events: readonly BusEvent[] = [
    { type: 'session.created', properties: { info: { id: 'ses_2', parentID: 'ses_1' } } },
    { type: 'session.idle', properties: { sessionID: 'ses_1' } },
    { type: 'session.deleted', properties: { info: { id: 'ses_2' } } },
    { type: 'other', properties: {} },
    { type: 'message.updated', properties: { info: userMessage('lead/x') } },
  ];
  it('when they come, then none of them is an error', async () => {
    const { hooks, spoken } = await openProject(chainFor(cases + 1));
    for (const event of events) await hooks.event?.({ event });
    await new Promise((resolve) => setImmediate(resolve));
    expect(spoken.logs).toEqual([]);
  });
});

describe('given an instance that is disposed of', () => {
  it('when it was the last, then the host’s fetch is its own again; twice is once', async () => {
    const host = globalThis.fetch;
    const { hooks } = await openProject(null);
    const wrapped = globalThis.fetch;
    await hooks.dispose?.();
    await hooks.dispose?.();
    expect([wrapped === host, globalThis.fetch === host]).toEqual([false, true]);
  });
});
