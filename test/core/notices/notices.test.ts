import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../src/contract/snapshot';
import { ABILITIES, type CountedBudget, type Evidence } from '../../../src/engine';
import { PRESETS } from '../../../src/engine/tools';
import { attentionOf } from '../../../src/wording/attention';
import { attentionDetail, attentionLine } from '../../../src/wording/attention-words';
import { noticeBody, noticeTitle } from '../../../src/wording/notice-words';
import { COMPANION, configured, scopeOf } from '../virtual-core';
import { ALL, BROKEN, choosing, LIMITED, openToldCore, REJECTED } from './told-core';

const SHOP = '/home/u/shop';
const LEAD = 'anthropic/claude-sonnet';
const SPARE = 'openai/gpt-5';
const LAST = 'google/gemini';
const CHAIN = [LEAD, SPARE, LAST] as const;
const MINUTE = 60_000;
const GATEWAY: Evidence = { phase: 'body', status: 503 };
const SMALL = { retryBudget: { perSession: 3, warnAt: 2 } };

async function openShop(...args: Parameters<typeof openToldCore>) {
  const test = openToldCore(...args);
  test.connect();
  test.arm(SHOP, { build: CHAIN, plan: CHAIN, review: CHAIN, docs: CHAIN, notes: [LAST] });
  await test.pass(1_000);
  const fall = (agent: string) =>
    test.turn(SHOP, agent, [
      [LEAD, LIMITED],
      [SPARE, 'answers'],
    ]);
  return { ...test, fall };
}

describe('given an agent that falls back', () => {
  it('when 2 s have passed, then it is told once, however many messages follow', async () => {
    const test = await openShop();
    test.fall('plan');
    await test.pass(1_900);
    expect(test.lines()).toEqual([]);
    await test.pass(200);
    for (let at = 0; at < 5; at++) {
      test.turn(SHOP, 'plan', [[SPARE, 'answers']]);
      await test.pass(MINUTE);
    }
    expect(test.lines()).toEqual(['N1 plan now uses gpt-5']);
    expect(test.shown[0]?.push).toMatchObject({
      type: 'show',
      notice: {
        agents: ['plan'],
        project: 'shop',
        model: LEAD,
        to: SPARE,
        kind: 'rate_limit',
        status: 429,
        isLoud: false,
        isOver: false,
      },
    });
  });

  it('when its lead answers again, then it is taken away and N5 tells how long and how many turns', async () => {
    const test = await openShop();
    test.fall('plan');
    await test.pass(5 * MINUTE);
    test.turn(SHOP, 'plan', [[SPARE, 'answers']]);
    await test.pass(6 * MINUTE);
    test.turn(SHOP, 'plan', [[LEAD, 'answers']]);
    await test.pass(1_000);
    expect(test.lines()).toEqual(['N1 plan now uses gpt-5', 'N5 plan is back on claude-sonnet', '- N1']);
    const { rows } = await test.list();
    expect(rows[0]).toMatchObject({ notice: 'N5', figures: { turns: 2, lastedMs: 11 * MINUTE }, isOver: true });
    expect(rows[1]).toMatchObject({ notice: 'N1', isOver: true });
  });

  it('when it is home before 2 s have passed, then nothing is told', async () => {
    const test = await openShop();
    test.turn(SHOP, 'plan', [
      [LEAD, BROKEN],
      [SPARE, 'answers'],
    ]);
    test.turn(SHOP, 'plan', [[LEAD, 'answers']]);
    await test.pass(MINUTE);
    expect([test.lines(), await test.inbox()]).toEqual([[], []]);
  });

  it('when time passes and its lead is ready again, but nobody asks it, then it is not over', async () => {
    const test = await openShop();
    test.fall('plan');
    await test.pass(60 * MINUTE);
    const { rows } = await test.list();
    expect(rows.find(({ notice }) => notice === 'N1')).toMatchObject({ isOver: false });
    test.fall('plan');
    await test.pass(MINUTE);
    expect(test.lines().filter((line) => line.startsWith('N1 '))).toEqual(['N1 plan now uses gpt-5']);
  });
});

