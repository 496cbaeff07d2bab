import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScorecardDocument } from '../../src/contract/scorecard';
import { builtPlugin } from '../support/built-companion';
import { openStage, type Stage } from '../support/stage';

const CLI = join(import.meta.dirname, '..', '..', 'out', 'cli', 'understudy.js');
const USED = { inputTokens: 1_000, outputTokens: 500, cachedTokens: 200, reasoningTokens: 100 };
/** Dollars for a million tokens: the answer costs 0.00996. */
const PRICE = { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 };
const TOKENS = { input: 800, output: 400, reasoning: 100, cacheRead: 200, cacheWrite: 0 };

let stage: Stage;

afterEach(() => stage?.close());

/** One answered turn of a real OpenCode, which goes on running. */
async function answered(plugins: readonly string[]) {
  stage = await openStage(plugins);
  const project = await stage.makeCase({ models: 1, costs: [PRICE] });
  stage.provider.script(project.ids[0] ?? '', [{ kind: 'text', text: 'SECRET ANSWER', usage: USED }]);
  return project;
}

async function cli(...args: string[]): Promise<string> {
  const env = { ...process.env, ...stage.sandbox.env, UNDERSTUDY_HOME: stage.home };
  return (await promisify(execFile)(process.execPath, [CLI, ...args], { env })).stdout;
}
const exported = async (): Promise<ScorecardDocument> => JSON.parse(await cli('report', 'export')) as ScorecardDocument;

describe('given an OpenCode that has answered without Understudy', () => {
  it('when its history is imported, then the scorecard of the first start has its model, tokens and cost', async () => {
    const { directory, chain } = await answered([]);
    const session = await stage.server.createSession(directory);
    await stage.server.prompt(session, { text: 'SECRET PROMPT' });
    expect(await cli('data', 'import', '--opencode')).toBe('Answers in the history of OpenCode: 1; new here: 1.\n');
    expect(await cli('data', 'import', '--opencode')).toBe('Answers in the history of OpenCode: 1; new here: 0.\n');
    const { totals, models } = await exported();
    expect(totals).toMatchObject({ totalCalls: 0, tokens: TOKENS, cost: { total: '0.00996', pricedShare: 1 } });
    expect(models.map(({ model }) => model)).toEqual([chain[0]]);
    expect(totals.avgResponseTimeMs).toBeGreaterThan(0);
    const app = await stage.openApp();
    expect((await app.host.handlers['scorecard.get']({})).totals).toEqual(totals);
    await app.close();
  });
});

describe('given an OpenCode whose answers Understudy recorded', () => {
  it('when its history is imported as well, then nothing counts twice', { tags: ['nightly'] }, async () => {
    const { directory } = await answered([builtPlugin()]);
    const app = await stage.openApp();
    const session = await stage.server.createSession(directory);
    await stage.server.prompt(session, { text: 'SECRET PROMPT' });
    await app.until(({ sessions }) => sessions.some((row) => row.session === session.id && row.isIdle && row.usage));
    await app.close();
    const before = await exported();
    expect(before.totals.tokens).toEqual(TOKENS);
    expect(await cli('data', 'import', '--opencode')).toBe('Answers in the history of OpenCode: 1; new here: 1.\n');
    expect((await exported()).totals).toEqual(before.totals);
  });
});
