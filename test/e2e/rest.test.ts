import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OpencodeMessage, OpencodeSession } from '../../src/node/opencode';
import { runOpencode } from '../../src/node/opencode';
import { textOf } from '../support/said';
import { sharedStage } from '../support/shared-stage';
import type { Stage } from '../support/stage';

let stage: Stage;

beforeAll(async () => {
  stage = await sharedStage();
});
afterAll(() => stage?.close());
beforeEach(() => stage.provider.clear());

const LIMITED = { kind: 'status', status: 429 } as const;
const UNAVAILABLE = { kind: 'status', status: 503 } as const;
const ANSWER = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;
/** Long enough that no model comes back while a test runs. */
const LASTING = { cooldownMs: 600_000, retryOriginalAfterMs: 600_000, restMs: 600_000 } as const;

const namesOf = (message: OpencodeMessage): string =>
  `${message.info.model?.providerID}/${message.info.model?.modelID}`;

/** The models the stored user messages name, oldest first. */
async function namedIn(session: OpencodeSession): Promise<readonly string[]> {
  const messages = await stage.server.messages(session);
  return messages.filter(({ info }) => info.role === 'user').map(namesOf);
}

/**
 * Waits until every user message names this model. Each is written by itself, and a stale copy of OpenCode's may come
 * between: what one look saw of the last of them, the next need not see of all.
 */
async function untilAllName(session: OpencodeSession, model: string, messages = 1): Promise<void> {
  await expect.poll(() => namedIn(session)).toEqual(Array(messages).fill(model));
}

async function sessionModel({ id, directory }: OpencodeSession): Promise<string> {
  const { model } = await stage.server.request<{ model: { id: string; providerID: string } }>('GET', `/session/${id}`, {
    directory,
  });
  return `${model.providerID}/${model.id}`;
}

describe('given a turn that an understudy has finished', () => {
  it('when the session rests, then its message names the lead again, the answer its speaker, and nobody was asked for it', async () => {
    const { provider, server } = stage;
    const { directory, ids, chain } = await stage.makeCase({ models: 3, defaults: LASTING });
    provider.script(ids[0] ?? '', [LIMITED]);
    provider.script(ids[1] ?? '', [UNAVAILABLE]);
    provider.script(ids[2] ?? '', [ANSWER]);
    const session = await server.createSession(directory);
    const answer = await server.prompt(session, { text: 'One' });
    await untilAllName(session, chain[0] ?? '');
    const messages = await server.messages(session);
    expect({
      answeredBy: `${answer.info.providerID}/${answer.info.modelID}`,
      texts: messages.map((message) => [message.info.role, textOf(message)]),
      sessionModel: await sessionModel(session),
      requests: provider.requests().length,
    }).toEqual({
      answeredBy: chain[2],
      texts: [
        ['user', 'One'],
        ['assistant', ANSWER.text],
      ],
      sessionModel: chain[0],
      requests: 3,
    });
  });

  it('when its lead is back, then a message that names no model goes to the lead', { tags: ['nightly'] }, async () => {
    const { provider, server } = stage;
    const { directory, ids, chain } = await stage.makeCase({ models: 3 });
    provider.script(ids[0] ?? '', [UNAVAILABLE, { kind: 'text', text: 'LEAD ANSWERS' }]);
    provider.script(ids[1] ?? '', [UNAVAILABLE]);
    provider.script(ids[2] ?? '', [ANSWER]);
    const session = await server.createSession(directory);
    await server.prompt(session, { text: 'One' });
    // The rest after a failure is 3 s here.
    const app = await stage.openApp();
    const isBack = (row: { model: string; failed: number; state: string }): boolean =>
      row.model === chain[0] && row.failed === 1 && row.state === 'degraded';
    await app.until((seen) => seen.models.some(isBack));
    await app.close();
    const answer = await server.prompt(session, { text: 'Two' });
    expect([textOf(answer), ...ids.map((id) => provider.requests(id).length)]).toEqual(['LEAD ANSWERS', 2, 1, 1]);
  });

  it('when a message is redirected before it is sent, then it too names the lead afterwards', {
    tags: ['nightly'],
  }, async () => {
    const { provider, server } = stage;
    const { directory, ids, chain } = await stage.makeCase({ defaults: LASTING });
    provider.script(ids[0] ?? '', [LIMITED]);
    provider.script(ids[1] ?? '', [ANSWER]);
    const session = await server.createSession(directory);
    await server.prompt(session, { text: 'One' });
    const answer = await server.prompt(session, { text: 'Two' });
    await untilAllName(session, chain[0] ?? '', 2);
    expect([answer.info.modelID, provider.requests(ids[0]).length]).toEqual([ids[1], 1]);
  });

  it('when the user undoes it and brings it back, then message and answer are as they were', async () => {
    const { provider, server } = stage;
    const { directory, ids, chain } = await stage.makeCase({ defaults: LASTING });
    provider.script(ids[0] ?? '', [LIMITED]);
    provider.script(ids[1] ?? '', [ANSWER]);
    const session = await server.createSession(directory);
    await server.prompt(session, { text: 'One' });
    await untilAllName(session, chain[0] ?? '');
    // OpenCode adds its summary of the changes when it comes to it. Whom the message names is looked at by itself: it was the
    // lead before the turn was moved, and is again once the session rests.
    const read = async () =>
      (await server.messages(session)).map(({ info, parts }) => ({
        info: { ...info, summary: null, ...(info.role === 'user' ? { model: null } : {}) },
        parts,
      }));
    const before = await read();
    const path = `/session/${session.id}`;
    const reverted = await server.request<{ revert?: { messageID: string } }>('POST', `${path}/revert`, {
      directory,
      body: { messageID: before[0]?.info.id },
    });
    await server.request('POST', `${path}/unrevert`, { directory });
    expect([reverted.revert?.messageID, await read()]).toEqual([before[0]?.info.id, before]);
    await untilAllName(session, chain[0] ?? '');
  });

  it('when `opencode run` ends, then the stored message names the lead', { tags: ['nightly'] }, async () => {
    const { provider, server, binary, sandbox, home } = stage;
    const { directory, ids, chain } = await stage.makeCase({ defaults: LASTING });
    provider.script(ids[0] ?? '', [LIMITED]);
    provider.script(ids[1] ?? '', [ANSWER]);
    await runOpencode({ binary, sandbox, directory, args: ['One'], env: { UNDERSTUDY_HOME: home } });
    const [session] = await server.request<OpencodeSession[]>('GET', '/session', { directory });
    expect(session && (await namedIn(session))).toEqual([chain[0]]);
  });
});