describe('given several agents that fall back', () => {
  it('when three do within 10 s, then one notice takes the place of those before', async () => {
    const test = await openShop();
    test.fall('plan');
    await test.pass(3_000);
    test.fall('build');
    test.fall('review');
    await test.pass(3_000);
    expect(test.lines()).toEqual(['N1 plan now uses gpt-5', '- N1', 'N2 3 agents switched models']);
    expect(test.shown.at(-1)?.push).toMatchObject({
      notice: { agents: ['plan', 'build', 'review'], model: LEAD, kind: 'rate_limit', project: 'shop' },
    });
  });

  it('when a fourth follows within 10 s, then the notice grows under its key', async () => {
    const test = await openShop();
    for (const agent of ['plan', 'build', 'review']) test.fall(agent);
    await test.pass(4_000);
    test.fall('docs');
    await test.pass(4_000);
    expect(test.lines()).toEqual(['N2 3 agents switched models', 'N2 4 agents switched models']);
    expect(new Set(test.shown.map(({ push }) => push.type === 'show' && push.notice.key)).size).toBe(1);
    expect(await test.inbox()).toEqual(['N2 4 agents switched models']);
  });

  it('when three do within a minute, then each is told', async () => {
    const test = await openShop();
    for (const agent of ['plan', 'build', 'review']) {
      test.fall(agent);
      await test.pass(20_000);
    }
    expect(test.lines().length).toBe(3);
  });
});

describe('given a chain that is exhausted', () => {
  const exhaust = (test: Awaited<ReturnType<typeof openShop>>) =>
    test.turn(
      SHOP,
      'build',
      CHAIN.map((model) => [model, LIMITED] as const),
    );

  it('when nobody is left, then it is told at once and loudly, and that it can go on once a model has answered', async () => {
    const test = await openShop();
    exhaust(test);
    await test.pass(100);
    expect(test.shown[0]?.push).toMatchObject({
      notice: { notice: 'N3', agents: ['build'], figures: { of: 3 }, isLoud: true },
    });
    await test.pass(MINUTE);
    exhaust(test);
    await test.pass(20 * MINUTE);
    test.turn(SHOP, 'plan', [[SPARE, 'answers']]);
    await test.pass(1_000);
    expect(test.lines()).toEqual(['N3 build has no model left', 'N4 build is working again', '- N3']);
  });

  it('when a probe by hand succeeds, then that proves it as well', async () => {
    const result = { ok: true, tookMs: 900, cost: 0.001 } as never;
    const test = await openShop({ ports: { probe: async () => result } });
    exhaust(test);
    await test.pass(1_000);
    const { rev } = await test.core.host.handlers['snapshot.get'](null);
    await test.core.host.handlers['model.probe']({ model: LAST, rev } as never);
    await test.pass(1_000);
    expect(test.lines().slice(1)).toEqual(['N4 build is working again', '- N3']);
  });

  it('when it was muted meanwhile, then N4 is not shown either, and both are listed', async () => {
    const preferences = choosing({ chosen: ALL, mutedUntil: Number.MAX_SAFE_INTEGER });
    const test = await openShop({ preferences });
    exhaust(test);
    await test.pass(1_000);
    await test.pass(20 * MINUTE);
    preferences.choose({ mutedUntil: null });
    test.turn(SHOP, 'build', [[SPARE, 'answers']]);
    await test.pass(1_000);
    expect(test.lines()).toEqual([]);
    expect((await test.inbox()).slice(0, 2)).toEqual(['N3 build has no model left', 'N4 build is working again']);
  });
});

