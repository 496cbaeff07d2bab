import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../src/contract/snapshot';
import { PRESETS } from '../../../src/engine/tools';
import { noticeActs, noticeBody } from '../../../src/wording/notice-words';
import { prompted, started, succeeded } from '../virtual-core';
import { choosing, LIMITED, openToldCore } from './told-core';

const SHOP = '/home/u/shop';
const MINUTE = 60_000;
const [LEAD, SPARE] = ['lead/one', 'spare/two'] as const;

/** A project in which one agent has nobody to stand in for it, and a turn of which the host has been given the failure. */
async function openStuck(retryAfter = '600', preferences = choosing(), passedMs = 3_000) {
  const test = openToldCore({ preferences });
  test.connect();
  test.arm(SHOP, { build: [LEAD] });
  const about = { turn: 't1', session: 's1', directory: SHOP, agent: 'build' };
  test.tell(prompted({ ...about, model: LEAD, hostLead: LEAD }));
  const fail = (attempt: string) => {
    test.tell(started({ ...about, attempt, model: LEAD }));
    const evidence = { ...LIMITED, headers: { 'retry-after': retryAfter }, seenAt: test.clock.wall() } as never;
    test.tell({ type: 'attempt.failed', attempt, durationMs: 40, evidence });
  };
  fail('a1');
  await test.pass(passedMs);
  return { ...test, about, fail };
}

describe('given an agent that nobody stands in for, whose provider names a time', () => {
  it('when its host ends the turn within two seconds, then it never was stuck', async () => {
    const test = await openStuck('600', choosing(), 1_900);
    expect(test.lines()).toEqual([]);
    test.tell({ type: 'session.idle', session: 's1' });
    await test.pass(MINUTE);
    expect(test.lines()).toEqual([]);
  });

  it('when its host waits with the turn for ten minutes, then it is told after two seconds, until when, and why', async () => {
    const test = await openStuck();
    const [row] = (await test.list()).rows;
    expect(test.lines()).toEqual([expect.stringMatching(/^N20 build is stuck until about \d\d:\d\d$/)]);
    expect(row).toMatchObject({
      agents: ['build'],
      project: 'shop',
      session: 's1',
      model: LEAD,
      isLoud: true,
      isOver: false,
    });
    expect(row && noticeBody(row)).toBe('one is rate limited (429). OpenCode keeps retrying it.');
  });

  it('when it is asked again and fails again for hours, then it is told once; when it answers, that is over', async () => {
    const test = await openStuck();
    for (let attempt = 2; attempt < 20; attempt++) {
      await test.pass(10 * MINUTE);
      test.fail(`a${attempt}`);
    }
    await test.pass(10 * MINUTE);
    test.tell(started({ ...test.about, attempt: 'a20', model: LEAD }));
    await test.pass(1_000);
    const told = () => test.lines().filter((line) => line.includes('N20'));
    expect(told()).toHaveLength(1);
    test.tell(succeeded('a20'));
    await test.pass(1_000);
    expect(told().slice(1)).toEqual(['- N20']);
  });

  it('when it lasts, then the bell has one that needs somebody; when it is over, it is there to be read', async () => {
    const test = await openStuck();
    const counts = async () => {
      const { unreadNotices, urgentNotices } = await test.core.host.handlers['snapshot.get'](null);
      return [unreadNotices, urgentNotices];
    };
    const before = await counts();
    test.tell({ type: 'session.idle', session: 's1' });
    await test.pass(1_000);
    expect([before, await counts()]).toEqual([
      [1, 1],
      [1, 0],
    ]);
  });

  it('when another model is asked for it, then the notice is taken away', async () => {
    const test = await openStuck();
    test.tell(started({ ...test.about, attempt: 'a2', model: SPARE }));
    await test.pass(1_000);
    expect(test.lines().slice(1)).toEqual(['- N20']);
  });

  it('when its OpenCode is killed, then nothing of it stands still any more, and the notice is taken away', async () => {
    const test = await openStuck();
    test.core.lost('i1');
    await test.pass(1_000);
    expect(test.lines()).toContain('- N20');
  });

  it('when a person ends the turn, then it is taken away', async () => {
    const test = await openStuck();
    test.tell({ type: 'session.idle', session: 's1' });
    await test.pass(1_000);
    expect(test.lines().slice(1)).toEqual(['- N20']);
  });

  it('when it waits for less than a minute, then nobody is told', async () => {
    expect((await openStuck('50')).lines()).toEqual([]);
  });

  it('when quiet hours are on, then it is told all the same: work has stopped', async () => {
    const all = { enabled: true, from: '00:00', until: '23:59' };
    expect((await openStuck('600', choosing({ quietHours: all }))).lines()).toHaveLength(1);
  });

  it('when its app starts anew, then it is not told a second time, and is over when the turn goes on', async () => {
    const test = await openStuck();
    const next = openToldCore({ clock: test.clock.nextLife() });
    next.core.replay(test.log);
    next.connect();
    await next.pass(1_000);
    expect(next.lines()).toEqual([]);
  });
});

describe('given an agent whose policy asks a person', () => {
  async function openAsked() {
    const test = openToldCore();
    test.connect();
    const plan = { chain: [LEAD, SPARE], policy: PRESETS.council } as never;
    test.arm(SHOP, {}, { agents: { build: plan }, abilities: ['ask', 'hold.other'] });
    const about = { turn: 't1', session: 's1', directory: SHOP, agent: 'build' };
    test.tell(prompted({ ...about, model: LEAD, hostLead: LEAD }));
    test.tell(started({ ...about, attempt: 'a1', model: LEAD }));
    const evidence = {
      phase: 'body',
      status: 401,
      message: 'Incorrect API key provided',
      seenAt: test.clock.wall(),
    } as never;
    test.tell({ type: 'attempt.failed', attempt: 'a1', durationMs: 40, evidence });
    await test.pass(1_000);
    return test;
  }

  it('when its question waits, then it is told at once, and can be answered from there', async () => {
    const test = await openAsked();
    const snapshot = test.core.host.handlers['snapshot.get'](null) as Snapshot;
    const row = (await test.list()).rows.find(({ notice }) => notice === 'N21');
    expect(test.lines()).toContain('N21 build waits for your answer');
    expect(row && noticeBody(row)).toBe('May two answer instead?');
    expect(row && noticeActs(row, snapshot).map((act) => [act.label, 'ask' in act ? act.ask.input : 'view'])).toEqual([
      [
        'Yes',
        { act: { type: 'question.answered', question: snapshot.questions[0]?.id, yes: true }, rev: snapshot.rev },
      ],
      [
        'No',
        { act: { type: 'question.answered', question: snapshot.questions[0]?.id, yes: false }, rev: snapshot.rev },
      ],
      ['Open', 'view'],
    ]);
  });

  it.each([true, false])('when it is answered with %s, then the notice is taken away', async (yes) => {
    const test = await openAsked();
    const { questions, rev } = test.core.host.handlers['snapshot.get'](null) as Snapshot;
    const act = { type: 'question.answered', question: questions[0]?.id ?? '', yes } as const;
    void test.core.host.handlers['person.act']({ act, rev, actor: 'panel' });
    await test.pass(1_000);
    expect(test.lines()).toContain('- N21');
  });

  it('when nobody answers in time, then the notice is taken away', async () => {
    const test = await openAsked();
    await test.pass(2 * MINUTE);
    expect(test.lines()).toContain('- N21');
  });
});
