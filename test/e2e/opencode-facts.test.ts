import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type RecordedRequest,
  type ScriptedProvider,
  type ScriptedStep,
  startScriptedProvider,
  toolCallThen,
} from '../../src/demo/scripted-provider';
import {
  createSandbox,
  type OpencodeBinary,
  type OpencodeEvent,
  type OpencodeMessage,
  type OpencodeServer,
  runOpencode,
  type Sandbox,
  startOpencode,
  textOf,
} from '../../src/node/opencode';
import { FOUR_MODELS, ISSUE_7602, TRIAGE, TWELVE_MODELS } from '../core/config/published-designs';
import { markKnown } from '../support/known';
import { CUT_AFTER_MS } from '../support/matrix/row';
import { opencodeBinary } from '../support/opencode-binary';
import { providerConfig, type TestProviderId, testProviders } from '../support/opencode-provider-config';
import { lean } from '../support/stage';

/** One model per provider, plus the sub-agent's own. */
const models = {
  alpha: ['alpha-one', 'alpha-helper'],
  beta: ['beta-one'],
  claude: ['claude-one'],
  oai: ['oai-one'],
  gem: ['gem-one'],
  router: ['maker/router-one'],
} as const satisfies Record<TestProviderId, readonly string[]>;

let binary: OpencodeBinary;
let provider: ScriptedProvider;
let root: string;
let sandbox: Sandbox;
let server: OpencodeServer;
let plainDirectory: string;

beforeAll(async () => {
  binary = await opencodeBinary();
  provider = await startScriptedProvider();
  root = await mkdtemp(join(tmpdir(), 'understudy-facts-'));
  sandbox = await lean(
    await createSandbox({
      root,
      git: true,
      files: { 'README.md': '# A project\n' },
      config: {
        model: 'alpha/alpha-one',
        provider: providerConfig(provider.url, models),
        agent: {
          helper: {
            mode: 'subagent',
            description: 'Answers one question',
            model: 'alpha/alpha-helper',
            prompt: 'Help.',
          },
        },
      },
    }),
  );
  plainDirectory = await sandbox.addProject('plain', { git: false });
  server = await startOpencode({ binary, sandbox });
});