describe('given what needs a person', () => {
  it('when a key is rejected, then its provider is told of once, until one of its models answers', async () => {
    const test = await openShop();
    for (const agent of ['plan', 'build'])
      test.turn(SHOP, agent, [
        [LEAD, REJECTED],
        [SPARE, 'answers'],
      ]);
    await test.pass(1_000);
    expect(test.lines()).toEqual(['N6 anthropic needs attention']);
    await test.core.host.handlers['health.reset']({ target: { all: true }, rev: 1_000, actor: 'panel' });
    test.turn(SHOP, 'plan', [
      [LEAD, REJECTED],
      [SPARE, 'answers'],
    ]);
    await test.pass(5_000);
    expect(test.lines().filter((line) => line.startsWith('N6'))).toHaveLength(1);
    await test.core.host.handlers['health.reset']({ target: { all: true }, rev: 1_000, actor: 'panel' });
    test.turn(SHOP, 'plan', [[LEAD, 'answers']]);
    await test.pass(5_000);
    expect(test.lines()).toContain('- N6');
  });

  it('when a model fails and comes back four times in ten minutes, then it is told that it is held', async () => {
    const test = await openShop();
    const { health: own } = scopeOf();
    const health = { ...own, restMs: 0, breaker: { ...own.breaker, failureThreshold: 1, cooldownMs: 1_000 } };
    test.arm(SHOP, { plan: CHAIN }, { health });
    for (let at = 0; at < 6; at++) {
      test.turn(SHOP, 'plan', [
        [LEAD, { phase: 'body', status: 500, message: 'no' }],
        [SPARE, 'answers'],
      ]);
      await test.pass(5_000);
    }
    expect(test.lines().filter((line) => line.startsWith('N7'))).toEqual(['N7 claude-sonnet is unstable']);
  });
});

describe('given a session whose requests fail', () => {
  const failing = (test: Awaited<ReturnType<typeof openShop>>) =>
    test.turn(SHOP, 'build', [
      [LEAD, 'answers'],
      [LEAD, BROKEN],
      [SPARE, 'answers'],
      [SPARE, BROKEN],
    ]);
  const told = (test: Awaited<ReturnType<typeof openShop>>) => test.lines().filter((line) => /N1[789]/.test(line));

  it('when half have failed for two minutes, then it is told once, and taken away when they are answered again', async () => {
    const test = await openShop();
    failing(test);
    await test.pass(2 * MINUTE - 1_000);
    expect(told(test)).toEqual([]);
    await test.pass(2_000);
    expect(told(test)).toEqual(['N17 Requests of build keep failing']);
    test.turn(SHOP, 'build', [[LAST, 'answers']]);
    await test.pass(1_000);
    expect(told(test)).toEqual(['N17 Requests of build keep failing', '- N17']);
    expect((await test.list()).rows.find(({ notice }) => notice === 'N17')).toMatchObject({
      agents: ['build'],
      project: 'shop',
      session: `${SHOP}-build`,
      isOver: true,
    });
  });

  it('when they are answered again within that time, then nothing is told', async () => {
    const test = await openShop();
    failing(test);
    for (let turns = 0; turns < 2; turns++) test.turn(SHOP, 'build', [[LAST, 'answers']]);
    await test.pass(3 * MINUTE);
    expect(told(test)).toEqual([]);
  });

  it('when nobody is left meanwhile, then that alone is told', async () => {
    const test = await openShop();
    test.turn(SHOP, 'build', [
      [LEAD, LIMITED],
      [SPARE, LIMITED],
      [LAST, 'answers'],
    ]);
    await test.pass(MINUTE);
    test.turn(SHOP, 'build', [[LAST, LIMITED]]);
    await test.pass(3 * MINUTE);
    expect(test.lines().filter((line) => !/N[12] /.test(line))).toEqual(['N3 build has no model left']);
  });

  it('when ten fail within five minutes, in whatever sessions, then that is told once', async () => {
    const test = await openShop();
    const agents = ['build', 'plan', 'review', 'docs', 'notes'];
    test.arm(SHOP, Object.fromEntries(agents.map((agent) => [agent, [`${agent}/lead`, `${agent}/spare`]])));
    for (const agent of agents)
      test.turn(SHOP, agent, [
        [`${agent}/lead`, BROKEN],
        [`${agent}/spare`, BROKEN],
      ]);
    await test.pass(MINUTE);
    expect(told(test)).toEqual(['N18 Many requests fail']);
    expect((await test.list()).rows.find(({ notice }) => notice === 'N18')).toMatchObject({
      figures: { count: 10 },
      isOver: true,
    });
  });

  it('when a session has used most of its retries, and then all, then each is told once', async () => {
    const test = await openShop();
    const plan = { ...scopeOf().agents['*'], chain: CHAIN, policy: PRESETS.steady } as never;
    test.arm(SHOP, { build: CHAIN }, { agents: { build: plan }, abilities: [...ABILITIES], ...SMALL });
    test.turn(SHOP, 'build', [
      [LEAD, GATEWAY],
      [LEAD, GATEWAY],
      [LEAD, GATEWAY],
      [LEAD, GATEWAY],
    ]);
    await test.pass(MINUTE);
    const { rows } = await test.list();
    expect(rows.filter(({ notice }) => notice === 'N19').map(({ figures }) => figures)).toEqual([
      { count: 3, of: 3 },
      { count: 2, of: 3 },
    ]);
    // The second within a minute is in the list alone.
    expect(told(test)).toEqual(['N19 build has used 2 of 3 retries']);
  });
});

