import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ScriptedProvider,
  type ScriptedStep,
  startScriptedProvider,
  toolCallThen,
} from '../../src/cli/demo/scripted-provider';
import {
  createSandbox,
  type OpencodeBinary,
  type OpencodeMessage,
  type OpencodeServer,
  PINNED_OPENCODE_VERSION,
  runOpencode,
  type Sandbox,
  startOpencode,
  textOf,
} from '../../src/node/opencode';
import { opencodeBinary } from '../support/opencode-binary';
import { providerConfig, type TestProviderId, testProviders } from '../support/opencode-provider-config';

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
  sandbox = await createSandbox({
    root,
    git: true,
    files: { 'README.md': '# A project\n' },
    config: {
      model: 'alpha/alpha-one',
      provider: providerConfig(provider.url, models),
      agent: {
        helper: { mode: 'subagent', description: 'Answers one question', model: 'alpha/alpha-helper', prompt: 'Help.' },
      },
    },
  });
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

describe('given the OpenCode the product is measured on', () => {
  it('when it is asked for its version, then it is the pinned one', () => {
    expect(binary.version).toBe(PINNED_OPENCODE_VERSION);
  });
});

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
    ['the stream is cut after two words', { kind: 'cut', text: 'two words' }, 'two words'],
  ];
  for (const [name, step, keptText] of failures) {
    it(`when ${name}, then OpenCode announces its own retry and keeps "${keptText}"`, async () => {
      provider.script('alpha-one', [step]);
      const session = await server.createSession(sandbox.directory);
      const events = await server.events(sandbox.directory);

      await server.promptAsync(session, { text: 'Who is there?' });
      const retry = await events.waitFor(({ type, properties }) => {
        const status = properties.status as { type?: string } | undefined;
        return type === 'session.status' && properties.sessionID === session.id && status?.type === 'retry';
      });
      events.close();
      await server.abort(session);
      const answer = (await server.messages(session)).find(({ info }) => info.role === 'assistant');

      expect(retry.properties.status).toMatchObject({ type: 'retry', attempt: 1 });
      expect(answer === undefined ? null : textOf(answer)).toBe(keptText);
    });
  }

  it('when a stream ends empty, then OpenCode asks the same model again and again until it is aborted', async () => {
    provider.script('alpha-one', [{ kind: 'emptyBody' }]);
    const session = await server.createSession(sandbox.directory);

    await server.promptAsync(session, { text: 'Who is there?' });
    await provider.waitForRequest(() => provider.requests('alpha-one').length >= 4);

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
  it('when the model answers, then the answer is printed and the exit code is 0', async () => {
    provider.script('alpha-one', [{ kind: 'text', text: 'Printed for you.' }]);

    const result = await runOpencode({ binary, sandbox, directory: sandbox.directory, args: ['Who is there?'] });

    expect({ exitCode: result.exitCode, stdout: result.stdout.trim() }).toEqual({
      exitCode: 0,
      stdout: 'Printed for you.',
    });
  });
});
