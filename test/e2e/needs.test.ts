import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { editProviders, PNG_PART, sendParts } from '../support/prompt-parts';
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
const SEES = { attachment: true, modalities: { input: ['text', 'image'], output: ['text'] } } as const;
const LARGE = { limit: { context: 1_000_000, output: 8_000 } } as const;
const SMALL = { limit: { context: 16_000, output: 2_000 } } as const;
const PROMPT = { parts: [{ type: 'text', text: 'One' }] } as const;

/** A turn whose lead is limited and where everybody else would answer. @returns who answered, and what was said of whom. */
async function play(facts: readonly Readonly<Record<string, unknown>>[], body: Readonly<Record<string, unknown>>) {
  const { provider, server } = stage;
  const { directory, ids, chain } = await stage.makeCase({ models: facts.length });
  await editProviders(directory, ({ models }, position) => {
    for (const model of Object.values(models)) Object.assign(model, facts[position]);
  });
  provider.script(ids[0] ?? '', [LIMITED]);
  for (const id of ids.slice(1)) provider.script(id, [ANSWER]);
  const app = await stage.openApp();
  const session = await server.createSession(directory);
  const answer = await sendParts(server, session, body);
  const code = 'switch.rate_limit';
  const fits = (event: { code: string; model: string | null }): boolean =>
    event.code === code && event.model === chain[0];
  const snapshot = await app.until((seen) => seen.events.some(fits));
  await app.close();
  return {
    text: textOf(answer),
    requests: ids.map((id) => provider.requests(id).length),
    trace: snapshot.events.find(fits)?.trace.map((entry) => entry.code),
  };
}

describe('given an understudy that cannot take the request', () => {
  it('when it cannot read the image of the message, then the next one that can answers, and the event says why', async () => {
    const body = { parts: [...PROMPT.parts, PNG_PART] };
    expect(await play([SEES, {}, SEES], body)).toEqual({
      text: ANSWER.text,
      requests: [1, 0, 1],
      trace: ['chain.tried', 'needs.vision', 'chain.first'],
    });
  });

  it('when the conversation is too long for it, then a larger one answers, and the event says why', {
    tags: ['nightly'],
  }, async () => {
    const body = { parts: [{ type: 'text', text: 'words '.repeat(15_000) }] };
    expect(await play([LARGE, SMALL, LARGE], body)).toEqual({
      text: ANSWER.text,
      requests: [1, 0, 1],
      trace: ['chain.tried', 'needs.context', 'chain.first'],
    });
  });

  it('when it cannot use tools, then one that can answers, and the event says why', { tags: ['nightly'] }, async () => {
    expect(await play([{}, { tool_call: false }, {}], PROMPT)).toEqual({
      text: ANSWER.text,
      requests: [1, 0, 1],
      trace: ['chain.tried', 'needs.tools', 'chain.first'],
    });
  });

  it('when the lead could not read the image either, then it answers', { tags: ['nightly'] }, async () => {
    const body = { parts: [...PROMPT.parts, PNG_PART] };
    expect(await play([{}, {}], body)).toMatchObject({ text: ANSWER.text, requests: [1, 1] });
  });
});

describe('given a lead that never comes to be asked', () => {
  it('when OpenCode has no such model, then the understudy answers', async () => {
    const { provider, server } = stage;
    const { directory, ids } = await stage.makeCase({ config: { model: 'nobody/has-this' } });
    const [, understudy = ''] = ids;
    provider.script(understudy, [ANSWER]);
    const session = await server.createSession(directory);
    const answer = await server.prompt(session, { text: 'One' });
    expect([textOf(answer), provider.requests().map(({ model }) => model)]).toEqual([ANSWER.text, [understudy]]);
  });

  it('when its provider has no key, then the next model answers the message and the one after it', async () => {
    const { provider, server } = stage;
    const { directory, ids } = await stage.makeCase({ wires: ['anthropic', 'openai-compatible'] });
    await editProviders(directory, ({ options }, position) => {
      if (position === 0) delete options.apiKey;
    });
    provider.script(ids[1] ?? '', [ANSWER]);
    const session = await server.createSession(directory);
    await server.promptAsync(session, { text: 'One' });
    await expect
      .poll(async () => (await server.messages(session)).map((message) => textOf(message)))
      .toEqual(['One', ANSWER.text]);
    const second = await server.prompt(session, { text: 'Two' });
    expect([textOf(second), provider.requests().length]).toEqual([ANSWER.text, 2]);
  });
});
