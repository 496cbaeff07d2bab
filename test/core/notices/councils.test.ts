import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../src/contract/snapshot';
import { type CouncilPort, councilHandlers } from '../../../src/core/ports/council';
import type { CouncilRunRow } from '../../../src/features/council/contract/council-run';
import { noticeActs, noticeBody, noticeView } from '../../../src/wording/notice-words';
import { askingCouncil, councilRow } from '../../support/rows';
import { virtualClock } from '../virtual-core';
import { choosing, openToldCore } from './told-core';

const MINUTE = 60_000;

/** A core whose councils a test plays; each list of rows is how they are from then on. */
function openCouncils(options: Parameters<typeof openToldCore>[0] = {}) {
  let rows: readonly CouncilRunRow[] = [];
  const listeners = new Set<() => void>();
  const council: CouncilPort = {
    rows: () => rows,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    handlers: councilHandlers(null),
  };
  const test = openToldCore({ ...options, ports: { council } });
  const become = async (...next: readonly CouncilRunRow[]): Promise<void> => {
    rows = next;
    for (const listener of listeners) listener();
    await test.pass(1_000);
  };
  const snapshot = () => test.core.host.handlers['snapshot.get'](null) as Snapshot;
  return { ...test, become, snapshot };
}

/** The same run as it asks, until a minute from now. */
const asking = (wall: number, change: Partial<CouncilRunRow> = {}): CouncilRunRow => {
  const row = askingCouncil(change);
  return { ...row, question: row.question && { ...row.question, skipAt: wall + MINUTE } };
};

describe('given a run of a council', () => {
  it('when it asks, then that is told once, can be answered from there, and is taken back with the answer', async () => {
    const test = openCouncils();
    await test.become(councilRow());
    await test.become(asking(test.clock.wall()));
    await test.become({ ...asking(test.clock.wall()), rev: 13 });
    expect(test.lines()).toEqual(['N22 Council on storefront-api asks about a fallback model']);
    const [row] = (await test.list()).rows;
    expect(row && noticeBody(row)).toMatch(
      /^claude-sonnet-4-5 is rate limited\. Use claude-haiku-4-5 for Claude\? Without an answer the council continues without Claude at about \d\d:\d\d\.$/,
    );
    expect(row && noticeView(row)).toBe('#/council/r20260105-141000-a1b2');
    const acts = row ? noticeActs(row, test.snapshot()) : [];
    expect(acts.map((act) => ('ask' in act ? [act.label, act.ask] : [act.label]))).toEqual([
      ...(['Yes', 'No'] as const).map((label) => [
        label,
        {
          name: 'council.say',
          input: { run: row?.council?.run, word: { kind: 'answer', yes: label === 'Yes', question: 'q1' } },
        },
      ]),
      ['Open'],
    ]);

    await test.become(councilRow({ rev: 14 }));
    expect(test.lines().slice(1)).toEqual(['- N22']);
    expect(row && noticeActs(row, test.snapshot()).map(({ label }) => label)).toEqual(['Open']);
    expect((await test.list()).rows[0]?.isOver).toBe(true);
  });

  it('when another question follows, then the first is taken back and the other told', async () => {
    const test = openCouncils();
    await test.become(asking(test.clock.wall()));
    const next = asking(test.clock.wall());
    await test.become({ ...next, question: next.question && { ...next.question, id: 'q2', speaker: 'gpt' } });
    expect(test.lines().map((line) => line.slice(0, 5))).toEqual(['N22 C', '- N22', 'N22 C']);
  });

  it('when it pauses at its cap, then that is told; when it goes on, it is taken back', async () => {
    const test = openCouncils();
    await test.become(councilRow());
    await test.become(councilRow({ state: 'paused_for_user', spent: 2.01 }));
    const [row] = (await test.list()).rows;
    expect(test.lines()).toEqual(['N23 Council on storefront-api is paused at its cap']);
    expect(row && noticeBody(row)).toBe('$2.01 of $2.00 spent. It continues when you approve.');
    await test.become(councilRow({ cap: 4, spent: 2.01 }));
    expect(test.lines().slice(1)).toEqual(['- N23']);
  });

  it('when everybody is offline, then it says so; when whoever played it goes away, that is over', async () => {
    const test = openCouncils();
    await test.become(councilRow());
    await test.become(councilRow({ state: 'paused' }));
    await test.become(councilRow({ state: 'left', isPlayed: false }));
    expect(test.lines()).toEqual(['N23 Council on storefront-api is paused, all speakers offline', '- N23']);
  });

  it('when it has finished, then what it found is told, once', async () => {
    const test = openCouncils();
    await test.become(councilRow());
    const over = councilRow({ state: 'finished', isPlayed: false, endedAt: 1, headline: 'One hole.' });
    await test.become(over);
    await test.become(over);
    const [row] = (await test.list()).rows;
    expect(test.lines()).toEqual(['N24 Council on storefront-api has finished']);
    expect(row && noticeBody(row)).toBe('4 findings, 1 critical. Its report is ready.');
  });

  it.each(['brainstorm', 'code_brainstorm'] as const)(
    'when a %s has finished without an idea, then it says so, and not that it found nothing',
    async (activity) => {
      const test = openCouncils();
      const findings = { critical: 0, major: 0, minor: 0, praise: 0, unproved: 0 };
      await test.become(councilRow({ activity, findings }));
      await test.become(councilRow({ activity, findings, state: 'finished', isPlayed: false, endedAt: 1 }));
      const [row] = (await test.list()).rows;
      expect(row && noticeBody(row)).toBe('0 ideas. Its report is ready.');
    },
  );

  it.each<[string, Partial<CouncilRunRow>]>([
    ['finished', { state: 'finished', isPlayed: false }],
    ['stopped', { state: 'stopped', isPlayed: false }],
    ['paused', { state: 'paused' }],
    ['left', { state: 'left', isPlayed: false }],
    ['under way', {}],
  ])('when it is %s as the app starts, then nobody is told', async (_state, change) => {
    const test = openCouncils();
    await test.become(councilRow(change));
    await test.pass(MINUTE);
    expect(test.lines()).toEqual([]);
  });

  it('when it is removed as it asks, then the notice goes with it', async () => {
    const test = openCouncils();
    await test.become(asking(test.clock.wall()));
    await test.become();
    expect(test.lines().slice(1)).toEqual(['- N22']);
  });

  it('when a question is older than its time, then it is no news', async () => {
    const test = openCouncils({ clock: virtualClock() });
    await test.become(asking(test.clock.wall() - 2 * MINUTE));
    expect(test.lines()).toEqual([]);
  });

  it('when quiet hours are on or the kind is switched off, then it is not shown; the bell counts what waits', async () => {
    const all = { enabled: true, from: '00:00', until: '23:59' };
    const quiet = openCouncils({ preferences: choosing({ quietHours: all }) });
    await quiet.become(asking(quiet.clock.wall()));
    expect(quiet.lines()).toEqual([]);
    expect(quiet.snapshot()).toMatchObject({ unreadNotices: 1, urgentNotices: 1 });
  });

  it('when the app starts anew after that, then what was told stays in the list', async () => {
    const test = openCouncils();
    await test.become(councilRow());
    await test.become(councilRow({ state: 'finished', isPlayed: false }));
    const next = openToldCore({ clock: test.clock.nextLife() });
    next.core.replay(test.log);
    await next.pass(1_000);
    expect([next.lines(), await next.inbox()]).toEqual([[], ['N24 Council on storefront-api has finished']]);
  });
});
