import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScorecardDocument } from '../../src/contract/scorecard';
import { openStage, type Stage } from '../support/stage';

const CLI = join(import.meta.dirname, '..', '..', 'out', 'cli', 'understudy.js');
const USED = { inputTokens: 1_000, outputTokens: 500, cachedTokens: 200, reasoningTokens: 100 };
/** Dollars for a million tokens: the answer costs 0.00996. */
const PRICE = { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 };

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

/** Runs the built command line beside the app. */
async function cli(...args: string[]): Promise<string> {
  const env = { ...process.env, UNDERSTUDY_HOME: stage.home };
  return (await promisify(execFile)(process.execPath, [CLI, ...args], { env })).stdout;
}

/** What does not go on while nobody speaks: a lead gets well by itself. */
const settled = ({ totals, models, switches, advice, range, quality }: ScorecardDocument) => ({
  totals,
  models,
  switches,
  advice,
  range,
  quality,
});

describe('given a turn whose lead answers 429 and whose understudy answers', () => {
  it('when its scorecard is asked for, exported and played again, then all of them know what happened', async () => {
    const { directory, chain, ids } = await stage.makeCase({ costs: [PRICE, PRICE] });
    const [lead = '', understudy = ''] = chain;
    stage.provider.script(ids[0] ?? '', [{ kind: 'status', status: 429 }]);
    stage.provider.script(ids[1] ?? '', [{ kind: 'text', text: 'UNDERSTUDY ANSWERS', usage: USED }]);
    const app = await stage.openApp();
    const session = await stage.server.createSession(directory);
    await stage.server.prompt(session, { text: 'Start' });
    await app.until(({ sessions }) => sessions.some((row) => row.session === session.id && row.isIdle && row.usage));

    const live = await app.host.handlers['scorecard.get']({ session: session.id });
    expect(live.totals).toMatchObject({
      turns: { total: 1, answered: 1, saved: 1 },
      tokens: { input: 800, output: 400, reasoning: 100, cacheRead: 200, cacheWrite: 0 },
      cost: { total: '0.00996', pricedShare: 1 },
      failureReasons: { rate_limit: expect.any(Number) },
    });
    expect(live.switches).toContainEqual({ from: lead, to: understudy, count: 1 });
    const question = { agent: null, chain: [understudy], policy: null };
    expect(await app.host.handlers['what-if.play'](question)).toMatchObject({
      before: { turns: 1, answered: 1, switches: 1, pricedShare: 1 },
      after: { turns: 1, answered: 1, switches: 0, lostMs: 0 },
      stallsAvoided: 0,
      cutAtMs: null,
    });
    await app.close();

    const stored = JSON.parse(await cli('report', 'export', '--session', session.id)) as ScorecardDocument;
    expect(settled(stored)).toEqual(settled(live));
    const lines = (await cli('report', 'export', '--session', session.id, '--format', 'csv')).trim().split('\r\n');
    const turn = lines.map((line) => line.split(',')).filter((cells) => cells[6] === 'turn');
    expect(turn.map((cells) => [cells[4], cells[5], cells[7], cells[8], cells[9]])).toEqual([
      [lead, '1', 'limited', 'rate_limit', '429'],
      [understudy, '2', 'success', '', ''],
    ]);

    const again = await stage.openApp();
    const replayed = await again.host.handlers['scorecard.get']({ session: session.id });
    await again.close();
    expect(settled(replayed)).toEqual(settled(live));
  });
});
