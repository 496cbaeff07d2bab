import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScriptedProvider, wireBasePath } from '../../src/demo/scripted-provider';
import { createSandbox, type Sandbox, startOpencode, startOpencode2, textsIn } from '../../src/node/opencode';
import { companionFolder, putCompanion } from '../../src/node/setup/companion-files';
import { builtPlugin } from '../support/built-companion';
import { knowOpencode } from '../support/known-opencode';
import { opencodeBinary } from '../support/opencode-binary';
import { opencode2Binary } from '../support/opencode2/real';
import { textOf } from '../support/said';
import { openSocketProvider, type SocketStep } from '../support/socket-provider';
import { lean, QUICK } from '../support/stage';

const LIMIT = { kind: 'error', status: 429, error: { type: 'rate_limit_exceeded', message: 'Slow down' } } as const;

/** An OpenCode 1 that asks OpenAI over web sockets, as the dev channel does and 1.18 with a flag: with a key it has stored, and its own plugins. */
async function openOne() {
  const [openai, other, root, binary] = await Promise.all([
    openSocketProvider(),
    startScriptedProvider(),
    mkdtemp(join(tmpdir(), 'us-ws-')),
    opencodeBinary(),
  ]);
  const home = join(root, 'u');
  const { env, ...sandbox }: Sandbox = await lean(await createSandbox({ root, git: true }));
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
  const addProject = (name: string, plugins: readonly string[]) =>
    sandbox.addProject(name, {
      git: true,
      config: {
        plugin: plugins.map((file) => pathToFileURL(file).href),
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
  const [bare, directory] = await Promise.all([addProject('bare', []), addProject('talks', [builtPlugin()])]);
  return { openai, other, server, bare, directory, close };
}

describe('given an OpenCode 1 that asks OpenAI over web sockets', () => {
  let one: Awaited<ReturnType<typeof openOne>>;
  beforeAll(async () => {
    one = await openOne();
  });
  afterAll(() => one?.close());

  it('when the companion is not there, then it opens one; else the lead is asked over HTTP, and told nothing of ours', async () => {
    const { openai, server, bare, directory } = one;
    openai.script('lead', [{ kind: 'text', text: 'LEAD ANSWERS' }]);
    for (const project of [bare, directory]) {
      const answer = await server.prompt(await server.createSession(project), { text: 'go' });
      expect(textOf(answer).trim()).toBe('LEAD ANSWERS');
    }
    const requests = openai.requests('lead');
    expect([openai.sockets(), requests.map(({ over }) => over)]).toEqual([1, ['socket', 'http']]);
    const { headers = {} } = requests.at(-1) ?? {};
    expect(Object.keys(headers).filter((name) => /understudy|opencode-title/.test(name))).toEqual([]);
  });

  it('when the lead is limited, then its understudy finishes the turn', async () => {
    const { openai, other, server, directory } = one;
    openai.script('lead', [LIMIT]);
    other.script('spare', [{ kind: 'text', text: 'UNDERSTUDY ANSWERS' }]);
    const answer = await server.prompt(await server.createSession(directory), { text: 'go' });
    expect([textOf(answer), openai.requests('lead').at(-1)?.over]).toEqual(['UNDERSTUDY ANSWERS', 'http']);
  });
});

/** An OpenCode 2 with the installed companion, which asks OpenAI over web sockets by itself. */
async function openTwo() {
  const [openai, other, root] = await Promise.all([
    openSocketProvider(),
    startScriptedProvider(),
    mkdtemp(join(tmpdir(), 'us-ws2-')),
  ]);
  const home = join(root, 'u');
  const put = await putCompanion({ home, source: builtPlugin() });
  if (!put.ok) throw new Error(put.reason);
  const model = { tool_call: true, limit: { context: 128_000, output: 8_000 } };
  const overSockets = (lead: string, key = {}) => ({
    npm: '@ai-sdk/openai',
    options: { baseURL: openai.url, transport: 'websocket', ...key },
    models: { [lead]: { name: lead, ...model } },
  });
  // The user's own: of a provider that a project says something of, no other account is asked.
  const provider = { 'openai-own': overSockets('lead-own') };
  const config = { plugins: [pathToFileURL(companionFolder(home)).href], provider };
  const sandbox = await lean(await createSandbox({ root, git: true, config }));
  const server = await startOpencode2({ binary: opencode2Binary(), sandbox, env: { UNDERSTUDY_HOME: home } });
  const events = await server.events();
  let number = 0;
  return {
    ...{ openai, other, server, events },
    /** A project with a lead over web sockets and an understudy over HTTP that nobody else has. */
    async talk(steps: readonly SocketStep[], defaults: Readonly<Record<string, unknown>> = {}, accounts = 'one') {
      number++;
      const isOwn = accounts !== 'one';
      const [asked, lead, spare] = [
        isOwn ? 'openai-own' : `openai-${number}`,
        isOwn ? 'lead-own' : `lead-${number}`,
        `spare-${number}`,
      ];
      await writeFile(join(sandbox.configDirectory, 'model-fallback.json'), JSON.stringify({ accounts }));
      openai.script(lead, steps);
      other.script(spare, [{ kind: 'text', text: 'UNDERSTUDY ANSWERS' }]);
      const directory = await sandbox.addProject(`talks-${number}`, {
        git: true,
        config: {
          model: `${asked}/${lead}`,
          provider: {
            ...(isOwn ? {} : { [asked]: overSockets(lead, { apiKey: 'not-a-real-key' }) }),
            [`other-${number}`]: {
              npm: '@ai-sdk/openai-compatible',
              options: { baseURL: `${other.url}${wireBasePath('openai-compatible')}`, apiKey: 'not-a-real-key' },
              models: { [spare]: { name: spare, ...model } },
            },
          },
        },
        files: {
          '.opencode/model-fallback.json': JSON.stringify({
            defaults: {
              ...QUICK,
              firstTokenTimeoutMs: 1_500,
              stallTimeoutMs: 1_500,
              cooldownMs: 60_000,
              restMs: 60_000,
              ...defaults,
            },
            agents: { '*': { fallbackModels: [`other-${number}/${spare}`] } },
          }),
        },
      });
      const keys = { one: `key-one-of-${number}`, two: `key-two-of-${number}` };
      const at = `/integration/${asked}`;
      const place = `location%5Bdirectory%5D=${encodeURIComponent(directory)}`;
      const connections = () =>
        server.request<Readonly<{ connections: readonly Readonly<{ label: string }>[] }>>('GET', `${at}?${place}`).then(
          (found) => found.connections.map(({ label }) => label),
          () => null,
        );
      if (isOwn) {
        await server.openProject(directory);
        await expect.poll(connections).toEqual([]);
        for (const label of ['two', 'one'] as const)
          await server.request('POST', `${at}/connect/key?${place}`, { body: { key: keys[label], label } });
      }
      const { id } = await server.createSession(directory);
      const ask = async (): Promise<string> => {
        const isEnd = (event: Readonly<{ type: string; properties: Readonly<Record<string, unknown>> }>) =>
          /^session\.execution\.(?:succeeded|failed)$/.test(event.type) && event.properties.sessionID === id;
        const ending = events.next(isEnd, 60_000);
        await server.prompt(id, 'go');
        await ending;
        await server.settled(id);
        return events.seen().findLast(isEnd)?.type.replace('session.execution.', '') ?? '';
      };
      const inUse = async () => (await connections())?.[0];
      return {
        lead,
        spare,
        id,
        keys,
        inUse,
        ask,
        said: async () => textsIn(await server.messages(id)).map((text) => text.trim()),
      };
    },
    async close() {
      await server.stop();
      await Promise.all([openai.close(), other.close()]);
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const WORDS = 'half an answer';
const SPENT: SocketStep = {
  kind: 'error',
  status: 429,
  error: { type: 'insufficient_quota', code: 'insufficient_quota', message: 'Spent' },
};
const FAULTS: readonly (readonly [string, SocketStep & Readonly<{ after?: string }>])[] = [
  ['is limited', LIMIT],
  [
    'has spent its quota',
    { kind: 'error', status: 429, error: { type: 'insufficient_quota', code: 'insufficient_quota', message: 'Spent' } },
  ],
  [
    'sends an error',
    { kind: 'error', status: 500, error: { type: 'server_error', code: 'server_error', message: 'Oops' } },
  ],
  ['says that its response failed', { kind: 'failed', code: 'server_error', message: 'Oops' }],
  ['falls silent', { kind: 'stall' }],
  ['is torn off', { kind: 'cut' }],
  ['is closed', { kind: 'cut', code: 1011 }],
];

/** The failures that `npm test` plays. */
const PLAYED: ReadonlySet<string> = new Set(['is limited before its first word']);

describe.skipIf(opencode2Binary().path === '')('given an OpenCode 2 that asks OpenAI over web sockets', () => {
  let two: Awaited<ReturnType<typeof openTwo>>;
  beforeAll(async () => {
    two = await openTwo();
  });
  afterAll(() => two?.close());

  it('when the lead answers twice, then both go over one socket, the second one with what is new alone', async () => {
    const { lead, ask, said } = await two.talk([{ kind: 'text', text: 'LEAD ANSWERS' }]);
    const before = two.openai.sockets();
    await ask();
    expect([await ask(), await said(), two.openai.sockets() - before]).toEqual([
      'succeeded',
      ['LEAD ANSWERS', 'LEAD ANSWERS'],
      1,
    ]);
    expect(two.openai.requests(lead).map(({ over, isContinued }) => [over, isContinued])).toEqual([
      ['socket', false],
      ['socket', true],
    ]);
  });

  for (const [what, step] of FAULTS)
    for (const when of ['before its first word', 'after words'] as const)
      it(`when the lead ${what} ${when}, then its understudy finishes the turn, and each was asked once`, {
        tags: PLAYED.has(`${what} ${when}`) ? [] : ['nightly'],
      }, async () => {
        const { lead, spare, ask, said } = await two.talk([when === 'after words' ? { ...step, after: WORDS } : step]);
        expect([await ask(), (await said()).at(-1)]).toEqual(['succeeded', 'UNDERSTUDY ANSWERS']);
        expect([two.openai.requests(lead).length, two.other.requests(spare).length]).toEqual([1, 1]);
        expect(await said()).toEqual(when === 'after words' ? [WORDS, 'UNDERSTUDY ANSWERS'] : ['UNDERSTUDY ANSWERS']);
      });

  it('when the lead ends a whole answer without a word, then its understudy gives one', {
    tags: ['nightly'],
  }, async () => {
    const { lead, ask, said } = await two.talk([{ kind: 'empty' }]);
    expect([await ask(), await said(), two.openai.requests(lead).length]).toEqual([
      'succeeded',
      ['UNDERSTUDY ANSWERS'],
      1,
    ]);
  });

  it('when the lead’s plan is said to be at 98 %, then the next turn is the understudy’s, and nobody was refused', async () => {
    const primary = { used_percent: 98, window_minutes: 300, reset_at: Math.round(Date.now() / 1_000) + 3_600 };
    const first = {
      ...{ type: 'codex.rate_limits', plan_type: 'plus', code_review_rate_limits: null },
      rate_limits: { allowed: true, limit_reached: false, primary, secondary: null },
    };
    const { lead, spare, ask, said } = await two.talk([{ kind: 'text', text: 'LEAD ANSWERS', first }]);
    expect([await ask(), await ask(), await said()]).toEqual([
      ...['succeeded', 'succeeded'],
      ['LEAD ANSWERS', 'UNDERSTUDY ANSWERS'],
    ]);
    expect([two.openai.requests(lead).length, two.other.requests(spare).length]).toEqual([1, 1]);
  });

  it('when the lead takes long over each word, then nobody disturbs it', { tags: ['nightly'] }, async () => {
    const { lead, spare, ask, said } = await two.talk([{ kind: 'text', text: 'one word after another', paceMs: 350 }]);
    expect([await ask(), await said()]).toEqual(['succeeded', ['one word after another']]);
    expect([two.openai.requests(lead).length, two.other.requests(spare).length]).toEqual([1, 0]);
  });

  it('when a person stops a lead that is silent, then the turn is over and nobody steps in', async () => {
    const { lead, spare, id } = await two.talk([{ kind: 'stall', after: WORDS }], { stallTimeoutMs: 60_000 });
    const of = (type: string) => (event: Readonly<{ type: string; properties: Readonly<Record<string, unknown>> }>) =>
      event.type === type && event.properties.sessionID === id;
    const said = two.events.next(of('session.text.started'), 60_000);
    const stopped = two.events.next(of('session.execution.interrupted'), 60_000);
    await two.server.prompt(id, 'go');
    await said;
    await two.server.request('POST', `/session/${id}/interrupt`);
    await stopped;
    await two.server.settled(id);
    expect([two.openai.requests(lead).length, two.other.requests(spare).length]).toEqual([1, 0]);
  });

  it('when the lead refuses the socket and then a request over HTTP, then its understudy finishes the turn', async () => {
    const { lead, ask, said } = await two.talk([{ kind: 'refused', status: 429, instead: LIMIT }]);
    expect([await ask(), await said()]).toEqual(['succeeded', ['UNDERSTUDY ANSWERS']]);
    expect(two.openai.requests(lead).map(({ over }) => over)).toEqual(['http']);
  });

  it('when nobody else can answer, then the turn ends with our sentence, and nobody is asked again', {
    tags: ['nightly'],
  }, async () => {
    const { lead, spare, ask, id } = await two.talk([LIMIT]);
    two.other.script(spare, [{ kind: 'status', status: 429 }]);
    expect(await ask()).toBe('failed');
    const failed = two.events
      .seen()
      .findLast((event) => event.type === 'session.execution.failed' && event.properties.sessionID === id);
    expect(failed?.properties.error).toMatchObject({
      message: expect.stringMatching(/all models of this chain are u\u2060?navailable/),
    });
    expect([two.openai.requests(lead).length, two.other.requests(spare).length]).toEqual([1, 1]);
  });

  it.each([
    ['yes', ['UNDERSTUDY ANSWERS'], 1],
    ['no', [], 0],
  ] as const)(
    'when the policy asks and the user says %s, then that is what happens, and the lead was asked once',
    { tags: ['nightly'] },
    async (word, said, asked) => {
      const talk = await two.talk([LIMIT], { policy: 'council', maxRetries: 0 });
      const asking = talk.ask();
      const put = await two.events.next(
        (event) => event.type === 'session.retry.scheduled' && event.properties.sessionID === talk.id,
        60_000,
      );
      expect(JSON.stringify(put.properties.error)).toContain('/yes');
      await two.server.request('POST', `/session/${talk.id}/command`, { body: { name: word, text: '' } });
      await asking;
      expect((await talk.said()).filter((text) => text === 'UNDERSTUDY ANSWERS')).toEqual(said);
      expect([two.openai.requests(talk.lead).length, two.other.requests(talk.spare).length]).toEqual([1, asked]);
    },
  );

  it('when another account of the lead may stand in, then it is asked over a socket of its own, and the user’s choice stays', {
    tags: ['nightly'],
  }, async () => {
    const talk = await two.talk([], {}, 'siblings');
    two.openai.script(talk.lead, ({ key }) => (key === talk.keys.one ? SPENT : { kind: 'text', text: 'TWO ANSWERS' }));
    expect([await talk.ask(), (await talk.said()).at(-1)]).toEqual(['succeeded', 'TWO ANSWERS']);
    expect([await talk.ask(), (await talk.said()).at(-1)]).toEqual(['succeeded', 'TWO ANSWERS']);
    const asked = two.openai.requests(talk.lead).map(({ over, key }) => [over, key === talk.keys.one ? 'one' : 'two']);
    expect([asked, await talk.inUse()]).toEqual([
      [
        ['socket', 'one'],
        ['socket', 'two'],
        ['socket', 'two'],
      ],
      'one',
    ]);
    expect(two.other.requests(talk.spare)).toEqual([]);
  });
});
