import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { textOf } from '../support/said';
import { sharedStage } from '../support/shared-stage';
import type { Neighbour, Stage } from '../support/stage';

let stage: Stage;

beforeAll(async () => {
  stage = await sharedStage();
});
afterAll(() => stage?.close());
beforeEach(() => stage.provider.clear());

const LIMITED = { kind: 'status', status: 429 } as const;
const ANSWER = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;
const LASTING = { cooldownMs: 600_000, retryOriginalAfterMs: 600_000, restMs: 600_000 } as const;
const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('given several sessions of one project at once', () => {
  it('when their lead fails, then each is finished by the understudy in its own history', async () => {
    const { provider, server } = stage;
    const { directory, ids, chain } = await stage.makeCase({ defaults: LASTING });
    const [lead = '', understudy = ''] = ids;
    provider.script(lead, [LIMITED]);
    provider.script(understudy, (request) => ({
      kind: 'text',
      text: `to ${/SESSION \d/.exec(JSON.stringify(request.body))?.[0]}`,
    }));
    const sessions = await Promise.all([1, 2, 3, 4].map(() => server.createSession(directory)));
    const answers = await Promise.all(sessions.map((session, at) => server.prompt(session, { text: `SESSION ${at}` })));
    expect(answers.map(textOf)).toEqual(sessions.map((_, at) => `to SESSION ${at}`));
    const histories = () =>
      Promise.all(
        sessions.map(async (session) =>
          (await server.messages(session)).map((message) =>
            message.info.role === 'user' ? `${message.info.model?.providerID}` : textOf(message),
          ),
        ),
      );
    const [name = ''] = (chain[0] ?? '').split('/');
    await expect.poll(histories, { timeout: 60_000 }).toEqual(sessions.map((_, at) => [name, `to SESSION ${at}`]));
    expect(provider.requests(understudy)).toHaveLength(4);
  });
});

describe('given a chain that is edited while its lead is being waited for', () => {
  it.concurrent.each([
    ['before it has said a word', { kind: 'hang' }, { firstTokenTimeoutMs: 5_000 }],
    ['in mid-stream', { kind: 'stall', text: 'partial' }, { stallTimeoutMs: 5_000 }],
  ] as const)('when the lead then fails %s, then the new chain decides', async (_, step, limits) => {
    const { provider, server } = stage;
    const { directory, ids, chain } = await stage.makeCase({ models: 3, defaults: LASTING });
    provider.script(ids[0] ?? '', [step]);
    provider.script(ids[1] ?? '', [{ kind: 'text', text: 'OF THE OLD CHAIN' }]);
    provider.script(ids[2] ?? '', [ANSWER]);
    const file = (fallbackModels: readonly (string | undefined)[]): Promise<void> =>
      writeFile(
        join(directory, '.opencode', 'model-fallback.json'),
        JSON.stringify({ defaults: { ...LASTING, ...limits }, agents: { '*': { fallbackModels } } }),
      );
    await file([chain[1]]);
    const session = await server.createSession(directory);
    const answer = server.prompt(session, { text: 'One' });
    await provider.waitForRequest(({ model }) => model === ids[0]);
    await file([chain[2]]);
    expect(textOf(await answer)).toBe(ANSWER.text);
    expect(provider.requests(ids[1])).toEqual([]);
  });
});

describe('given a second message around the moment of the switch', () => {
  it('when it comes 0 to 200 ms after the failure, then both are answered once by the understudy and no message is doubled', async () => {
    const { provider, server } = stage;
    const offsets = [0, 20, 50, 100, 200];
    const cases = await stage.makeNeighbours(
      offsets.map(() => ({})),
      { defaults: LASTING },
    );
    for (const [at, offsetMs] of offsets.entries()) {
      const { directory, ids, chain, agent } = cases[at] as Neighbour;
      const [lead = '', understudy = ''] = ids;
      provider.script(lead, [LIMITED]);
      provider.script(understudy, [ANSWER]);
      const session = await server.createSession(directory);
      const first = server.prompt(session, { text: 'One', agent });
      await provider.waitForRequest((seen) => seen.model === lead && seen.respondedAt !== null);
      // Time itself is what is tested here.
      await delay(offsetMs);
      const second = server.prompt(session, { text: 'Two', agent });
      expect((await Promise.all([first, second])).map(textOf)).toEqual([ANSWER.text, ANSWER.text]);
      const [name = ''] = (chain[0] ?? '').split('/');
      const seen = async () => {
        const messages = await server.messages(session);
        const users = messages.filter(({ info }) => info.role === 'user');
        const answers = messages.filter(({ info }) => info.role === 'assistant');
        return {
          users: users.map((message) => [textOf(message), message.info.model?.providerID]),
          onlyAnswers: answers.every((message) => textOf(message) === ANSWER.text),
        };
      };
      await expect.poll(seen, { timeout: 60_000, message: `${offsetMs} ms` }).toEqual({
        users: [
          ['One', name],
          ['Two', name],
        ],
        onlyAnswers: true,
      });
      expect(provider.requests(lead).length).toBe(1);
    }
  });
});
