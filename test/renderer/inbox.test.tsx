import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { QueryInput } from '../../src/contract/contract';
import type { NoticeRow } from '../../src/contract/notices';
import { NOTICES } from '../../src/contract/preferences';
import { noticeActs, noticeTitle } from '../../src/wording/notice-words';
import { noticeRow, oneOfEach } from '../support/sample-notices';
import { SAMPLE_AT, sampleSnapshot } from '../support/sample-snapshot';
import { press, renderPanel, ScriptedCore, textOf } from './render-panel';

/** One notice of each kind, and the digest. */
const EACH = NOTICES.length + 1;

let shown: ReturnType<typeof renderPanel> | null = null;
let core: ScriptedCore;
let rows: readonly NoticeRow[];

beforeEach(() => {
  localStorage.clear();
  rows = oneOfEach(SAMPLE_AT);
  core = new ScriptedCore({ ...sampleSnapshot(), unreadNotices: 8 });
  core.handlers = {
    ...core.handlers,
    'notices.list': ({ offset, limit }) => ({
      rows: rows.slice(offset, offset + limit),
      total: rows.length,
      unread: rows.filter(({ isRead }) => !isRead).length,
    }),
  };
});
afterEach(() => {
  shown?.remove();
  shown = null;
  vi.restoreAllMocks();
});

async function show(address = '#/now?notices'): Promise<HTMLElement> {
  shown = renderPanel(core, address);
  await act(async () => {});
  return shown.page;
}
const inbox = (page: Element) => page.querySelector('.inbox');
const items = (page: Element) => [...page.querySelectorAll('.notice')];
const button = (page: Element, name: string) =>
  [...page.querySelectorAll<HTMLElement>('button')].find(
    (each) => (each.getAttribute('aria-label') ?? textOf(each)) === name,
  );
const asked = (name: string) => core.asked.filter((each) => each.name === name).map(({ input }) => input);
/** The address changes, and whoever hears of it has drawn. */
const settled = () => act(async () => void (await new Promise((resolve) => setTimeout(resolve))));

describe('given notices that nobody has read', () => {
  it.each([
    [{ unreadNotices: 0, urgentNotices: 0 }, 'Notices', '', false],
    [{ unreadNotices: 5, urgentNotices: 2 }, 'Notices, 2 need you, 5 unread', '2', false],
    [{ unreadNotices: 5, urgentNotices: 1 }, 'Notices, 1 needs you, 5 unread', '1', false],
    [{ unreadNotices: 5, urgentNotices: 0 }, 'Notices, 5 unread', '', true],
    [{ unreadNotices: 120, urgentNotices: 100 }, 'Notices, 100 need you, 120 unread', '99+', false],
  ])('when they are %j, then the bell counts those that need somebody', async (change, label, count, hasDot) => {
    shown = renderPanel(new ScriptedCore({ ...sampleSnapshot(), ...change }), '#/now');
    await act(async () => {});
    const bell = shown.page.querySelector('.bell');
    expect([bell?.getAttribute('aria-label'), textOf(bell), bell?.querySelector('.bell-dot') !== null]).toEqual([
      ...[label, count, hasDot],
    ]);
  });
});

