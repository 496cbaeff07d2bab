import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type OpencodeSession, runOpencode, startOpencode, textOf } from '../../src/node/opencode';
import { builtPlugin } from '../support/built-companion';
import { sharedStage } from '../support/shared-stage';
import { openStage, type Stage } from '../support/stage';

let stage: Stage;

/** A stage whose OpenCode the companion has never met. */
async function openStrange(...options: Parameters<typeof openStage>): Promise<Stage> {
  const opened = await openStage(...options);
  await rm(join(opened.home, 'self-test.json'));
  return opened;
}

const ANSWER = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;
const REFUSED = { kind: 'status', status: 401 } as const;
const LASTING = { cooldownMs: 600_000, retryOriginalAfterMs: 600_000 } as const;
/** A proof is begun a second after a start, and takes some on a busy machine. */
const PATIENT = { timeout: 150_000 } as const;
/** How often is looked for what a proof has found, in ms, and how many looks it has to find something. */
const LOOK = { interval: 500, most: 80 } as const;

type Verdict = { opencode: string; broken: string[] };

/** What has been found out, once it has. */
async function verdict(about: Stage): Promise<Verdict[]> {
  const { home, binary } = about;
  let looks = 0;
  const read = async () => {
    // A proof that a busy machine made late has shown nothing: the next project that is opened begins one more.
    if (++looks % LOOK.most === 0) await openAnother(about);
    return await readFile(join(home, 'self-test.json'), 'utf8').catch(() => null);
  };
  await expect.poll(read, { ...PATIENT, interval: LOOK.interval }).not.toBeNull();
  const { tested } = JSON.parse((await read()) ?? '{}') as { tested: Verdict[] };
  return tested.filter(({ opencode }) => opencode === binary.version);
}

async function openAnother({ makeCase, server }: Stage): Promise<void> {
  const { directory } = await makeCase();
  // Where this OpenCode was killed, another one has the home.
  await server.request('GET', '/session', { directory }).catch(() => undefined);
}

const sessionsOf = ({ server }: Stage, directory: string) =>
  server.request<OpencodeSession[]>('GET', '/session', { directory });
const proofsIn = ({ home }: Stage): Promise<string[]> => readdir(join(home, 'proofs')).catch(() => []);

/** What the conversation holds: who said it, and the text or the error. */
async function history({ server }: Stage, session: OpencodeSession): Promise<string[]> {
  const messages = await server.messages(session);
  return messages.map((message) => `${message.info.role}: ${textOf(message) || message.info.error?.name || ''}`);
}

describe('given an OpenCode that the companion has never met', () => {
  beforeEach(async () => {
    stage = await openStrange();
  });
  afterEach(() => stage?.close());

  for (const [models, options, tags] of [
    ['models of two providers', {}, []],
    ['models of one provider', { ofLeadAt: 1 }, ['nightly']],
  ] as const)
    it(`when it starts with ${models}, then a switch is proved before any message, no provider is asked, and only the result stays`, {
      tags: [...tags],
    }, async () => {
      const { provider, server } = stage;
      const { directory } = await stage.makeCase(options);
      const app = await stage.openApp();
      const stream = await server.events(directory);
      const found = await verdict(stage);
      await expect.poll(() => proofsIn(stage)).toEqual([]);
      const { sessions, events } = await app.snapshot();
      await app.close();
      const toasts = stream.seen().filter(({ type }) => type === 'tui.toast.show');
      const errors = stream.seen().filter(({ type }) => type === 'session.error');
      stream.close();
      expect({
        found: found.map(({ broken }) => broken),
        requests: provider.requests().length,
        left: await sessionsOf(stage, directory),
        ...{ errors, toasts, shown: sessions, told: events.filter(({ agent }) => agent !== null) },
      }).toEqual({ found: [[]], requests: 0, left: [], errors: [], toasts: [], shown: [], told: [] });
    });

  it('when it is killed in the middle of that, then its session is gone after the next start', {
    tags: ['nightly'],
  }, async () => {
    const { server, binary, sandbox, home } = stage;
    const { directory } = await stage.makeCase();
    await server.request('GET', '/session', { directory });
    await expect.poll(() => proofsIn(stage), { ...PATIENT, interval: 5 }).toHaveLength(1);
    await expect.poll(() => sessionsOf(stage, directory), { interval: 5 }).not.toEqual([]);
    await server.stop(0);
    const again = await startOpencode({ binary, sandbox, env: { UNDERSTUDY_HOME: home } });
    const left = () => again.request<OpencodeSession[]>('GET', '/session', { directory });
    await left();
    await verdict(stage);
    await expect.poll(() => proofsIn(stage)).toEqual([]);
    expect(await left()).toEqual([]);
    await again.stop();
  });
});

