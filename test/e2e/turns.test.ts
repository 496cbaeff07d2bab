import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/contract/snapshot';
import { markKnown } from '../support/known';
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
const ANSWER = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;

describe('given a sub-agent with the model of its parent', () => {
  it('when that model answers 429, then the parent receives the answer of its understudy', async () => {
    const { provider, server } = stage;
    const { directory, ids, chain } = await stage.makeCase({
      models: 3,
      config: { agent: { helper: { mode: 'subagent', description: 'Helps', prompt: 'Help.' } } },
    });
    const [lead = '', first = '', second = ''] = ids;
    const call = { description: 'Help', prompt: 'SUB TASK', subagent_type: 'helper' };
    provider.script(lead, (request) => {
      const text = JSON.stringify(request.body);
      if (text.includes('CHILD ANSWER')) return { kind: 'text', text: 'PARENT SAW THE CHILD' };
      return text.includes('SUB TASK') && !text.includes('Start')
        ? LIMITED
        : { kind: 'toolCall', name: 'task', arguments: call };
    });
    provider.script(first, [{ kind: 'text', text: 'CHILD ANSWER' }]);
    provider.script(second, [{ kind: 'text', text: 'NOT ASKED' }]);
    const session = await server.createSession(directory);
    await server.prompt(session, { text: 'Start' });
    const messages = await server.messages(session);
    const task = messages.flatMap((message) => message.parts).find((part) => part.tool === 'task') as
      | { state?: { status?: string; output?: string } }
      | undefined;
    expect([task?.state?.status, task?.state?.output?.includes('CHILD ANSWER')]).toEqual(['completed', true]);
    expect(provider.requests(first).length).toBeGreaterThanOrEqual(1);
    expect(chain).toHaveLength(3);
  });
});

describe('given a chain of three', () => {
  it('when two are dead, then the third answers', async () => {
    const { provider, server } = stage;
    const { directory, ids } = await stage.makeCase({ models: 3 });
    provider.script(ids[0] ?? '', [LIMITED]);
    provider.script(ids[1] ?? '', [{ kind: 'status', status: 503 }]);
    provider.script(ids[2] ?? '', [ANSWER]);
    const session = await server.createSession(directory);
    const answer = await server.prompt(session, { text: 'One' });
    expect([textOf(answer), ...ids.map((id) => provider.requests(id).length)]).toEqual([ANSWER.text, 1, 1, 1]);
  });

  it('when the second is to answer in a variant, then it is asked in that one, and the message keeps the user’s own', async () => {
    const { provider, server } = stage;
    const { directory, ids, chain } = await stage.makeCase({
      models: 2,
      variants: [
        { low: { reasoningEffort: 'low' } },
        { low: { reasoningEffort: 'low' }, high: { reasoningEffort: 'high' } },
      ],
      agents: (models) => ({ '*': { fallbackModels: [`${models[1]}#high`] } }),
    });
    provider.script(ids[0] ?? '', [LIMITED]);
    provider.script(ids[1] ?? '', [ANSWER]);
    const session = await server.createSession(directory);
    const answer = await server.prompt(session, { text: 'One', variant: 'low' });
    const efforts = ids.map((id) =>
      provider.requests(id).map(({ body }) => (body as { reasoning_effort?: string }).reasoning_effort),
    );
    expect([textOf(answer), efforts]).toEqual([ANSWER.text, [['low'], ['high']]]);
    const users = async () =>
      (await server.messages(session)).flatMap(({ info }) => (info.role === 'user' ? [info.model] : []));
    const [providerID = ''] = chain[0]?.split('/') ?? [];
    await expect.poll(users).toEqual([{ providerID, modelID: ids[0], variant: 'low' }]);
  });

  it('when all are dead, then the turn ends with one clear error and nobody is asked again', async () => {
    const { provider, server } = stage;
    const { directory, ids } = await stage.makeCase({
      models: 3,
      defaults: { cooldownMs: 60_000, retryOriginalAfterMs: 60_000, restMs: 60_000 },
    });
    for (const id of ids) provider.script(id, [{ kind: 'status', status: 429, headers: { 'retry-after': '90' } }]);
    const session = await server.createSession(directory);
    const stream = await server.events(directory);
    const idle = stream.waitFor((event) => event.type === 'session.idle');
    const answer = await server.prompt(session, { text: 'One' });
    await idle;
    const errors = stream.seen().filter((event) => event.type === 'session.error');
    stream.close();
    expect(provider.requests().length).toBe(3);
    expect(String(answer.info.error?.data?.message)).toMatch(/all models of this chain are u\u2060?navailable/);
    expect(errors.length).toBeLessThanOrEqual(1);

    const again = await server.prompt(session, { text: 'Two' });
    expect([provider.requests().length, String(again.info.error?.data?.message)]).toEqual([
      3,
      expect.stringMatching(/all models of this chain are u\u2060?navailable/),
    ]);
  });
});