describe('given the bell', () => {
  it('when eight are unread, then its name and its sign say so, and it opens and closes them beside the view', async () => {
    const page = await show('#/events?code=switch');
    const bell = button(page, 'Notices, 8 unread');
    expect([textOf(bell), bell?.getAttribute('aria-expanded'), inbox(page)]).toEqual(['', 'false', null]);
    bell?.focus();
    await press(bell);
    await settled();
    expect([window.location.hash, bell?.getAttribute('aria-expanded')]).toEqual([
      '#/events?code=switch&notices',
      'true',
    ]);
    expect(document.activeElement).toBe(inbox(page)?.querySelector('h2'));
    await press(bell);
    await settled();
    expect([window.location.hash, inbox(page)]).toEqual(['#/events?code=switch', null]);
  });

  it('when nothing is unread, then it says nothing of it', async () => {
    core = new ScriptedCore(sampleSnapshot());
    const page = await show('#/now');
    expect(textOf(button(page, 'Notices'))).toBe('');
  });

  it('when Escape is pressed in the notices, then they close and the focus is where it was', async () => {
    const page = await show('#/now');
    const bell = button(page, 'Notices, 8 unread');
    bell?.focus();
    await press(bell);
    await settled();
    act(
      () => void document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })),
    );
    await settled();
    expect([inbox(page), document.activeElement, window.location.hash]).toEqual([null, bell, '#/now']);
  });

  it('when g and i are pressed, or the palette is asked, then they open', async () => {
    const page = await show('#/now');
    for (const key of ['g', 'i']) act(() => void window.dispatchEvent(new KeyboardEvent('keydown', { key })));
    await settled();
    expect(inbox(page)).not.toBeNull();
    expect(shown?.panel.commands.all().find(({ id }) => id === 'notices')?.title).toBe('Show notices');
  });
});

describe('given notices', () => {
  it('when they are open, then each has its sentences, its time and whether it is unread or over', async () => {
    const page = await show();
    const [first] = items(page);
    expect(items(page).map((item) => item.getAttribute('data-notice'))).toEqual(rows.map(({ notice }) => notice));
    expect([first, items(page).at(-1)].map((item) => textOf(item?.querySelector('.notice-title')))).toEqual([
      'Unread: 5 notices during quiet hours',
      'build now uses gpt-5',
    ]);
    expect(textOf(page.querySelector('[data-notice=N4] .cap'))).toMatch(/^\d\d:\d\d:\d\d · shop · Resolved$/);
  });

  it('when the core offers acts of a notice, then all of them are here, and of one that is over only what leads somewhere', async () => {
    const page = await show();
    const snapshot = { ...sampleSnapshot(), unreadNotices: 8 };
    for (const row of rows) {
      const offered = noticeActs(row, snapshot).filter((each) => !row.isOver || 'view' in each);
      const item = page.querySelector(`[data-notice=${row.notice}]`);
      const drawn = [...(item?.querySelectorAll('.notice-acts > *') ?? [])];
      expect([row.notice, drawn.map(textOf)]).toEqual([row.notice, offered.map(({ label }) => label)]);
      for (const [index, each] of offered.entries())
        expect(drawn[index]?.getAttribute('href') ?? 'asks').toBe('view' in each ? each.view : 'asks');
    }
  });

  it('when all shall be reset while several sessions are live, then the dialog asks first', async () => {
    const page = await show();
    const row = rows.find(({ notice }) => notice === 'N3')!;
    const snapshot = sampleSnapshot();
    core.push({ ...snapshot, sessions: snapshot.sessions.map((session) => ({ ...session, isLive: true })) });
    await press(button(page, `Reset all: ${noticeTitle(row)}`));
    expect([asked('health.reset'), page.querySelector('dialog[open]') === null]).toEqual([[], false]);
  });

  it('when a button is pressed, then the core is asked with what was seen, and the outcome is told', async () => {
    const page = await show();
    const row = rows.find(({ notice }) => notice === 'N3')!;
    const reset = button(page, `Reset all: ${noticeTitle(row)}`);
    await press(reset);
    expect(asked('health.reset')).toEqual([{ target: { all: true }, rev: sampleSnapshot().rev }]);
    expect(textOf(page.querySelector('.toast'))).toBe('Every model is reset. The next requests may try it.');
    core.handlers = { ...core.handlers, 'health.reset': () => ({ accepted: false, reason: 'it has changed since.' }) };
    await press(reset);
    expect(textOf(page.querySelector('.toast [role=alert]'))).toBe('Not changed: it has changed since.');
  });

  it('when they are left, then all up to the newest that was shown count as read, and not before', async () => {
    const read = vi.fn((_: QueryInput<'notices.read'>) => ({ unread: 0 }));
    core.handlers = { ...core.handlers, 'notices.read': read };
    const page = await show();
    expect(read.mock.calls).toEqual([]);
    await press(button(page, 'Close the notices'));
    await settled();
    expect(read.mock.calls).toEqual([[{ upTo: EACH }]]);
  });

  it('when one more is heard of, then it is there', async () => {
    const page = await show();
    const notice = noticeRow({ id: 99, key: 'new', at: SAMPLE_AT, agents: ['scout'] });
    rows = [notice, ...rows];
    core.push({ type: 'show', notice }, 'notice');
    await act(async () => {});
    expect(textOf(items(page)[0]?.querySelector('.notice-title'))).toBe('Unread: scout now uses gpt-5');
  });

  it('when there are 61, then 25 are drawn at a time, and the others a button away', async () => {
    rows = Array.from({ length: 61 }, (_, index) =>
      noticeRow({ id: 61 - index, key: `k${index}`, agents: [`a${index}`] }),
    );
    const page = await show();
    const said = () => [items(page).length, textOf(page.querySelector('.inbox-turns [role=status]'))];
    expect(said()).toEqual([25, '1 to 25 of 61']);
    await press(button(page, 'Newer'));
    expect(said()).toEqual([25, '1 to 25 of 61']);
    await press(button(page, 'Older'));
    await press(button(page, 'Older'));
    expect(said()).toEqual([11, '51 to 61 of 61']);
    await press(button(page, 'Older'));
    expect(said()).toEqual([11, '51 to 61 of 61']);
  });
});