describe('given an OpenCode that the companion has never met', () => {
  it('when its first turn under `opencode run` fails, then the switch itself is the proof', {
    tags: ['nightly'],
  }, async () => {
    const shared = await sharedStage();
    onTestFinished(shared.close);
    // Nothing but the state home is strange to it.
    const home = join(shared.sandbox.root, 'strange');
    const stage = { ...shared, home };
    const { provider, binary, sandbox } = stage;
    const { directory, ids } = await stage.makeCase();
    provider.script(ids[0] ?? '', [REFUSED]);
    provider.script(ids[1] ?? '', [ANSWER]);
    const run = await runOpencode({ binary, sandbox, directory, args: ['One'], env: { UNDERSTUDY_HOME: home } });
    expect([run.exitCode, run.stdout.includes(ANSWER.text), ids.map((id) => provider.requests(id).length)]).toEqual([
      0,
      true,
      [1, 1],
    ]);
    expect([(await verdict(stage)).map(({ broken }) => broken), await proofsIn(stage)]).toEqual([[[]], []]);
  });
});

describe('given an OpenCode in which a running turn keeps its model', { tags: ['nightly'] }, () => {
  beforeAll(async () => {
    const stubborn = join(import.meta.dirname, '..', 'support', 'stubborn-plugin.mjs');
    stage = await openStrange([builtPlugin(), stubborn], { STUBBORN: 'busy' });
  });
  afterAll(() => stage?.close());

  it('when the lead fails, then the turn ends, the next model answers the same message, and the user is told how', async () => {
    const { provider, server } = stage;
    const { directory, ids, chain } = await stage.makeCase({ models: 3, defaults: LASTING });
    const stream = await server.events(directory);
    expect((await verdict(stage)).map(({ broken }) => broken)).toEqual([['moves']]);
    expect(JSON.stringify(stream.seen())).not.toContain('This is a check.');
    provider.script(ids[0] ?? '', [REFUSED]);
    provider.script(ids[1] ?? '', [REFUSED]);
    provider.script(ids[2] ?? '', [ANSWER]);
    const session = await server.createSession(directory);
    await server.promptAsync(session, { text: 'One' });
    const toast = await stream.waitFor((event) => JSON.stringify(event).includes('running turn'));
    await expect.poll(() => history(stage, session), PATIENT).toEqual(['user: One', `assistant: ${ANSWER.text}`]);
    stream.close();
    const home = () =>
      server
        .messages(session)
        .then(([message]) => `${message?.info.model?.providerID}/${message?.info.model?.modelID}`);
    await expect.poll(home).toBe(chain[0]);
    expect([toast.type, ids.map((id) => provider.requests(id).length)]).toEqual(['tui.toast.show', [1, 1, 1]]);
  });

  it('when a tool has run in the turn, then its error stays, and the next message goes to a model that is well', async () => {
    const { provider, server } = stage;
    const { directory, ids } = await stage.makeCase({ defaults: LASTING });
    await server.request('GET', '/session', { directory });
    await verdict(stage);
    const call = { filePath: join(directory, 'made.txt'), content: 'made' };
    provider.script(ids[0] ?? '', [{ kind: 'toolCall', name: 'write', arguments: call }, REFUSED]);
    provider.script(ids[1] ?? '', [ANSWER]);
    const session = await server.createSession(directory);
    const first = await server.prompt(session, { text: 'One' });
    const second = await server.prompt(session, { text: 'Two' });
    expect([first.info.error?.name, textOf(second), ids.map((id) => provider.requests(id).length)]).toEqual([
      'APIError',
      ANSWER.text,
      [2, 1],
    ]);
  });
});

describe('given an OpenCode in which messages cannot be pointed elsewhere', { tags: ['nightly'] }, () => {
  beforeEach(async () => {
    const stubborn = join(import.meta.dirname, '..', 'support', 'stubborn-plugin.mjs');
    stage = await openStrange([builtPlugin(), stubborn], { STUBBORN: 'always' });
  });
  afterEach(() => stage?.close());

  it('when the lead fails, then its error passes, the user is told why, and the next message goes to the understudy', async () => {
    const { provider, server } = stage;
    const { directory, ids } = await stage.makeCase({ defaults: LASTING });
    const stream = await server.events(directory);
    expect((await verdict(stage)).map(({ broken }) => broken)).toEqual([['moves', 'asks']]);
    expect(JSON.stringify(stream.seen())).not.toContain('This is a check.');
    provider.script(ids[0] ?? '', [REFUSED]);
    provider.script(ids[1] ?? '', [ANSWER]);
    const session = await server.createSession(directory);
    const first = await server.prompt(session, { text: 'One' });
    const toast = await stream.waitFor(({ type }) => type === 'tui.toast.show');
    stream.close();
    const second = await server.prompt(session, { text: 'Two' });
    expect([
      JSON.stringify(first.info.error),
      JSON.stringify(toast),
      textOf(second),
      ...ids.map((id) => provider.requests(id).length),
    ]).toEqual([
      expect.stringContaining('"statusCode":401'),
      expect.stringContaining('cannot point a message at another model'),
      ANSWER.text,
      1,
      1,
    ]);
  });
});
