import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SessionRow } from '../../src/contract/snapshot';
import type { RecordedRequest, ScriptedStep, Wire } from '../../src/demo/scripted-provider';
import type { OpencodeSession } from '../../src/node/opencode';
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
const TITLE = { kind: 'text', text: 'A TITLE' } as const;
const SUMMARY = { kind: 'text', text: 'A SUMMARY OF IT ALL' } as const;
const ANSWER = { kind: 'text', text: 'LEAD ANSWERS' } as const;
const LASTING = { cooldownMs: 600_000, retryOriginalAfterMs: 600_000, restMs: 600_000 } as const;
/** Each wire, and whether `npm test` asks for a title or a summary over it. */
const WIRES: readonly (readonly [Wire, 'title' | 'summary' | null])[] = [
  ['openai-compatible', null],
  ['anthropic', null],
  ['openai-responses', 'title'],
  ['google', 'summary'],
  ['openrouter', null],
];
const tagsUnless = (isPlayed: boolean): string[] => (isPlayed ? [] : ['nightly']);

const wordsOf = (request: RecordedRequest): string => JSON.stringify(request.body);
const isTitle = (request: RecordedRequest): boolean =>
  wordsOf(request).includes('Generate a title for this conversation');
const isCompaction = (request: RecordedRequest): boolean =>
  /anchored summary|<template>|conversation history/i.test(wordsOf(request));

/** What a model does with OpenCode's own requests, and with all others. */
const when =
  (isOwn: (request: RecordedRequest) => boolean, own: ScriptedStep, other: ScriptedStep) =>
  (request: RecordedRequest) =>
    isOwn(request) ? own : other;

/** Every session OpenCode has in a project, those beside others included. */
async function sessionsIn({ directory, id }: OpencodeSession) {
  const children = await stage.server.request<OpencodeSession[]>('GET', `/session/${id}/children`, { directory });
  const all = await stage.server.request<OpencodeSession[]>('GET', '/session', { directory });
  return [...children, ...all].map((session) => session.id);
}

const titleOf = async ({ directory, id }: OpencodeSession): Promise<string> =>
  (await stage.server.request<OpencodeSession>('GET', `/session/${id}`, { directory })).title;

describe('given the model that titles a session', () => {
  for (const [wire, played] of WIRES) {
    const tags = tagsUnless(played === 'title');
    it(`when it answers 429 over ${wire}, then the next of the chain gives the title, and nothing else is seen of it`, {
      tags,
    }, async () => {
      const { provider, server } = stage;
      const { directory, ids } = await stage.makeCase({
        wires: [wire, wire === 'anthropic' ? 'openai-compatible' : 'anthropic'],
        defaults: LASTING,
        config: { agent: { title: { disable: false } } },
      });
      const [lead = '', understudy = ''] = ids;
      // Title and turn ask at once: whoever of the two answers the turn says the same.
      provider.script(lead, when(isTitle, LIMITED, ANSWER));
      provider.script(understudy, when(isTitle, TITLE, ANSWER));
      const app = await stage.openApp();
      const session = await server.createSession(directory);
      const answer = await server.prompt(session, { text: 'PROMPT WORDS' });
      await expect.poll(() => titleOf(session), { timeout: 60_000 }).toBe(TITLE.text);
      const [asked] = provider.requests(understudy).filter(isTitle);
      expect(asked && wordsOf(asked)).toContain('PROMPT WORDS');
      await expect.poll(() => sessionsIn(session)).toEqual([session.id]);
      // An app that opens while OpenCode runs is told at the companion's next try to reach it.
      const own = (row: SessionRow) => row.directory === directory;
      const { sessions } = await app.until((now) => now.sessions.some(own));
      await app.close();
      // Where the title found the lead out before the turn asked it, the turn was moved, and an empty step is taken away.
      const rolesIn = async () => (await server.messages(session)).map(({ info }) => info.role);
      await expect.poll(rolesIn).toEqual(['user', 'assistant']);
      expect({
        text: textOf(answer),
        titles: [lead, understudy].map((id) => provider.requests(id).filter(isTitle).length),
        sessions: sessions.filter(own).map((row) => row.session),
      }).toEqual({
        text: ANSWER.text,
        titles: [1, 1],
        sessions: [session.id],
      });
    });
  }

  it('when it and the next are limited, then the third gives the title', { tags: ['nightly'] }, async () => {
    const { provider, server } = stage;
    const { directory, ids } = await stage.makeCase({
      models: 3,
      defaults: LASTING,
      config: { agent: { title: { disable: false } } },
    });
    for (const id of ids.slice(0, 2)) provider.script(id, [LIMITED]);
    provider.script(ids[2] ?? '', when(isTitle, TITLE, ANSWER));
    const session = await server.createSession(directory);
    await server.prompt(session, { text: 'One' });
    await expect.poll(() => titleOf(session), { timeout: 60_000 }).toBe(TITLE.text);
  });
});

