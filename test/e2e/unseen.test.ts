import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OpencodeSession, runOpencode, textOf } from '../../src/node/opencode';
import { sharedStage } from '../support/shared-stage';
import type { Stage } from '../support/stage';

let stage: Stage;

beforeAll(async () => {
  stage = await sharedStage();
});
afterAll(() => stage?.close());
beforeEach(() => stage.provider.clear());

const REFUSED = { kind: 'status', status: 401 } as const;
const LEAD = { kind: 'text', text: 'LEAD ANSWERS' } as const;
const ANSWER = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;

/** What the conversation holds: who said it, and the text or the error. */
async function history(session: OpencodeSession): Promise<string[]> {
  const messages = await stage.server.messages(session);
  return messages.map((message) => `${message.info.role}: ${textOf(message) || message.info.error?.name || ''}`);
}

describe('given a lead whose requests do not go through fetch', () => {
  it('when it refuses, then the same message is answered by its understudy, once and without the error', async () => {
    const { provider, server } = stage;
    const { directory, ids } = await stage.makeCase({ unseenAt: 0 });
    provider.script(ids[0] ?? '', [REFUSED, LEAD]);
    provider.script(ids[1] ?? '', [ANSWER]);
    const session = await server.createSession(directory);
    const events = await server.events(directory);
    await server.promptAsync(session, { text: 'One' });
    await provider.waitForRequest(({ model }) => model === ids[1]);
    await events.waitFor(({ type, properties }) => type === 'message.updated' && isAnswered(properties.info));
    await expect.poll(() => history(session)).toEqual(['user: One', `assistant: ${ANSWER.text}`]);
    expect(ids.map((id) => provider.requests(id).length)).toEqual([1, 1]);
    expect(textOf(await server.prompt(session, { text: 'Two' }))).toBe(ANSWER.text);
    expect(provider.requests(ids[0]).length).toBe(1);
  });

  it('when both of two leads refuse, then the third of the chain answers', { tags: ['nightly'] }, async () => {
    const { provider, server } = stage;
    const { directory, ids } = await stage.makeCase({ models: 3, unseenAt: 0 });
    provider.script(ids[0] ?? '', [REFUSED]);
    provider.script(ids[1] ?? '', [REFUSED]);
    provider.script(ids[2] ?? '', [ANSWER]);
    const session = await server.createSession(directory);
    await server.promptAsync(session, { text: 'One' });
    await expect.poll(() => history(session), { timeout: 60_000 }).toEqual(['user: One', `assistant: ${ANSWER.text}`]);
  });

  it('when it is asked under `opencode run`, then its error ends the turn', { tags: ['nightly'] }, async () => {
    const { provider, binary, sandbox, home } = stage;
    const { directory, ids } = await stage.makeCase({ unseenAt: 0 });
    provider.script(ids[0] ?? '', [REFUSED]);
    provider.script(ids[1] ?? '', [ANSWER]);
    await runOpencode({ binary, sandbox, directory, args: ['One'], env: { UNDERSTUDY_HOME: home } });
    expect(ids.map((id) => provider.requests(id).length)).toEqual([1, 0]);
  });

  it('when it is a sub-agent’s, then its parent hears the error and goes on, as without us', {
    tags: ['nightly'],
  }, async () => {
    const { provider, server } = stage;
    const { directory, ids } = await stage.makeCase({
      unseenAt: 0,
      config: ([lead, understudy]) => ({
        model: understudy,
        agent: { helper: { mode: 'subagent', model: lead, description: 'Helps', prompt: 'Help.' } },
      }),
    });
    const call = { description: 'Help', prompt: 'SUB TASK', subagent_type: 'helper' };
    provider.script(ids[0] ?? '', [REFUSED, LEAD]);
    provider.script(ids[1] ?? '', [{ kind: 'toolCall', name: 'task', arguments: call }, ANSWER]);
    const session = await server.createSession(directory);
    expect(textOf(await server.prompt(session, { text: 'Start' }))).toBe(ANSWER.text);
    const task = (await server.messages(session)).flatMap(({ parts }) => parts).find((part) => part.tool === 'task');
    expect((task as { state?: { status?: string } } | undefined)?.state?.status).toBe('error');
    expect(ids.map((id) => provider.requests(id).length)).toEqual([1, 2]);
  });

  it('when the user stops it, then nobody takes over', { tags: ['nightly'] }, async () => {
    const { provider, server } = stage;
    const { directory, ids } = await stage.makeCase({ unseenAt: 0 });
    provider.script(ids[0] ?? '', [{ kind: 'hang' }, LEAD]);
    provider.script(ids[1] ?? '', [ANSWER]);
    const session = await server.createSession(directory);
    const pending = server.prompt(session, { text: 'One' }).catch(() => null);
    await provider.waitForRequest(({ model }) => model === ids[0]);
    await server.abort(session);
    await pending;
    expect(textOf(await server.prompt(session, { text: 'Two' }))).toBe(LEAD.text);
    expect(provider.requests(ids[1]).length).toBe(0);
  });

  it.each([
    ['answers 429 and asks for an hour', { kind: 'status', status: 429, headers: { 'retry-after': '3600' } }, {}],
    ['never answers', { kind: 'hang' }, { firstTokenTimeoutMs: 2_000 }],
  ] as const)(
    'when it %s, then the turn ends, and its understudy answers the same message',
    async (_, step, defaults) => {
      const { provider, server } = stage;
      const { directory, ids } = await stage.makeCase({ unseenAt: 0, defaults });
      provider.script(ids[0] ?? '', [step, LEAD]);
      provider.script(ids[1] ?? '', [ANSWER]);
      const session = await server.createSession(directory);
      await server.promptAsync(session, { text: 'One' });
      await expect.poll(() => history(session)).toEqual(['user: One', `assistant: ${ANSWER.text}`]);
      expect(ids.map((id) => provider.requests(id).length)).toEqual([1, 1]);
    },
  );
});

const isAnswered = (info: unknown): boolean =>
  (info as { role?: string; finish?: string }).role === 'assistant' && (info as { finish?: string }).finish === 'stop';
