import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../src/contract/snapshot';
import { DEFAULT_HEALTH, type Evidence } from '../../../src/engine';
import { attentionOf } from '../../../src/wording/attention';
import { attentionDetail, attentionTitle } from '../../../src/wording/attention-words';
import { noticeBody } from '../../../src/wording/notice-words';
import { statusText } from '../../../src/wording/status-text';
import { openToldCore, REJECTED } from './told-core';

const SHOP = '/home/u/shop';
const CHAIN = ['anthropic/claude', 'openai/gpt-5', 'google/gemini'];
const DOWN: Evidence = { phase: 'body', status: 500 };

/** Each surface after one turn in which every model of the chain failed. */
async function surfaces(evidence: Evidence, over: Parameters<ReturnType<typeof openToldCore>['arm']>[2] = {}) {
  const test = openToldCore();
  test.connect();
  test.arm(SHOP, { build: CHAIN }, over);
  await test.pass(1_000);
  test.turn(
    SHOP,
    'build',
    CHAIN.map((model) => [model, evidence] as const),
  );
  await test.pass(100);
  const snapshot = test.core.host.handlers['snapshot.get'](null) as Snapshot;
  const [first] = attentionOf(snapshot);
  const now = first && `${attentionTitle(first, snapshot)} ${attentionDetail(first, snapshot)}`;
  const { rows } = await test.list();
  const notice = rows.find(({ notice }) => notice === 'N3');
  const status = statusText(snapshot)
    .split('\n')
    .find((line) => line.includes('build  '));
  return { line: test.lines().at(-1), body: notice && noticeBody(notice), now, status: status?.trim() };
}

describe('given a turn in which each model of the chain failed', () => {
  it.each([
    ['restMs is 0', { health: { ...DEFAULT_HEALTH, restMs: 0 } }],
    ['models rest for a minute', {}],
  ])('when %s, then notice, Now and status name the model that takes the next message', async (_, over) => {
    expect(await surfaces(DOWN, over)).toEqual({
      line: 'N3 build has stopped',
      body: 'All 3 failed for this message; claude takes the next one.',
      now: expect.stringMatching(/^build has stopped\. .*claude accepts requests now/),
      status: expect.stringMatching(/the last turn ended without an answer; claude accepts requests/),
    });
  });

  it('when only a person can mend them, then no surface names one', async () => {
    expect(await surfaces(REJECTED, { health: { ...DEFAULT_HEALTH, restMs: 0 } })).toEqual({
      line: 'N3 build has no model left',
      body: 'All 3 models are unavailable. Fix one of them to continue.',
      now: expect.stringMatching(/^anthropic needs you|^build has no model left/),
      status: expect.stringMatching(/all models unavailable +claude is refusing the API key/),
    });
  });

  it('when a limit of 1 switch ends it, then the notice names the number', async () => {
    expect(await surfaces(DOWN, { maxFallbackDepth: 1 })).toMatchObject({
      line: 'N3 build has stopped',
      body: 'maxFallbackDepth ended its message after 1 switch; models remain.',
      now: expect.stringMatching(/^build has stopped\./),
    });
  });
});