describe('given notices that cannot be shown', () => {
  it('when there are none, then it says so', async () => {
    rows = [];
    const page = await show();
    expect(textOf(inbox(page)?.querySelector('.inbox-empty'))).toBe(
      'No notices.All notices appear here, even those that the system did not show.',
    );
  });

  it('when the core does not answer, then it says why and can be asked again', async () => {
    const failing = () => Promise.reject(new Error('The disk is away.'));
    const { 'notices.list': listing } = core.handlers;
    core.handlers = { ...core.handlers, 'notices.list': failing };
    const page = await show();
    const alert = inbox(page)?.querySelector('[role=alert]');
    expect(textOf(alert)).toContain('The disk is away.');
    core.handlers = { ...core.handlers, 'notices.list': listing };
    await press(alert?.querySelector('button'));
    expect([items(page).length, inbox(page)?.querySelector('[role=alert]')]).toEqual([EACH, null]);
  });

  it('when contact is lost, then what is shown says as of when', async () => {
    const page = await show();
    core.link('lost');
    expect(textOf(inbox(page)?.querySelector('.inbox-note'))).toMatch(/^No contact, as of \d\d:\d\d:\d\d$/);
    expect(items(page).length).toBe(EACH);
  });
});

describe('given a system that shows no notices', () => {
  const system = (notices: { kind: 'unsupported' } | { kind: 'failed'; why: string }) => {
    core.handlers = {
      ...core.handlers,
      'shell.get': () => ({ kind: 'desktop', startsAtLogin: null, why: null, tray: null, notices }),
    };
  };
  const banner = (page: Element) => page.querySelector('.trouble');

  it.each([
    [{ kind: 'unsupported' as const }, 'This system cannot show notifications. All notices are in the panel.'],
    [
      { kind: 'failed' as const, why: 'not signed.' },
      'All notices are in the panel; the system does not show them: not signed.',
    ],
  ])('when it is %j, then that is said once, with the way to the notices', async (notices, said) => {
    system(notices);
    const page = await show('#/now');
    expect(textOf(banner(page)?.querySelector('span'))).toBe(said);
    await press(button(page, 'Show notices'));
    await settled();
    expect(inbox(page)).not.toBeNull();
    await press(button(page, 'Do not show again'));
    expect(banner(page)).toBeNull();
    shown?.remove();
    expect(banner(await show('#/now'))).toBeNull();
  });

  it('when the page itself shows them, then there is nothing to say', async () => {
    expect(banner(await show('#/now'))).toBeNull();
  });
});