describe('given a companion that goes away', () => {
  it('when somebody was at work and it is not back in 30 s, then contact is lost, until it is back', async () => {
    const test = await openShop();
    test.turn(SHOP, 'build', [[LEAD, 'answers']]);
    test.core.lost('i1');
    await test.pass(29_000);
    expect(test.lines()).toEqual([]);
    await test.pass(2_000);
    expect(test.lines()).toEqual(['N8 Lost contact with OpenCode']);
    test.connect();
    await test.pass(1_000);
    expect(test.lines()).toEqual(['N8 Lost contact with OpenCode', '- N8']);
  });

  it.each([
    ['it is back within 30 s', (test: Awaited<ReturnType<typeof openShop>>) => void test.connect()],
    ['it had taken its leave', () => undefined],
  ])('when %s, then nothing is told', async (what, then) => {
    const test = await openShop();
    test.turn(SHOP, 'build', [[LEAD, 'answers']]);
    if (what.includes('leave')) test.tell({ type: 'scope.closed', directory: SHOP });
    test.core.lost('i1');
    await test.pass(10_000);
    then(test);
    await test.pass(MINUTE);
    expect(test.lines().filter((line) => line.startsWith('N8'))).toEqual([]);
  });

  it('when another OpenCode goes on in the same project, then nothing is told', async () => {
    const test = await openShop();
    test.turn(SHOP, 'build', [[LEAD, 'answers']]);
    test.core.connected({ ...COMPANION, instance: 'i2', epoch: 'e2' });
    test.core.told('i2', { seq: 1, ageMs: 0, sentAt: test.clock.wall(), event: configured(SHOP, CHAIN) });
    test.tell({ type: 'scope.closed', directory: SHOP });
    test.core.lost('i1');
    await test.pass(MINUTE);
    expect(test.lines()).toEqual([]);
  });

  it('when nobody had spoken, then nothing is told', async () => {
    const test = await openShop();
    test.core.lost('i1');
    await test.pass(MINUTE);
    expect(test.lines()).toEqual([]);
  });
});