describe('given messages that are sent while the first is still being answered', () => {
  it('when its model then fails, then all of them move on, the last is answered, and only answers stay', async () => {
    const { provider, server } = stage;
    const { directory, ids, chain } = await stage.makeCase({ defaults: { ...LASTING, firstTokenTimeoutMs: 4_000 } });
    const [lead = '', understudy = ''] = ids;
    provider.script(lead, [{ kind: 'hang' }]);
    provider.script(understudy, [ANSWER]);
    const session = await server.createSession(directory);
    const first = server.prompt(session, { text: 'One' });
    await provider.waitForRequest(({ model }) => model === lead);
    const second = server.prompt(session, { text: 'Two' });
    const third = server.prompt(session, { text: 'Three' });
    const answers = await Promise.all([first, second, third]);
    await untilAllName(session, chain[0] ?? '', 3);
    const messages = await server.messages(session);
    expect({
      answers: answers.map(textOf),
      texts: messages.map((message) => [message.info.role, textOf(message)]),
      requests: ids.map((id) => provider.requests(id).length),
      sessionModel: await sessionModel(session),
    }).toEqual({
      answers: [ANSWER.text, ANSWER.text, ANSWER.text],
      texts: [
        ['user', 'One'],
        ['user', 'Two'],
        ['user', 'Three'],
        ['assistant', ANSWER.text],
      ],
      requests: [1, 1],
      sessionModel: chain[0],
    });
  });

  it('when one of them names another model, then that one is left alone', async () => {
    const { provider, server } = stage;
    const { directory, ids, chain } = await stage.makeCase({
      models: 3,
      defaults: { ...LASTING, firstTokenTimeoutMs: 4_000 },
    });
    const [lead = '', understudy = '', chosen = ''] = ids;
    provider.script(lead, [{ kind: 'hang' }]);
    provider.script(understudy, [ANSWER]);
    provider.script(chosen, [{ kind: 'text', text: 'CHOSEN ANSWERS' }]);
    const session = await server.createSession(directory);
    const first = server.prompt(session, { text: 'One' });
    await provider.waitForRequest(({ model }) => model === lead);
    const second = server.prompt(session, { text: 'Two', model: chain[2] ?? '' });
    const answers = await Promise.all([first, second]);
    expect([answers.map(textOf), provider.requests(understudy).length]).toEqual([
      ['CHOSEN ANSWERS', 'CHOSEN ANSWERS'],
      0,
    ]);
    await expect.poll(() => namedIn(session)).toEqual([chain[0], chain[2]]);
  });
});