describe('given an agent that may take 3 steps', () => {
  it('when two models fail after its first, then it has the other two, and is told which is the last', async () => {
    const { provider, server } = stage;
    const { directory, ids } = await stage.makeCase({ models: 3, config: { agent: { build: { steps: 3 } } } });
    const [lead = '', first = '', second = ''] = ids;
    const read = { kind: 'toolCall', name: 'read', arguments: { filePath: 'README.md' } } as const;
    provider.script(lead, [read, LIMITED]);
    provider.script(first, [LIMITED]);
    provider.script(second, [read, ANSWER]);
    const session = await server.createSession(directory);
    const answer = await server.prompt(session, { agent: 'build', text: 'Read it twice' });
    const isToldLast = (id: string) =>
      provider.requests(id).map(({ body }) => JSON.stringify(body).includes('MAXIMUM STEPS REACHED'));
    expect([textOf(answer), isToldLast(lead), isToldLast(first), isToldLast(second)]).toEqual([
      ANSWER.text,
      [false, false],
      [false],
      [false, true],
    ]);
  });
});

describe('given a chain that names a model OpenCode does not have', () => {
  it('when the lead fails, then the next model that exists answers, and the user is told of the other', async () => {
    const { provider, server } = stage;
    const { directory, ids, chain } = await stage.makeCase({ models: 3 });
    await writeFile(
      join(directory, '.opencode', 'model-fallback.json'),
      JSON.stringify({ agents: { '*': { fallbackModels: ['nobody/has-this', chain[2]] } } }),
    );
    provider.script(ids[0] ?? '', [LIMITED]);
    provider.script(ids[2] ?? '', [ANSWER]);
    const stream = await server.events(directory);
    const session = await server.createSession(directory);
    const answer = server.prompt(session, { text: 'One' });
    // Said with the first message: before, nobody is there to read it.
    const warning = await stream.waitFor((event) => JSON.stringify(event).includes('nobody/has-this'));
    stream.close();
    expect([warning.type, JSON.stringify(warning)]).toEqual([
      'tui.toast.show',
      expect.stringContaining('OpenCode lists no model nobody/has-this'),
    ]);
    expect(textOf(await answer)).toBe(ANSWER.text);
  });
});

describe('given words of the user’s own in `patterns`', () => {
  it('when a provider says one of them in a 400, then the turn switches as the pattern says', {
    tags: ['nightly'],
  }, async () => {
    const { provider, server } = stage;
    const { directory, ids, chain } = await stage.makeCase({
      patterns: [{ phrase: 'weekly allowance used', kind: 'quota' }],
      defaults: { quotaCooldownMs: 60_000 },
    });
    const body = { error: { message: 'Sorry: WEEKLY allowance used. Come back later.' } };
    provider.script(ids[0] ?? '', [{ kind: 'status', status: 400, body }]);
    provider.script(ids[1] ?? '', [ANSWER]);
    const app = await stage.openApp();
    const session = await server.createSession(directory);
    expect(textOf(await server.prompt(session, { text: 'One' }))).toBe(ANSWER.text);
    const snapshot = await app.until((seen) => seen.models.some((row) => row.model === chain[0] && row.failed === 1));
    await app.close();
    expect(snapshot.models.find((row) => row.model === chain[0])).toMatchObject({
      state: 'cooling',
      code: 'limit.quota',
    });
  });
});