describe('given versions, sessions, prices, files and updates', () => {
  it('when a companion of another version knocks every 5 s, then it is told once', async () => {
    const test = openToldCore();
    for (let at = 0; at < 20; at++) {
      test.core.incompatible({ instance: 'i9', epoch: 'e9', pid: 9, opencode: '1', plugin: '9.0.0' });
      await test.pass(5_000);
    }
    expect(test.lines()).toEqual(['N9 Companion and app versions differ']);
  });

  it('when a session with a fallback is over, then its figures are told', async () => {
    const test = await openShop();
    test.fall('plan');
    test.turn(SHOP, 'notes', [[LAST, 'answers']]);
    await test.pass(31 * MINUTE);
    expect(test.lines().filter((line) => line.startsWith('N10'))).toEqual(['N10 Session finished: 1 turn, 1 fallback']);
  });

  it('when who takes over costs more than three times as much, then that is told in place of the switch', async () => {
    const test = await openShop();
    test.arm(
      SHOP,
      { plan: CHAIN },
      { models: { [LEAD]: { priceIn: 3, priceOut: 15 }, [SPARE]: { priceIn: 12, priceOut: 60 } } },
    );
    test.fall('plan');
    await test.pass(5_000);
    expect(test.lines()).toEqual(['N11 plan uses a costlier model']);
    expect((await test.list()).rows.map(({ notice, figures }) => [notice, figures.times])).toEqual([
      ['N1', undefined],
      ['N11', 4],
    ]);
  });

  it.each([
    ['costs three times as much', { priceIn: 9, priceOut: 45 }],
    ['has no price', {}],
  ])('when who takes over %s, then only the switch is told', async (_, facts) => {
    const test = await openShop();
    test.arm(SHOP, { plan: CHAIN }, { models: { [LEAD]: { priceIn: 3, priceOut: 15 }, [SPARE]: facts } });
    test.fall('plan');
    await test.pass(5_000);
    expect(test.lines()).toEqual(['N1 plan now uses gpt-5']);
  });

  it('when a known configuration file is another than before, then it is told, unless it was written here', async () => {
    const setup = { answer: async () => ({ ok: true }) as never };
    const test = await openShop({ ports: { setup } });
    const row = (edition: string) => [{ path: '/home/u/shop/x.json', directory: SHOP, edition, problems: [] }];
    for (const edition of ['a', 'a']) test.core.setConfig(row(edition));
    await test.pass(1_000);
    expect(test.lines()).toEqual([]);
    test.core.setConfig(row('b'));
    await test.pass(1_000);
    expect(test.lines()).toEqual(['N12 Configuration edited elsewhere']);
    await test.core.host.handlers['config.apply']({ directory: SHOP } as never);
    test.core.setConfig(row('c'));
    await test.pass(MINUTE);
    expect(test.lines()).toEqual(['N12 Configuration edited elsewhere']);
  });

  it('when a file is another by what Understudy’s own command line has written, then nobody is told', async () => {
    const written = new Set(['/home/u/shop/x.json']);
    const setup = { answer: async () => ({}) as never, hasWritten: async (path: string) => written.has(path) };
    const test = await openShop({ ports: { setup } });
    const row = (edition: string) => [{ path: '/home/u/shop/x.json', directory: SHOP, edition, problems: [] }];
    for (const edition of ['a', 'b']) test.core.setConfig(row(edition));
    await test.pass(1_000);
    const before = test.lines();
    written.clear();
    test.core.setConfig(row('c'));
    await test.pass(1_000);
    expect([before, test.lines()]).toEqual([[], ['N12 Configuration edited elsewhere']]);
  });

  it('when an update is ready, then it is told once, however often it is found', async () => {
    const test = openToldCore();
    for (let at = 0; at < 3; at++) {
      test.core.updateReady('0.2.0');
      await test.pass(MINUTE);
    }
    expect(test.lines()).toEqual(['N13 Understudy 0.2.0 is ready']);
  });
});

describe('given what people have chosen', () => {
  it('when a notice is not chosen, then it is listed and not shown', async () => {
    const test = await openShop({ preferences: choosing({ chosen: { ...ALL, N1: false } }) });
    test.fall('plan');
    await test.pass(5_000);
    expect([test.lines(), await test.inbox()]).toEqual([[], ['N1 plan now uses gpt-5']]);
  });

  it('when a choice changes in the file, then it holds for the next notice', async () => {
    const preferences = choosing({ chosen: { ...ALL, N1: false } });
    const test = await openShop({ preferences });
    test.fall('plan');
    await test.pass(5_000);
    preferences.choose({ chosen: ALL });
    test.fall('build');
    await test.pass(5_000);
    expect(test.lines()).toEqual(['N1 build now uses gpt-5']);
  });

  it('when a row has been read, then it counts no more, and the snapshot says so', async () => {
    const test = await openShop();
    test.fall('plan');
    await test.pass(5_000);
    const unread = async () => (await test.core.host.handlers['snapshot.get'](null)).unreadNotices;
    const before = await unread();
    const { rows } = await test.list();
    await test.core.host.handlers['notices.read']({ upTo: rows[0]?.id ?? 0 });
    expect([before, await unread(), (await test.list()).unread]).toEqual([1, 0, 0]);
  });
});

