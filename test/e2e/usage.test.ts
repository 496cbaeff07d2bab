import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/contract';
import { type App, openStage, type Stage } from '../support/stage';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());
beforeEach(() => stage.provider.clear());

const LIMITED = { kind: 'status', status: 429 } as const;
const USED = { inputTokens: 1_000, outputTokens: 500, cachedTokens: 200, reasoningTokens: 100 };
const ANSWER = { kind: 'text', text: 'UNDERSTUDY ANSWERS', usage: USED } as const;
/** Dollars for a million tokens: the answer above costs 0.00996. */
const PRICE = { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 };
/** What OpenCode makes of `USED`: cached tokens apart from input, reasoning apart from output. */
const STEP = {
  tokens: { input: 800, output: 400, reasoning: 100, cacheRead: 200, cacheWrite: 0 },
  total: 1_500,
  internal: 0,
  cost: 0.00996,
  pricedShare: 1,
};

const usageOf = ({ models }: Snapshot, chain: readonly string[]) =>
  chain.map((model) => models.find((row) => row.model === model)?.usage ?? null);

/** The session at rest, with this many tokens counted. */
const resting = (app: App, session: string, total: number): Promise<Snapshot> =>
  app.until((seen) => seen.sessions.some((row) => row.session === session && row.isIdle && row.usage?.total === total));

describe('given a lead that answers 429', () => {
  it('when the understudy answers, then all tokens and the cost are the understudy’s, also after the app has started again', async () => {
    const { provider, server } = stage;
    const { directory, chain, ids } = await stage.makeCase({ costs: [PRICE, PRICE] });
    provider.script(ids[0] ?? '', [LIMITED]);
    provider.script(ids[1] ?? '', [ANSWER]);
    const app = await stage.openApp();
    const session = await server.createSession(directory);
    await server.prompt(session, { text: 'One' });
    const seen = await resting(app, session.id, 1_500);
    await app.close();
    expect(usageOf(seen, chain)).toEqual([null, STEP]);
    expect(seen.sessions.find((row) => row.session === session.id)?.usage?.by).toEqual([
      { agent: 'build', model: chain[1], position: 1, ...STEP },
    ]);

    const again = await stage.openApp();
    const replayed = await resting(again, session.id, 1_500);
    await again.close();
    expect(usageOf(replayed, chain)).toEqual([null, STEP]);
  });
});

describe('given a lead that breaks off in the middle of its answer', () => {
  it('when the understudy answers, then the lead has used nothing', async () => {
    const { provider, server } = stage;
    const { directory, chain, ids } = await stage.makeCase({ costs: [PRICE, null] });
    provider.script(ids[0] ?? '', [{ kind: 'cut', text: 'partial words' }]);
    provider.script(ids[1] ?? '', [ANSWER]);
    const app = await stage.openApp();
    const session = await server.createSession(directory);
    await server.prompt(session, { text: 'One' });
    const seen = await resting(app, session.id, 1_500);
    await app.close();
    expect(usageOf(seen, chain)).toEqual([null, { ...STEP, cost: null, pricedShare: 0 }]);
  });

  it('when its wire had counted a token before, then that token is its own', async () => {
    const { provider, server } = stage;
    const { directory, chain, ids } = await stage.makeCase({ costs: [PRICE, PRICE], wires: ['anthropic'] });
    provider.script(ids[0] ?? '', [{ kind: 'cut', text: 'partial words', afterMs: 500 }]);
    provider.script(ids[1] ?? '', [ANSWER]);
    const app = await stage.openApp();
    const session = await server.createSession(directory);
    await server.prompt(session, { text: 'One' });
    const seen = await resting(app, session.id, 1_501);
    await app.close();
    expect(usageOf(seen, chain).map((usage) => usage?.total)).toEqual([1, 1_500]);
  });
});

describe('given a sub-agent whose model answers 429', () => {
  it('when its understudy answers it, then each step is counted once, of the model that took it, in one conversation', async () => {
    const { provider, server } = stage;
    const { directory, chain, ids } = await stage.makeCase({
      costs: [PRICE, PRICE],
      config: { agent: { helper: { mode: 'subagent', description: 'Helps', prompt: 'Help.' } } },
    });
    const call = { description: 'Help', prompt: 'SUB TASK', subagent_type: 'helper' };
    provider.script(ids[0] ?? '', (request) => {
      const text = JSON.stringify(request.body);
      return text.includes('SUB TASK') && !text.includes('Start')
        ? LIMITED
        : { kind: 'toolCall', name: 'task', arguments: call, usage: USED };
    });
    provider.script(ids[1] ?? '', [ANSWER]);
    const app = await stage.openApp();
    const session = await server.createSession(directory);
    await server.prompt(session, { text: 'Start' });
    const seen = await resting(app, session.id, 4_500);
    await app.close();
    expect(usageOf(seen, chain).map((usage) => [usage?.total, usage?.cost])).toEqual([
      [1_500, 0.00996],
      [3_000, 0.01992],
    ]);
    const by = seen.sessions.find((row) => row.session === session.id)?.usage?.by ?? [];
    expect(by.map(({ agent, position, total }) => [agent, position, total]).sort()).toEqual([
      ['build', 0, 1_500],
      ['build', 1, 1_500],
      ['helper', 1, 1_500],
    ]);
  });
});

describe('given a conversation that is compacted and then copied', () => {
  it('when all of it is done, then the summary counts as OpenCode’s own and the copy counts nothing', async () => {
    const { provider, server } = stage;
    const { directory, chain, ids } = await stage.makeCase({ costs: [PRICE, PRICE] });
    provider.script(ids[0] ?? '', [ANSWER]);
    const [providerID, modelID] = (chain[0] ?? '').split('/');
    const app = await stage.openApp();
    const session = await server.createSession(directory);
    await server.prompt(session, { text: 'One' });
    await server.request('POST', `/session/${session.id}/summarize`, { directory, body: { providerID, modelID } });
    await server.request('POST', `/session/${session.id}/fork`, { directory, body: {} });
    await server.prompt(session, { text: 'Two' });
    const seen = await resting(app, session.id, 4_500);
    await app.close();
    expect(usageOf(seen, chain)).toEqual([
      { ...STEP, tokens: times(STEP.tokens, 3), total: 4_500, internal: 1_500, cost: 0.02988 },
      null,
    ]);
  });
});

const times = (tokens: typeof STEP.tokens, count: number) =>
  Object.fromEntries(Object.entries(tokens).map(([kind, value]) => [kind, value * count]));
