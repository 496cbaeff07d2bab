import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../src/contract/snapshot';
import type { SeenWindow } from '../../../src/engine';
import { trayMenu } from '../../../src/main/tray-menu';
import { trayIcon } from '../../../src/main/tray-view';
import { recordsOf } from '../../../src/wording/agent-record';
import { attentionOf } from '../../../src/wording/attention';
import { eventSentence } from '../../../src/wording/event-words';
import { agentReason, homePhrase, positionPhrase } from '../../../src/wording/standing-words';
import { statusText } from '../../../src/wording/status-text';
import { LIMITED, openToldCore } from '../notices/told-core';

const SHOP = '/home/u/shop';
const BLOG = '/home/u/blog';
const LEAD = 'claude/sonnet';
const WORK = 'claude@work/sonnet';
const DAY = 86_400_000;
const MINUTE = 60_000;
const WHY = 'sonnet has used 72 % of its week limit here, 23 % there';

const week = (used: number): SeenWindow => ({
  ...{ id: 'week', unit: 'share', lengthMs: 7 * DAY, of: 'account', used, limit: null, remaining: null },
  ...{ resetInMs: 3 * DAY, refills: 'at_reset', charges: 'used' },
});

/** A core in which a project wants the emptier of two accounts, 72 % and 23 % of whose weeks are used. */
function openShop() {
  const test = openToldCore();
  test.connect();
  test.arm(SHOP, { build: [LEAD, WORK, 'openai/gpt'] }, { headroom: { act: 'move', moveAt: 0.97, spread: true } });
  const hear = (model: string, used: number) =>
    test.tell({ type: 'headroom.seen', attempt: null, directory: SHOP, model, windows: [week(used)] });
  hear(LEAD, 0.72);
  hear(WORK, 0.23);
  const snapshot = () => test.core.host.handlers['snapshot.get'](null) as Snapshot;
  const row = () => {
    const [found] = snapshot().sessions.flatMap(({ agents }) => agents);
    if (!found) throw new Error('no agent');
    return found;
  };
  const record = () => {
    const found = recordsOf(snapshot()).find(({ key }) => key === row().key);
    if (!found) throw new Error('no record');
    return found;
  };
  return { ...test, hear, snapshot, row, record, said: (text: string) => text.replaceAll('\u202f', ' ') };
}