describe('given limits', () => {
  it('when an agent falls back and comes home all the time, then it is told at most once a minute', async () => {
    const test = await openShop({ preferences: choosing({ chosen: { ...ALL, N5: false, N7: false } }) });
    for (let at = 0; at < 6; at++) {
      test.turn(SHOP, 'plan', [
        [LEAD, BROKEN],
        [SPARE, 'answers'],
      ]);
      await test.pass(3_000);
      test.turn(SHOP, 'plan', [[LEAD, 'answers']]);
      await test.pass(3_000);
    }
    expect(test.lines().filter((line) => line.startsWith('N1'))).toHaveLength(1);
    expect((await test.inbox()).filter((line) => line.startsWith('N1')).length).toBeGreaterThan(1);
  });

  it('when the machine slept longer than 5 min while something waited, then it is listed and not shown', async () => {
    const test = await openShop();
    test.fall('plan');
    await test.pass(1_000);
    test.clock.sleep(6 * MINUTE);
    test.core.woken();
    await test.pass(5_000);
    expect([test.lines(), await test.inbox()]).toEqual([[], ['N1 plan now uses gpt-5']]);
  });

  it('when a companion tells of what happened six minutes ago, then nobody is told', async () => {
    const test = await openShop();
    let seq = 100;
    const old = (event: Parameters<typeof test.tell>[0]) =>
      test.core.told('i1', { seq: ++seq, ageMs: 6 * MINUTE, sentAt: test.clock.wall(), event });
    const about = { turn: 'old', session: 's', directory: SHOP, agent: 'plan' };
    old({ type: 'prompt.submitted', ...about, model: LEAD, hostLead: LEAD, isExplicit: false });
    old({ type: 'attempt.started', attempt: 'o1', ...about, model: LEAD, purpose: 'turn' });
    old({ type: 'attempt.failed', attempt: 'o1', durationMs: 4, evidence: LIMITED as never });
    await test.pass(MINUTE);
    expect([test.lines(), await test.inbox()]).toEqual([[], []]);
    test.fall('plan');
    await test.pass(MINUTE);
    expect(await test.inbox()).toEqual([]);
  });
});

