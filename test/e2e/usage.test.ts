import type { Browser } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/contract/snapshot';
import type { Script } from '../../src/demo/scripted-provider';
import type { OpencodeSession } from '../../src/node/opencode';
import { leaveBrowser, openBrowser } from '../support/browser';
import { NIGHTLY } from '../support/nightly';
import { startPanel } from '../support/panel-process';
import { sharedStage } from '../support/shared-stage';
import type { App, CaseOptions, Stage } from '../support/stage';

let stage: Stage;

beforeAll(async () => {
  stage = await sharedStage();
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

type Play = CaseOptions &
  Readonly<{ lead: Script; total: number; afterwards?(session: OpencodeSession, lead: string): Promise<unknown> }>;

/** A conversation whose understudy answers with known numbers, seen when this many tokens are counted. */
async function play({ lead, total, afterwards, ...options }: Play) {
  const { provider, server } = stage;
  const { directory, chain, ids } = await stage.makeCase({ costs: [PRICE, PRICE], ...options });
  provider.script(ids[0] ?? '', lead);
  provider.script(ids[1] ?? '', [ANSWER]);
  const app = await stage.openApp();
  const session = await server.createSession(directory);
  await server.prompt(session, { text: 'Start' });
  await afterwards?.(session, chain[0] ?? '');
  const seen = await resting(app, session.id, total);
  await app.close();
  return { seen, chain, session, usage: seen.sessions.find((row) => row.session === session.id)?.usage };
}

/** How a model is drawn in the panel on these sessions, by its name. */
async function looksIn(browser: Browser): Promise<Record<string, string>> {
  const panel = await startPanel(stage.home);
  const page = await browser.newPage();
  try {
    await page.goto(panel.url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(`location.hash = '#/usage/all:model'`);
    const names = page.locator('.model-name');
    await names.first().waitFor();
    const looks = await names.evaluateAll((all) =>
      all.map((each) => [each.textContent, each.querySelector('[data-look]')?.getAttribute('data-look')]),
    );
    return Object.fromEntries(looks) as Record<string, string>;
  } finally {
    await page.close();
    await panel.stop();
  }
}

describe('given models with colours of their own', NIGHTLY, () => {
  it('when the app starts again, and others are asked more often, then each keeps its colour and pattern', async () => {
    const browser = await openBrowser();
    const first = await play({ lead: [LIMITED], total: 1_500 });
    const before = await looksIn(browser);
    expect(Object.keys(before)).toEqual(expect.arrayContaining([...first.chain]));
    const second = await play({
      lead: [ANSWER, ANSWER, ANSWER],
      total: 4_500,
      afterwards: async (session) => {
        for (const text of ['Two', 'Three']) await stage.server.prompt(session, { text });
      },
    });
    const after = await looksIn(browser);
    await leaveBrowser(browser);
    expect(after).toMatchObject(before);
    const lead = second.chain[0] ?? '';
    expect(after[lead]).toMatch(/^m[1-8]-/);
    // There are fewer looks than models that other tests may have left: those of before are told from it that were met last.
    expect(first.chain.map((model) => before[model])).not.toContain(after[lead]);
  });
});

describe('given a lead that answers 429', () => {
  it('when the understudy answers, then all tokens and the cost are the understudy’s, also after the app has started again', async () => {
    const { seen, chain, session, usage } = await play({ lead: [LIMITED], total: 1_500 });
    expect(usageOf(seen, chain)).toEqual([null, STEP]);
    expect(usage?.by).toEqual([{ agent: 'build', model: chain[1], position: 1, ...STEP }]);

    const again = await stage.openApp();
    const replayed = await resting(again, session.id, 1_500);
    await again.close();
    expect(usageOf(replayed, chain)).toEqual([null, STEP]);
  });
});

describe('given a lead that breaks off in the middle of its answer', NIGHTLY, () => {
  const cut = { kind: 'cut', text: 'partial words', afterMs: 500 } as const;

  it('when the understudy answers, then the lead has used nothing', async () => {
    const { seen, chain } = await play({ lead: [cut], total: 1_500, costs: [PRICE, null] });
    expect(usageOf(seen, chain)).toEqual([null, { ...STEP, cost: null, pricedShare: 0 }]);
  });

  it('when its wire had counted a token before, then that token is its own', async () => {
    const { seen, chain } = await play({ lead: [cut], total: 1_501, wires: ['anthropic'] });
    expect(usageOf(seen, chain).map((usage) => usage?.total)).toEqual([1, 1_500]);
  });
});

describe('given a sub-agent whose model answers 429', () => {
  it('when its understudy answers it, then each step is counted once, of the model that took it, in one conversation', async () => {
    const call = { description: 'Help', prompt: 'SUB TASK', subagent_type: 'helper' };
    const { seen, chain, usage } = await play({
      config: { agent: { helper: { mode: 'subagent', description: 'Helps', prompt: 'Help.' } } },
      lead: (request) => {
        const text = JSON.stringify(request.body);
        return text.includes('SUB TASK') && !text.includes('Start')
          ? LIMITED
          : { kind: 'toolCall', name: 'task', arguments: call, usage: USED };
      },
      total: 4_500,
    });
    expect(usageOf(seen, chain).map((used) => [used?.total, used?.cost])).toEqual([
      [1_500, 0.00996],
      [3_000, 0.01992],
    ]);
    expect(usage?.by.map(({ agent, position, total }) => [agent, position, total]).sort()).toEqual([
      ['build', 0, 1_500],
      ['build', 1, 1_500],
      ['helper', 1, 1_500],
    ]);
  });
});

describe('given a conversation that is compacted', () => {
  const compact = ({ id, directory }: OpencodeSession, lead: string): Promise<unknown> => {
    const [providerID, modelID] = lead.split('/');
    return stage.server.request('POST', `/session/${id}/summarize`, { directory, body: { providerID, modelID } });
  };

  it(
    'when it is copied then, then the summary counts as OpenCode’s own and the copy counts nothing',
    NIGHTLY,
    async () => {
      const { seen, chain } = await play({
        lead: [ANSWER],
        total: 4_500,
        afterwards: async (session, lead) => {
          await compact(session, lead);
          const { directory } = session;
          await stage.server.request('POST', `/session/${session.id}/fork`, { directory, body: {} });
          await stage.server.prompt(session, { text: 'Two' });
        },
      });
      const tokens = Object.fromEntries(Object.entries(STEP.tokens).map(([kind, count]) => [kind, 3 * count]));
      expect(usageOf(seen, chain)).toEqual([{ ...STEP, tokens, total: 4_500, internal: 1_500, cost: 0.02988 }, null]);
    },
  );

  it('when its model fails at that, then the summary is booked on the model that wrote it', async () => {
    const { seen, chain, usage } = await play({ lead: [ANSWER, LIMITED], total: 3_000, afterwards: compact });
    expect(usageOf(seen, chain)).toEqual([STEP, { ...STEP, internal: 1_500 }]);
    expect(usage?.by.map(({ agent, model, position }) => [agent, model, position])).toEqual([
      ['build', chain[0], 0],
      ['compaction', chain[1], null],
    ]);
  });
});