describe('given a limit that ends at a time on this machine’s clock', () => {
  it('when a provider names the time alone, then its model is back at that minute', { tags: ['nightly'] }, async () => {
    const { provider, server } = stage;
    const { directory, ids, chain } = await stage.makeCase();
    const MINUTE_MS = 60_000;
    const backAt = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS + 120 * MINUTE_MS;
    const named = new Date(backAt).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
    const body = { error: { message: `You've hit your usage limit. Upgrade to Pro or try again at ${named}.` } };
    provider.script(ids[0] ?? '', [{ kind: 'status', status: 429, body }]);
    provider.script(ids[1] ?? '', [ANSWER]);
    const app = await stage.openApp();
    const session = await server.createSession(directory);
    expect(textOf(await server.prompt(session, { text: 'One' }))).toBe(ANSWER.text);
    const rowIn = (seen: Snapshot) => seen.models.find(({ model }) => model === chain[0]);
    const row = rowIn(await app.until((seen) => rowIn(seen)?.failed === 1));
    await app.close();
    expect(row).toMatchObject({ state: 'cooling', code: 'limit.quota' });
    // What the app shows lies between the clock of the sensor and its own: less than a second.
    expect(Math.abs((row?.until ?? 0) - backAt)).toBeLessThan(5_000);
  });
});

describe('given failures that are nobody’s fault', () => {
  it('when the user stops a hanging turn, then nothing switches and the next message is answered', async () => {
    const { provider, server } = stage;
    const { directory, ids } = await stage.makeCase();
    const [lead = '', understudy = ''] = ids;
    provider.script(lead, [{ kind: 'hang' }, { kind: 'text', text: 'LEAD ANSWERS' }]);
    provider.script(understudy, [ANSWER]);
    const session = await server.createSession(directory);
    const pending = server.prompt(session, { text: 'One' }).catch(() => null);
    await provider.waitForRequest((request) => request.model === lead);
    await server.abort(session);
    await pending;
    const answer = await server.prompt(session, { text: 'Two' });
    expect([textOf(answer), provider.requests(lead).length, provider.requests(understudy).length]).toEqual([
      'LEAD ANSWERS',
      2,
      0,
    ]);
  });

  it('when a malformed stream has no understudy, then OpenCode’s endless loop is stopped with one clear error', async ({
    task,
  }) => {
    const { provider, server } = stage;
    const { directory, ids } = await stage.makeCase({ models: 1 });
    provider.script(ids[0] ?? '', [{ kind: 'emptyBody' }]);
    const session = await server.createSession(directory);
    const answer = await server.prompt(session, { text: 'One' });
    const hasLoop = stage.binary.version.localeCompare('1.18.21', 'en', { numeric: true }) >= 0;
    if (!hasLoop) markKnown(task, 'Until 1.18.20 there is no loop: the turn ends after one request, without a word.');
    const ended = hasLoop ? [3, 'APIError'] : [1, undefined];
    expect([provider.requests().length, answer.info.error?.name]).toEqual(ended);
  });
});

describe('given a configuration that is missing or broken', () => {
  it('when there is none, then OpenCode is as if the companion were not there', async () => {
    const { provider, server } = stage;
    const { directory, ids } = await stage.makeCase({ fallback: false });
    provider.script(ids[0] ?? '', [{ kind: 'status', status: 401 }]);
    const session = await server.createSession(directory);
    const answer = await server.prompt(session, { text: 'One' });
    expect([provider.requests().length, answer.info.error?.name]).toEqual([1, 'APIError']);
    expect(provider.requests()[0]?.headers['x-understudy']).toBeUndefined();
  });

  it('when it is malformed, then one warning names the place and OpenCode works as it is', async () => {
    const { provider, server } = stage;
    const { directory, ids } = await stage.makeCase({ fallback: '{ "agents": { broken' });
    provider.script(ids[0] ?? '', [{ kind: 'text', text: 'PLAIN' }]);
    const toasts = await server.events(directory);
    const warning = toasts.waitFor((event) => event.type === 'tui.toast.show');
    const session = await server.createSession(directory);
    const answer = await server.prompt(session, { text: 'One' });
    expect([textOf(answer), JSON.stringify(await warning)]).toEqual([
      'PLAIN',
      expect.stringMatching(/model-fallback\.json:1:\d+/),
    ]);
    toasts.close();
  });
});