describe('given a plan that is used up', () => {
  const HOUR = 60 * MINUTE;
  const hear = (test: Awaited<ReturnType<typeof openShop>>, used: number, resetInMs = HOUR) =>
    test.tell({
      ...{ type: 'headroom.seen', attempt: null, directory: SHOP, model: LEAD },
      windows: [
        {
          ...{ id: 'unified-5h', unit: 'share', lengthMs: 5 * HOUR, of: 'account', used, limit: null, remaining: null },
          ...{ resetInMs, refills: 'at_reset', charges: 'used' },
        },
      ],
    });

  it('when it passes 80 and 95 %, then each is told once, and anew when the plan has begun anew', async () => {
    const test = await openShop();
    for (const used of [0.5, 0.79, 0.81, 0.9, 0.96, 0.99]) {
      hear(test, used);
      await test.pass(1_000);
    }
    expect(test.lines().map((line) => line.replaceAll('\u202f', ' '))).toEqual([
      'N14 anthropic, 5 h limit: 81 % used',
      'N14 anthropic, 5 h limit: 96 % used',
    ]);
    await test.pass(2 * HOUR);
    hear(test, 0.82, 5 * HOUR);
    await test.pass(1_000);
    expect(test.lines()).toHaveLength(3);
  });

  it('when it is one that we count ourselves, then it is told as an estimate, once for each mark', async () => {
    const test = await openShop();
    for (const used of [50, 81, 82, 96, 99]) {
      test.tell({
        type: 'headroom.counted',
        accounts: [
          [
            'kimi@0123456789ab',
            [
              {
                ...{ id: 'counted-requests-100-5h', unit: 'requests', lengthMs: 5 * HOUR, of: 'account', limit: 100 },
                ...{ used: used / 100, remaining: 100 - used, resetInMs: HOUR, refills: 'at_reset', charges: 'used' },
              },
            ],
          ],
        ],
      });
      await test.pass(1);
    }
    expect(test.lines().map((line) => line.replaceAll('\u202f', ' '))).toEqual([
      'N14 kimi, requests in 5 h: about 81 % used (estimate)',
      'N14 kimi, requests in 5 h: about 96 % used (estimate)',
    ]);
  });

  it('when an agent moves before its limit, then that is told, and it is no failure; when the lead is back, it is over', async () => {
    const test = await openShop();
    test.arm(SHOP, { build: CHAIN }, { headroom: { act: 'move', moveAt: 0.97 } });
    hear(test, 0.97);
    test.turn(SHOP, 'build', [[SPARE, 'answers']]);
    await test.pass(3_000);
    const row = test.shown.map(({ push }) => push).find((push) => push.type === 'show' && push.notice.notice === 'N15');
    expect(row?.type === 'show' && [noticeTitle(row.notice), noticeBody(row.notice).replaceAll('\u202f', ' ')]).toEqual(
      [
        'build now uses gpt-5',
        expect.stringMatching(/^claude-sonnet has used 97 % of its 5 h limit\. Back about \d\d:\d\d\.$/),
      ],
    );
    await test.pass(2 * HOUR);
    test.turn(SHOP, 'build', [[LEAD, 'answers']]);
    await test.pass(3_000);
    expect(test.lines().at(-1)).toMatch(/^- N15/);
  });
});

describe('given a budget of the user’s', () => {
  const count = (test: Awaited<ReturnType<typeof openShop>>, spent: number, over: Partial<CountedBudget> = {}) =>
    test.tell({
      type: 'money.counted',
      levels: [
        {
          ...{
            id: 'day 1',
            period: 'day',
            action: 'stop',
            provider: null,
            agent: null,
            directory: null,
            session: null,
          },
          ...{ limit: 5, spent, maxPrice: null, endsInMs: 60 * MINUTE, isAllowed: false, ...over },
        },
      ],
    });

  it('when it fills up, then it is told at 80 % and at all of it, once each', async () => {
    const test = await openShop();
    for (const spent of [3, 4.2, 4.5, 5.1, 6]) {
      count(test, spent);
      await test.pass(1_000);
    }
    expect(test.lines()).toEqual(['N16 A budget is nearly spent', 'N16 A budget is spent']);
  });

  it('when an agent sends nothing more for it, then it is told at once, and it is not said that no model is left', async () => {
    const test = await openShop();
    test.arm(SHOP, { build: CHAIN });
    count(test, 5.12);
    test.turn(SHOP, 'build', [[LEAD, 'answers']]);
    await test.pass(1_000);
    expect(test.lines()).toEqual(['N16 A budget is spent', 'N16 build has stopped: a budget is spent']);
    const snapshot = test.core.host.handlers['snapshot.get'](null) as Snapshot;
    const [row] = snapshot.sessions.flatMap(({ agents }) => agents);
    expect(row).toMatchObject({ status: 'exhausted', halted: { near: { code: 'money.day', limit: 5 } } });
    const [item] = attentionOf(snapshot);
    expect([attentionLine(snapshot), item && attentionDetail(item, snapshot)]).toEqual([
      'The budget for build is spent.',
      expect.stringMatching(
        /^\$5\.12 of today’s \$5\.00 are spent, so nothing is sent\. It resets \S+\. Your session is safe\.$/,
      ),
    ]);
    // On the next day nothing is in its way.
    await test.pass(61 * MINUTE);
    const later = test.core.host.handlers['snapshot.get'](null) as Snapshot;
    expect(later.sessions.flatMap(({ agents }) => agents)[0]?.halted).toBeUndefined();
  });
});