describe('given an agent that speaks by the emptier account of its model', () => {
  it('when it is looked at, then it says by which, with the numbers of both, and when it returns', () => {
    const { turn, row, record, said } = openShop();
    turn(SHOP, 'build', [[WORK, 'answers']]);
    expect(row()).toMatchObject({
      ...{ lead: LEAD, active: WORK, position: 1, switches: 0, isSpread: true },
      why: {
        ...{ from: LEAD, until: null, source: null },
        near: { code: 'headroom.spread', used: 0.72, there: { account: 'claude@work', used: 0.23 } },
      },
    });
    expect(said(agentReason(record(), row()))).toBe(`claude@work has more headroom: ${WHY}`);
    expect([positionPhrase(record()), homePhrase(record())]).toEqual([
      '2 of 3, the same model',
      'Returns once this account is no longer emptier',
    ]);
  });

  it('when all is looked at, then nothing waits for anybody, and no model is called unwell', async () => {
    const { turn, snapshot, lines, pass, said } = openShop();
    turn(SHOP, 'build', [[WORK, 'answers']]);
    await pass(MINUTE);
    expect(attentionOf(snapshot())).toEqual([]);
    expect(snapshot().models.map(({ state }) => state)).toEqual(['ready', 'unseen', 'unseen']);
    expect(lines()).toEqual([]);
    expect(trayIcon(snapshot())).toBe('healthy');
    const agent = trayMenu(snapshot(), { mutedUntil: null }).find((each) => each.kind === 'submenu');
    expect(agent).toMatchObject({ label: '● build  sonnet (work) · 2 of 3' });
    expect(said(statusText(snapshot()))).toContain(
      `build  sonnet (work)  2 of 3, the same model  idle  claude@work has more headroom: ${WHY}`,
    );
  });

  it('when it goes on there, then the history tells once that it went, and once that it is back', async () => {
    const { turn, hear, snapshot, pass, said } = openShop();
    for (const used of [0.23, 0.4, 0.6]) {
      hear(WORK, used);
      turn(SHOP, 'build', [[WORK, 'answers']]);
      await pass(MINUTE);
    }
    hear(WORK, 0.72);
    turn(SHOP, 'build', [[LEAD, 'answers']]);
    const told = snapshot()
      .events.filter(({ agent }) => agent === 'build')
      .map((event) => said(eventSentence(event)))
      .toReversed();
    expect(told).toEqual([`build uses claude@work: ${WHY}`, 'build returns to sonnet']);
  });

  it('when it is emptier no longer, then it returns with the next message, and still nothing waits for anybody', () => {
    const { turn, hear, snapshot, row, record } = openShop();
    turn(SHOP, 'build', [[WORK, 'answers']]);
    hear(WORK, 0.8);
    expect(row()).toMatchObject({ isSpread: true, why: null });
    expect([homePhrase(record()), attentionOf(snapshot())]).toEqual(['Returns with the next message', []]);
  });

  it('when its lead is limited meanwhile, then it is away, for that', () => {
    const { turn, snapshot, row } = openShop();
    turn(SHOP, 'build', [[WORK, 'answers']], 'one');
    turn(SHOP, 'build', [[LEAD, LIMITED]], 'two');
    expect(attentionOf(snapshot()).map(({ kind }) => kind)).toEqual(['away']);
    const one = snapshot()
      .sessions.flatMap(({ agents }) => agents)
      .find(({ session }) => session === 'one');
    expect(one).toMatchObject({ why: { kind: 'rate_limit', from: LEAD, until: expect.any(Number) } });
    expect(one?.isSpread).toBeUndefined();
    expect(row().why?.near).toBeUndefined();
  });

  it('when it went there before a limit of its lead’s that has room again, then it stays there for the numbers', async () => {
    const { turn, tell, row, record, pass, said, snapshot } = openShop();
    const near = { ...week(0.98), id: '5h', lengthMs: 300 * MINUTE, resetInMs: MINUTE };
    tell({ type: 'headroom.seen', attempt: null, directory: SHOP, model: LEAD, windows: [near, week(0.72)] });
    turn(SHOP, 'build', [[WORK, 'answers']]);
    expect(row()).toMatchObject({ why: { near: { code: 'headroom.plan', used: 0.98 } } });
    expect([row().isSpread, attentionOf(snapshot()).map(({ kind }) => kind)]).toEqual([undefined, ['away']]);
    await pass(2 * MINUTE);
    expect([said(agentReason(record(), row())), attentionOf(snapshot())]).toEqual([
      `claude@work has more headroom: ${WHY}`,
      [],
    ]);
  });

  it('when it left before a limit and its lead is rate limited then, then reason and end are those of that failure', () => {
    const { turn, tell, snapshot, arm } = openShop();
    const near = { ...week(0.98), id: '5h', lengthMs: 300 * MINUTE, resetInMs: 60 * MINUTE };
    tell({ type: 'headroom.seen', attempt: null, directory: SHOP, model: LEAD, windows: [near, week(0.72)] });
    turn(SHOP, 'build', [[WORK, 'answers']], 'one');
    // A project that heeds no limits asks the lead all the same.
    arm(BLOG, { build: [LEAD, WORK] });
    turn(BLOG, 'build', [[LEAD, LIMITED]], 'two');
    const { models, sessions } = snapshot();
    const { at = 0 } = models.find(({ model }) => model === LEAD)?.lastFailure ?? {};
    const why = sessions.find(({ session }) => session === 'one')?.agents[0]?.why;
    expect(why).toEqual({ kind: 'rate_limit', status: 429, from: LEAD, until: expect.any(Number), source: 'provider' });
    expect((why?.until ?? 0) - at).toBeLessThan(60 * MINUTE);
  });

  it('when the account refuses and the turn goes on with its lead, then that is told as any failure is', async () => {
    const { turn, snapshot, pass } = openShop();
    turn(SHOP, 'build', [
      [WORK, LIMITED],
      [LEAD, 'answers'],
    ]);
    await pass(MINUTE);
    const [row] = snapshot().sessions.flatMap(({ agents }) => agents);
    expect(row).toMatchObject({ active: LEAD, position: 0, why: null });
    expect(snapshot().events.map(({ code }) => code)).toContain('switch.rate_limit');
  });
});