describe('given the model that compacts a session', () => {
  for (const [wire, played] of WIRES) {
    const tags = tagsUnless(played === 'summary');
    it(`when it answers 429 over ${wire}, then the next of the chain gives the summary at once, and the turn after reads it`, {
      tags,
    }, async () => {
      const { provider, server } = stage;
      const { directory, ids, chain } = await stage.makeCase({ wires: [wire, 'openai-compatible'], defaults: LASTING });
      const [lead = '', understudy = ''] = ids;
      provider.script(lead, when(isCompaction, LIMITED, ANSWER));
      provider.script(understudy, when(isCompaction, SUMMARY, { kind: 'text', text: 'UNDERSTUDY ANSWERS' }));
      const session = await server.createSession(directory);
      await server.prompt(session, { text: 'PROMPT WORDS' });
      const stream = await server.events(directory);
      const [providerID, modelID] = (chain[0] ?? '').split('/');
      await server.request('POST', `/session/${session.id}/summarize`, { directory, body: { providerID, modelID } });
      const retries = stream.seen().filter(({ properties }) => {
        return (properties.status as { type?: string } | undefined)?.type === 'retry';
      });
      stream.close();
      const summary = (await server.messages(session)).find(({ info }) => info.summary === true);
      expect([summary && textOf(summary), summary?.info.error, retries, await sessionsIn(session)]).toEqual([
        SUMMARY.text,
        undefined,
        [],
        [session.id],
      ]);
      const [asked] = provider.requests(understudy);
      expect(asked && wordsOf(asked)).toContain('PROMPT WORDS');

      await server.prompt(session, { text: 'And now?' });
      const last = provider.requests().at(-1);
      expect(last && wordsOf(last)).toContain(SUMMARY.text);
    });
  }

  it('when the user stops it while another model is asked, then nothing is asked any more and no session is left', {
    tags: ['nightly'],
  }, async () => {
    const { provider, server } = stage;
    const { directory, ids, chain } = await stage.makeCase({ models: 3, defaults: LASTING });
    provider.script(ids[0] ?? '', when(isCompaction, LIMITED, ANSWER));
    provider.script(ids[1] ?? '', [{ kind: 'hang' }]);
    provider.script(ids[2] ?? '', [SUMMARY]);
    const session = await server.createSession(directory);
    await server.prompt(session, { text: 'One' });
    const [providerID, modelID] = (chain[0] ?? '').split('/');
    const body = { providerID, modelID };
    const pending = server.request('POST', `/session/${session.id}/summarize`, { directory, body }).catch(() => null);
    await provider.waitForRequest(({ model }) => model === ids[1]);
    await server.abort(session);
    await pending;
    await provider.waitForRequest(({ model, aborted }) => model === ids[1] && aborted);
    await expect.poll(() => sessionsIn(session)).toEqual([session.id]);
    expect(provider.requests(ids[2])).toEqual([]);
  });
});