afterAll(async () => {
  await server?.stop();
  await provider?.close();
  if (root !== undefined) await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

beforeEach(() => provider.clear());

/** The parts a turn is judged by: whether a snapshot was taken, and how the step ended. */
function stepParts(message: OpencodeMessage): unknown {
  return message.parts
    .filter(({ type }) => type === 'step-start' || type === 'step-finish')
    .map(({ type, snapshot }) => ({ type, hasSnapshot: typeof snapshot === 'string' }));
}

/** True if the OpenCode that is looked at is this release or a later one: some facts came with a release. */
const isSince = (release: string): boolean => binary.version.localeCompare(release, 'en', { numeric: true }) >= 0;

describe('given a git repository with snapshots on and no plugin', () => {
  for (const id of Object.keys(testProviders) as TestProviderId[]) {
    const { wire } = testProviders[id];
    it(`when the model of ${id} answers over the ${wire} wire, then OpenCode stores the answer and its usage`, async () => {
      const model = models[id][0];
      provider.script(model, [
        { kind: 'text', text: `This is ${model}, over here.`, usage: { inputTokens: 321, outputTokens: 12 } },
      ]);
      const session = await server.createSession(sandbox.directory);

      const answer = await server.prompt(session, { agent: 'build', text: 'Who is there?', model: `${id}/${model}` });

      expect({
        text: textOf(answer),
        finish: answer.info.finish,
        answeredBy: `${answer.info.providerID}/${answer.info.modelID}`,
        tokens: answer.info.tokens,
        wires: provider.requests().map((request) => request.wire),
        steps: stepParts(answer),
      }).toEqual({
        text: `This is ${model}, over here.`,
        finish: 'stop',
        answeredBy: `${id}/${model}`,
        tokens: expect.objectContaining({ input: 321, output: 12 }),
        wires: [wire],
        steps: [
          { type: 'step-start', hasSnapshot: true },
          { type: 'step-finish', hasSnapshot: true },
        ],
      });
    });
  }

  it('when the provider answers 401, then the turn stops with an APIError after one request', async () => {
    provider.script('alpha-one', [{ kind: 'status', status: 401 }]);
    const session = await server.createSession(sandbox.directory);

    const answer = await server.prompt(session, { text: 'Who is there?' });

    expect(answer.info.error).toMatchObject({ name: 'APIError', data: { statusCode: 401, isRetryable: false } });
    expect(provider.requests()).toHaveLength(1);
  });

  it('when the model calls the write tool, then the file is written and the turn goes on to its text', async () => {
    const filePath = join(sandbox.directory, 'notes.txt');
    provider.script(
      'alpha-one',
      toolCallThen('write', { filePath, content: 'from the tool\n' }, { kind: 'text', text: 'Written.' }),
    );
    const session = await server.createSession(sandbox.directory);

    const answer = await server.prompt(session, { text: 'Write a note' });

    expect(textOf(answer)).toBe('Written.');
    expect(await readFile(filePath, 'utf8')).toBe('from the tool\n');
    expect(provider.requests()).toHaveLength(2);
  });

  it('when the model calls the task tool, then the sub-agent asks its own model and the parent gets its answer', async () => {
    const task = { description: 'One question', prompt: 'What is six times seven?', subagent_type: 'helper' };
    provider.script('alpha-one', toolCallThen('task', task, { kind: 'text', text: 'The helper knows.' }));
    provider.script('alpha-helper', [{ kind: 'text', text: 'It is forty-two.' }]);
    const session = await server.createSession(sandbox.directory);

    const answer = await server.prompt(session, { text: 'Ask the helper' });
    const children = await server.request<{ parentID: string }[]>('GET', `/session/${session.id}/children`, {
      directory: sandbox.directory,
    });

    expect(textOf(answer)).toBe('The helper knows.');
    expect(provider.requests().map(({ model }) => model)).toEqual(['alpha-one', 'alpha-helper', 'alpha-one']);
    expect(JSON.stringify(provider.requests('alpha-one')[1]?.body)).toContain('It is forty-two.');
    expect(children.map(({ parentID }) => parentID)).toEqual([session.id]);
  });

  const failures: readonly (readonly [string, ScriptedStep, string])[] = [
    ['the provider answers 429', { kind: 'status', status: 429 }, ''],
    ['the stream is cut after two words', { kind: 'cut', text: 'two words', afterMs: CUT_AFTER_MS }, 'two words'],
  ];
  for (const [name, step, keptText] of failures) {
    it(`when ${name}, then OpenCode announces its own retry and keeps "${keptText}"`, async () => {
      // Should the retry come before the abort, nothing that it says stands beside what was kept.
      provider.script('alpha-one', [step, { kind: 'hang' }]);
      const session = await server.createSession(sandbox.directory);
      const events = await server.events(sandbox.directory);

      await server.promptAsync(session, { text: 'Who is there?' });
      // What is found together with the end of its connection is lost: it is cut once OpenCode shows what came over it.
      const isShown = ({ type, properties }: OpencodeEvent) =>
        type.startsWith('message.part') && JSON.stringify(properties).includes('words');
      if (keptText) await events.waitFor(isShown);
      provider.release('alpha-one');
      const retry = await events.waitFor(({ type, properties }) => {
        const status = properties.status as { type?: string } | undefined;
        return type === 'session.status' && properties.sessionID === session.id && status?.type === 'retry';
      });
      events.close();
      await server.abort(session);

      expect(retry.properties.status).toMatchObject({ type: 'retry', attempt: 1 });
      // The abort is answered before OpenCode has written down what had come by then.
      const answers = async () => (await server.messages(session)).filter(({ info }) => info.role === 'assistant');
      await expect.poll(async () => (await answers()).map(textOf)).toEqual([keptText]);
    });
  }

  it('when a stream ends without a reason, then no error is told and the same model is asked again and again', async ({
    task,
  }) => {
    provider.script('alpha-one', [{ kind: 'emptyBody' }]);
    const session = await server.createSession(sandbox.directory);
    const events = await server.events(sandbox.directory);
    const isOf = (type: string) => (event: OpencodeEvent) =>
      event.type === type && event.properties.sessionID === session.id;

    await server.promptAsync(session, { text: 'Who is there?' });
    if (isSince('1.18.21')) {
      await provider.waitForRequest(() => provider.requests('alpha-one').length >= 4);
    } else {
      markKnown(task, 'Until 1.18.20 the turn ends there, after one request and without a word.');
      await events.waitFor(isOf('session.idle'));
      expect(provider.requests('alpha-one')).toHaveLength(1);
    }

    expect(events.seen().filter(isOf('session.error'))).toEqual([]);
    events.close();
    await server.abort(session);
  });

  it('when the user aborts a request that hangs, then OpenCode closes its connection', async () => {
    provider.script('alpha-one', [{ kind: 'hang' }]);
    const session = await server.createSession(sandbox.directory);
    await server.promptAsync(session, { text: 'Who is there?' });
    await provider.waitForRequest(({ model }) => model === 'alpha-one');

    await server.abort(session);

    const request = await provider.waitForRequest(({ aborted }) => aborted);
    expect(request).toMatchObject({ model: 'alpha-one', aborted: true, respondedAt: null });
  });
});

describe('given what the switch in flight rests on', () => {
  type Listed = { providers: { id: string; models: Record<string, unknown> }[] };
  const path = (session: { id: string }, rest = ''): string => `/session/${session.id}${rest}`;
  const directoryOf = () => ({ directory: sandbox.directory });
  const textPart = (text: string) => ({ type: 'text', text });

  it('when a message is sent again without parts and without a reply, then its model changes, its parts stay and nobody is asked', async () => {
    const session = await server.createSession(sandbox.directory);
    const first = { noReply: true, model: { providerID: 'alpha', modelID: 'alpha-one' }, parts: [textPart('Hello')] };
    const sent = await server.request<OpencodeMessage>('POST', path(session, '/message'), {
      ...directoryOf(),
      body: first,
    });
    const again = {
      ...first,
      messageID: sent.info.id,
      model: { providerID: 'nobody', modelID: 'not/known' },
      parts: [],
    };
    await server.request('POST', path(session, '/message'), { ...directoryOf(), body: again });

    const messages = await server.messages(session);

    expect([messages.length, messages[0]?.info.model, messages[0] && textOf(messages[0])]).toEqual([
      1,
      { providerID: 'nobody', modelID: 'not/known' },
      'Hello',
    ]);
    expect(provider.requests()).toEqual([]);
  });

  it('when a message is sent without a reply after an undo, then what was undone is gone for good', async () => {
    provider.script('alpha-one', [{ kind: 'text', text: 'Done.' }]);
    const session = await server.createSession(sandbox.directory);
    const answer = await server.prompt(session, { text: 'Do it' });
    const [user] = await server.messages(session);
    await server.request('POST', path(session, '/revert'), { ...directoryOf(), body: { messageID: user?.info.id } });
    const updated = await server.request<{ revert?: unknown }>('GET', path(session), directoryOf());

    await server.request('POST', path(session, '/message'), {
      ...directoryOf(),
      body: { noReply: true, parts: [textPart('Another')] },
    });

    expect(updated.revert).toMatchObject({ messageID: user?.info.id });
    expect((await server.messages(session)).some(({ info }) => info.id === answer.info.id)).toBe(false);
  });

  it('when a message is deleted, then that is refused while its session works and done when it rests', async () => {
    provider.script('alpha-one', [{ kind: 'hang' }]);
    const session = await server.createSession(sandbox.directory);
    await server.promptAsync(session, { text: 'Who is there?' });
    await provider.waitForRequest(({ model }) => model === 'alpha-one');
    const [user] = await server.messages(session);
    const remove = () => server.request('DELETE', path(session, `/message/${user?.info.id}`), directoryOf());

    await expect(remove()).rejects.toThrow(/409|busy/i);
    await server.abort(session);
    await expect
      .poll(() =>
        remove().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  });

  it('when a session has a parent, then it is no root, answers as an agent of OpenCode’s own with no tool, and goes', async () => {
    provider.script('alpha-one', [{ kind: 'text', text: 'A title' }]);
    const parent = await server.createSession(sandbox.directory);
    const child = await server.createSession(sandbox.directory, { parentID: parent.id, title: 'Beside' });
    const roots = await server.request<{ id: string }[]>('GET', '/session?roots=true', directoryOf());
    const answer = await server.request<OpencodeMessage>('POST', path(child, '/message'), {
      ...directoryOf(),
      body: {
        agent: 'compaction',
        model: { providerID: 'alpha', modelID: 'alpha-one' },
        tools: { '*': false },
        parts: [textPart('Sum it up')],
      },
    });
    await server.request('DELETE', path(child), directoryOf());

    expect([textOf(answer), ...[parent, child].map(({ id }) => roots.some((root) => root.id === id))]).toEqual([
      'A title',
      true,
      false,
    ]);
    expect(provider.requests()[0]?.body).not.toHaveProperty('tools');
    expect(await server.request('GET', path(parent, '/children'), directoryOf())).toEqual([]);
  });

  it('when it lists its models, then each says its size, what it reads, whether it uses tools, and its price', async () => {
    const { providers } = await server.request<Listed>('GET', '/config/providers', directoryOf());

    expect(providers.find(({ id }) => id === 'alpha')?.models['alpha-one']).toMatchObject({
      limit: { context: expect.any(Number) },
      capabilities: { toolcall: expect.any(Boolean), input: { image: expect.any(Boolean) } },
      cost: { input: expect.any(Number), output: expect.any(Number) },
    });
  });
});

describe('given a second project directory, no git repository, in the same server', () => {
  it('when it gets a prompt, then it answers there and the first project hears nothing of it', async () => {
    provider.script('beta-one', [{ kind: 'text', text: 'From the plain one.' }]);
    const firstProject = await server.events(sandbox.directory);
    const session = await server.createSession(plainDirectory);

    const answer = await server.prompt(session, { text: 'Where are you?', model: 'beta/beta-one' });

    expect(textOf(answer)).toBe('From the plain one.');
    expect(session.directory).toBe(plainDirectory);
    expect(JSON.stringify(firstProject.seen())).not.toContain(session.id);
    firstProject.close();
  });
});

describe('given opencode run', () => {
  it('when the model answers, then the answer is printed and the exit code is 0', { tags: ['nightly'] }, async () => {
    provider.script('alpha-one', [{ kind: 'text', text: 'Printed for you.' }]);

    const result = await runOpencode({ binary, sandbox, directory: sandbox.directory, args: ['Who is there?'] });

    expect({ exitCode: result.exitCode, stdout: result.stdout.trim() }).toEqual({
      exitCode: 0,
      stdout: 'Printed for you.',
    });
  });
});

describe('given a project whose opencode.json holds keys that OpenCode does not know', () => {
  const starts = async (name: string, text: string): Promise<boolean> => {
    const directory = await sandbox.addProject(name, { git: false, files: { 'opencode.json': text } });
    return server.createSession(directory).then(
      () => true,
      () => false,
    );
  };

  for (const [name, text] of [
    ['four', FOUR_MODELS],
    ['twelve', TWELVE_MODELS],
    ['triage', TRIAGE],
    ['issue-7602', ISSUE_7602],
  ] as const)
    it(`when it is the published design ${name}, then it starts since 1.18.33, and not before`, {
      tags: name === 'four' ? [] : ['nightly'],
    }, async () => {
      expect(await starts(name, text)).toBe(isSince('1.18.33'));
    });

  it('when an object is the model under agent, then it does not start', async () => {
    expect(await starts('object-as-model', ISSUE_7602.replace('"agents"', '"agent"'))).toBe(false);
  });
});

describe('given an agent that may take 3 steps', () => {
  it('when a request is limited, then OpenCode’s own retry takes none of them', { tags: ['nightly'] }, async () => {
    const config = JSON.stringify({ agent: { build: { steps: 3 } } });
    const directory = await sandbox.addProject('steps', { git: false, files: { 'opencode.json': config } });
    const read = { kind: 'toolCall', name: 'read', arguments: { filePath: 'README.md' } } as const;
    const limited = { kind: 'status', status: 429, headers: { 'retry-after-ms': '50' } } as const;
    provider.script('alpha-one', [read, limited, read, { kind: 'text', text: 'Done.' }]);
    const session = await server.createSession(directory);

    await server.prompt(session, { agent: 'build', text: 'Read it twice' });

    const isToldLast = ({ body }: RecordedRequest) => JSON.stringify(body).includes('MAXIMUM STEPS REACHED');
    expect(provider.requests('alpha-one').map(isToldLast)).toEqual([false, false, false, true]);
  });
});
