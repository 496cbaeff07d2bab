import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BudgetRow } from '../../src/contract/budget';
import type { Handlers, QueryOutput } from '../../src/contract/contract';
import type { AccountRow } from '../../src/contract/headroom';
import type { EventRow, Snapshot } from '../../src/contract/snapshot';
import { Explanation } from '../../src/renderer/components/Explanation';
import { speak } from '../../src/texts';
import { sampleCourse, sampleHeadroom, windowRow } from '../support/sample-headroom';
import { SAMPLE_AT, sampleSnapshot } from '../support/sample-snapshot';
import { press, renderPanel, ScriptedCore, textOf } from './render-panel';

const NOW = SAMPLE_AT;
const HOUR = 3_600_000;

let remove = (): void => {};
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'] });
});
afterEach(() => {
  remove();
  speak('en', {});
  vi.useRealTimers();
});

const near: NonNullable<EventRow['near']> = {
  ...{ code: 'headroom.plan', window: 'unified-5h', unit: 'share', lengthMs: 5 * HOUR, used: 0.97 },
  ...{ limit: null, remaining: null, needs: null },
};
const movedRow = (id: number): EventRow => ({
  ...{ id, at: NOW - id * 1_000, code: 'headroom.plan', state: 'ready', agent: 'build', session: 'ses_1' },
  ...{ model: 'anthropic/claude-sonnet-4-5', to: 'openai/gpt-5', kind: 'quota', status: null },
  ...{ until: NOW + HOUR, detail: null, durationMs: null, near, trace: [] },
});

async function opened(change: Partial<Snapshot> = {}, address = '#/headroom', answers: Partial<Handlers> = {}) {
  const snapshot = { ...sampleSnapshot(NOW), headroom: sampleHeadroom(NOW), ...change };
  const core = new ScriptedCore(snapshot);
  const beganMs = performance.now();
  // A core that is asked again has heard nothing new, and its clock has gone on.
  core.handlers = {
    ...core.handlers,
    ...answers,
    'snapshot.get': () => ({ ...snapshot, at: NOW + performance.now() - beganMs }),
  };
  const rendered = renderPanel(core, address);
  remove = rendered.remove;
  // The view itself comes when it is opened.
  await act(async () => {
    await Promise.all([
      import('../../src/renderer/pages/headroom/HeadroomPage'),
      import('../../src/renderer/pages/usage/UsagePage'),
    ]);
  });
  for (let turn = 0; turn < 20; turn++) await act(async () => {});
  return { core, page: rendered.page };
}

const said = (element: Element | null | undefined): string => textOf(element).replaceAll('\u202f', ' ');
const title = (page: Element) => said(page.querySelector('main h1'));
const card = (page: Element, name: string) =>
  [...page.querySelectorAll('main .card')].find((each) => textOf(each.querySelector('h2')) === name);
const rows = (within: Element | undefined) => [...(within?.querySelectorAll('.hr') ?? [])];
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const only = (...windows: AccountRow['windows']): Partial<Snapshot> => ({
  headroom: [{ account: 'anthropic', provider: 'anthropic', label: null, isApart: false, windows }],
});

describe('given headers that nobody reads', () => {
  it('when there are some, then their names are listed by provider; when there are none, then nothing is said of them', async () => {
    const names = ['x-gateway-quota', 'x-gateway-usage'];
    const { core, page } = await opened({ unknownHeaders: [{ provider: 'gateway', names }] });
    const listed = card(page, 'Unrecognised headers');
    expect([...(listed?.querySelectorAll('p') ?? [])].map(said)).toEqual([
      'These response headers may be limits, but their meaning is unknown. They never cause a switch.',
      'gateway: x-gateway-quota, x-gateway-usage',
    ]);
    expect([...(listed?.querySelectorAll('code') ?? [])].map(textOf)).toEqual(names);
    core.push({ ...sampleSnapshot(NOW), rev: 99, headroom: sampleHeadroom(NOW), unknownHeaders: [] });
    await pass(0);
    expect(card(page, 'Unrecognised headers')).toBeUndefined();
  });
});

describe('given budgets of the user’s', () => {
  const budget: BudgetRow = {
    ...{ id: 'a', period: 'day', action: 'ask', provider: null, agent: null, directory: null, session: null },
    ...{ limit: 5, spent: 4.2, pricedShare: 1, endsAt: NOW + 9 * HOUR, isAllowed: false },
  };

  it('when there are some, then each has its bar, how much is spent, and what happens then; when there are none, then no card', async () => {
    const shop = { ...budget, id: 'b', period: 'week', directory: '/home/ada/shop', spent: 21, limit: 20 } as const;
    const budgets: BudgetRow[] = [budget, { ...shop, isAllowed: true, pricedShare: 0.63, endsAt: null }];
    const { core, page } = await opened({ budgets }, '#/usage');
    const rows = [...(card(page, 'Budgets')?.querySelectorAll('li') ?? [])];
    expect(rows.map((row) => [...row.querySelectorAll('.hr-name, .hr-fig, .hr-note')].map(said))).toEqual([
      [
        'today',
        '$4.20 of $5.00',
        expect.stringMatching(/^asks you when spent and no other model can answer, resets \S+/),
      ],
      ['this week, shop', '$21.00 of $20.00, 63 % priced', 'continues, as you decided'],
    ]);
    expect(rows.map((row) => row.querySelector('[role=img]')?.getAttribute('aria-label'))).toEqual([
      'today: $4.20 of $5.00',
      expect.stringContaining('this week, shop: $21.00'),
    ]);
    core.push({ ...sampleSnapshot(NOW), rev: 99, headroom: sampleHeadroom(NOW), budgets: [] });
    await pass(0);
    expect(card(page, 'Budgets')).toBeUndefined();
  });
});

describe('given accounts of which something is known', () => {
  it('when the view is opened, then the worst is its heading, and each limit has its bar with all of it said', async () => {
    const { page } = await opened();
    expect(title(page)).toMatch(
      /^At this pace the anthropic 5 h limit is full about \d\d:\d\d, 60 min before its reset\.$/,
    );
    const accounts = card(page, 'Accounts');
    expect([...(accounts?.querySelectorAll('h3') ?? [])].map(said)).toEqual([
      'anthropic updated 4 s ago',
      'openai (work) updated 4 s ago',
    ]);
    expect(rows(accounts).map((row) => said(row.querySelector('.hr-name')))).toEqual([
      ...['5 h limit', 'week limit', 'tokens a minute, gpt-5', 'week limit'],
    ]);
    const [first, , tokens, last] = rows(accounts);
    expect(said(first)).toMatch(/^5 h limit72 % resets \d\d:\d\dfull about \d\d:\d\d$/);
    expect(first?.querySelector('[role=img]')?.getAttribute('aria-label')?.replaceAll('\u202f', ' ')).toMatch(
      /^anthropic, 5 h limit: 72 % used, 60 % of its time has passed, ahead of schedule, full about .*, resets /,
    );
    expect(said(tokens?.querySelector('.hr-fig'))).toMatch(/^18 % of 2,000,000 resets \d\d:\d\d$/);
    expect([said(last?.querySelector('.hr-fig')), last?.querySelector('.hbar')]).toEqual([
      'unknown since its reset',
      null,
    ]);
    expect(said(last?.querySelector('.hr-note'))).toBe('updated 4 d ago');
  });

  it('when a plan is ahead of an even pace, then what is beyond it is apart; when it is not, or its length is not known, then nothing is', async () => {
    const { page } = await opened(
      only(
        windowRow(NOW, { id: 'a' }),
        windowRow(NOW, { id: 'b', used: 0.2, forecast: null }),
        windowRow(NOW, { id: 'c', lengthMs: null, forecast: null }),
        windowRow(NOW, { id: 'd', used: 1, source: 'counted' }),
      ),
    );
    const parts = rows(card(page, 'Accounts')).map((row) => [
      row.querySelector('.hbar')?.className,
      ...[...(row.querySelector('.hbar')?.children ?? [])].map(
        (each) => `${each.tagName} ${each.getAttribute('style')?.replaceAll(/\s/g, '')}`,
      ),
    ]);
    expect(parts).toEqual([
      ['hbar', 'I left:0.00%;width:60.00%;', 'B left:60.00%;width:12.00%;', 'U left:60.00%;'],
      ['hbar', 'I left:0.00%;width:20.00%;', 'U left:60.00%;'],
      ['hbar', 'I left:0.00%;width:72.00%;'],
      ['hbar hbar-full hbar-ours', 'I left:0.00%;width:100.00%;', 'U left:60.00%;'],
    ]);
  });

  it('when time goes by, then ages grow, and what refills within minutes is gone once it has', async () => {
    const { page } = await opened();
    await pass(10_000);
    expect(said(card(page, 'Accounts')?.querySelector('h3'))).toBe('anthropic updated 14 s ago');
    await pass(2_000);
    expect(rows(card(page, 'Accounts')).map((row) => said(row.querySelector('.hr-name')))).not.toContain(
      'tokens a minute, gpt-5',
    );
  });

  it('when a plan begins anew while it is looked at, then it is not known, and has no bar', async () => {
    const { page } = await opened(
      only(windowRow(NOW, { resetAt: NOW + 20_000 }), windowRow(NOW, { id: 'b', used: 0.1 })),
    );
    await pass(19_000);
    expect(rows(card(page, 'Accounts'))[0]?.querySelector('[role=img]')).not.toBeNull();
    await pass(1_100);
    const [first] = rows(card(page, 'Accounts'));
    expect([said(first), first?.querySelector('[role=img]')]).toEqual(['5 h limitunknown since its reset', null]);
  });

  it('when a limit is counted from our own usage, then nobody has heard of it, and once it begins anew it is empty', async () => {
    const counted = { source: 'counted', unit: 'requests', limit: 600, forecast: null } as const;
    const { page } = await opened(only(windowRow(NOW, { ...counted, resetAt: NOW + 20_000 })));
    expect(said(card(page, 'Accounts')?.querySelector('h3'))).toBe('anthropic');
    expect(said(rows(card(page, 'Accounts'))[0])).toMatch(/^requests in 5 h72 % of 600 resets \d\d:\d\d.*estimate$/);
    await press(page.querySelector('[aria-label="Accounts as a table"]'));
    expect(said(page.querySelector('main table tbody tr')?.lastElementChild)).toBe('estimate');
    await press(page.querySelector('[aria-label="Accounts as bars"]'));
    await pass(21_000);
    const [row] = rows(card(page, 'Accounts'));
    expect([said(row), row?.querySelector('.hbar')?.className]).toEqual([
      'requests in 5 h0 % of 600 estimate',
      'hbar hbar-ours',
    ]);
  });

  it('when the link to the core is lost, then nobody says how old it is', async () => {
    const { core, page } = await opened();
    core.link('lost');
    expect([...page.querySelectorAll('.acct h3')].map(said)).toEqual(['anthropic', 'openai (work)']);
    expect(page.querySelector('main')?.className).toBe('main stale');
  });

  it('when the table is asked for, then it has the same figures, and the bars come back', async () => {
    const { page } = await opened();
    await press(page.querySelector('[aria-label="Accounts as a table"]'));
    const [head, first, , , last] = [...page.querySelectorAll('main table tr')].map((row) =>
      [...row.children].map(said),
    );
    expect(head).toEqual(['Account', 'Limit', 'Used', 'Time passed', 'Pace', 'Full about', 'Resets', 'Age']);
    const time = expect.stringMatching(/^\d\d:\d\d$/);
    expect(first).toEqual(['anthropic', '5 h limit', '72 %', '60 %', '28 % an hour', time, time, 'updated 4 s ago']);
    expect(last).toEqual([
      ...['openai (work)', 'week limit', 'unknown since its reset', '–', '–', '–', '–', 'updated 4 d ago'],
    ]);
    await press(page.querySelector('[aria-label="Accounts as bars"]'));
    expect(rows(card(page, 'Accounts'))).toHaveLength(4);
  });
});

describe('given no account of which anything is known', () => {
  it('when the view is opened, then it says where the numbers come from, and that nothing is to be set up', async () => {
    const { page } = await opened({ headroom: [] });
    expect(title(page)).toBe('No limit is known yet.');
    expect(said(card(page, 'Source of the numbers'))).toContain('It needs no setup');
    expect(card(page, 'Accounts')).toBeUndefined();
    expect(said(card(page, 'Switched before a limit'))).toContain('None of the last events is a switch before a limit');
    expect(said(card(page, 'How switching works'))).toContain('no turn starts');
  });
});

describe('given events', () => {
  it('when agents were moved before a limit, then the newest of them are shown, each leading to its event', async () => {
    const others = sampleSnapshot(NOW).events.map((event) => ({ ...event, id: event.id + 1_000 }));
    const moved = Array.from({ length: 8 }, (_, index) => movedRow(index + 1));
    const { page } = await opened({ events: [...others, ...moved] });
    const shown = [...(card(page, 'Switched before a limit')?.querySelectorAll('a.ev') ?? [])];
    expect(shown.map((each) => each.getAttribute('href'))).toEqual([1, 2, 3, 4, 5, 6].map((id) => `#/events/${id}`));
    expect(said(shown[0])).toContain('claude-sonnet-4-5 has used 97 % of its 5 h limit');
    expect(said(shown[0])).not.toContain('quota');
  });

  it('when one is explained, then its limit is told and no failure', () => {
    const place = document.createElement('div');
    const root = createRoot(place);
    act(() => root.render(<Explanation event={movedRow(1)} rule={null} />));
    expect(said(place)).toContain('Limitclaude-sonnet-4-5 has used 97 % of its 5 h limit');
    expect(said(place)).not.toContain('Failure');
    act(() => root.unmount());
  });
});

describe('given other views', () => {
  const section = (page: Element) =>
    [...page.querySelectorAll('section')].find((each) => textOf(each.querySelector('h2')) === 'Headroom');
  const many = Array.from({ length: 6 }, (_, index) => windowRow(NOW, { id: `w${index}`, used: 0.5 + index / 20 }));

  it.each([
    ['#/now', 4],
    ['#/glance', 3],
  ])('when %s is opened and six plans fill up, then it shows %i, and where all are', async (address, count) => {
    const { page } = await opened(only(...many), address);
    const shown = rows(section(page));
    expect([shown.length, said(shown[0])]).toEqual([count, expect.stringMatching(/^anthropic 5 h limit75 % resets/)]);
    expect(section(page)?.querySelector('a')?.getAttribute('href')).toBe('#/headroom');
  });

  it.each(['#/now', '#/glance'])(
    'when %s is opened and no plan fills up, then nothing is said of any',
    async (address) => {
      for (const change of [{ headroom: [] }, only(windowRow(NOW, { used: 0.4, forecast: null }))]) {
        const { page } = await opened(change, address);
        expect(section(page)).toBeUndefined();
        remove();
      }
      remove = () => {};
    },
  );

  it('when g and h are pressed, then the view is shown', async () => {
    const { page } = await opened({}, '#/models');
    await act(async () => {
      for (const key of ['g', 'h'])
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      window.dispatchEvent(new Event('hashchange'));
    });
    for (let turn = 0; turn < 20; turn++) await act(async () => {});
    expect(window.location.hash).toBe('#/headroom');
    expect(
      [...page.querySelectorAll('nav [aria-current=page]')].map((each) => textOf(each).replace(/(Ctrl|⌘).*/, '')),
    ).toEqual(['Usage', 'Limits']);
  });
});

describe('given a plan whose past is kept', () => {
  const course = (page: Element) => card(page, 'Over time');
  const answered: Partial<Handlers> = {
    'headroom.course': ({ back, ...limit }) => ({ ...limit, course: sampleCourse(NOW, back) }),
  };

  it('when the view is opened, then the worst plan is chosen, with where it is heading, what of it was ours, and who used it', async () => {
    const { page, core } = await opened({}, '#/headroom', answered);
    expect(course(page)?.querySelector('select')?.selectedOptions[0]?.textContent).toBe('the anthropic 5 h limit');
    expect(said(course(page)?.querySelector('.chart-finding'))).toMatch(
      /^At this pace it is full about \d\d:\d\d\. Usage rose by 72 % of the plan: 68 % during requests here, 4 % without any\.$/,
    );
    const lists = [...(course(page)?.querySelectorAll('ul[aria-labelledby]') ?? [])];
    expect(lists.map((list) => [...list.querySelectorAll('li')].map(said))).toEqual([
      ['build31 %', 'oracle19 %', 'plan12 %', 'explore6 %', 'not through Understudy4 %'],
      [
        'Checkout does not add up48 %',
        expect.stringMatching(/^\d\d:\d\d · storefront-api15 %$/),
        'others5 %',
        'not through Understudy4 %',
      ],
    ]);
    expect(core.asked.filter(({ name }) => name === 'headroom.course').map(({ input }) => input)).toEqual([
      { account: 'anthropic', window: 'unified-5h', model: null, back: 0 },
    ]);
  });

  it('when an earlier window is asked for, then nothing is said of where it is heading, and as a table each point has its time', async () => {
    const { page } = await opened({}, '#/headroom', answered);
    const button = (name: string) =>
      [...(course(page)?.querySelectorAll('button') ?? [])].find((each) => textOf(each).includes(name));
    expect(button('Later')?.disabled).toBe(true);
    await press(button('Earlier'));
    expect(said(course(page)?.querySelector('.chart-finding'))).toBe(
      'Usage rose by 90 % of the plan: 86 % during requests here, 4 % without any.',
    );
    expect(button('Later')?.disabled).toBe(false);
    await press(button('Table'));
    expect(said([...(course(page)?.querySelectorAll('tbody tr') ?? [])].at(-1))).toMatch(/^\d\d:\d\d90 %$/);
    await press(button('Earlier'));
    expect(button('Earlier')?.disabled).toBe(true);
  });

  it('when another plan is chosen of which nothing is kept, then that is said', async () => {
    const { page } = await opened({}, '#/headroom', {
      'headroom.course': ({ back, ...limit }) => ({
        ...limit,
        course: limit.window === 'unified-5h' ? sampleCourse(NOW, back) : null,
      }),
    });
    const select = course(page)?.querySelector('select');
    const other = [...(select?.options ?? [])].find(({ textContent }) => textContent === 'the anthropic week limit');
    await act(async () => {
      if (select && other) select.value = other.value;
      select?.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await pass(0);
    expect(said(course(page)?.querySelector('.card-body'))).toBe('No data for this plan yet.');
  });

  it('when no plan is known, then there is no such card', async () => {
    const { page } = await opened({ headroom: [] }, '#/headroom', answered);
    expect(course(page)).toBeUndefined();
  });
});

describe('given what the user’s own file says of limits and budgets', () => {
  const SEEN = 'a'.repeat(64);
  const inFile = (key: string, value: string | number | boolean) => ({
    key,
    value,
    path: '/c/model-fallback.json',
    line: 4,
  });
  const table = (limits: ReturnType<typeof inFile>[], isUnread = false): QueryOutput<'config.get'> => ({
    ...{ target: '/c/model-fallback.json', values: [], limits, policies: [], agents: [], isUnread, problems: [] },
  });
  const answers = (limits: ReturnType<typeof inFile>[], change: Partial<Handlers> = {}): Partial<Handlers> => ({
    'config.get': () => table(limits),
    'config.preview': ({ changes }) => ({
      ...{
        ok: true as const,
        path: '/c/model-fallback.json',
        diff: '--- /c/f\n+++ /c/f\n@@ -1 +1 @@\n-old\n+new\n',
        seen: SEEN,
        changes,
      },
    }),
    'config.apply': () => ({ ok: true as const, path: '/c/model-fallback.json', receipt: 'r1' }),
    ...change,
  });
  const settings = (page: Element) => card(page, 'Settings') ?? card(page, 'Set budgets');
  const row = (page: Element, name: string) =>
    [...(settings(page)?.querySelectorAll('.hr-set-row') ?? [])].find((each) => textOf(each).startsWith(name));
  const field = (page: Element, name: string) =>
    row(page, name)?.querySelector<HTMLSelectElement | HTMLInputElement>('select, input');
  const type = (page: Element, name: string, value: string) =>
    act(async () => {
      const element = field(page, name);
      if (!element) throw new Error(`no field ${name}`);
      const prototype = element instanceof HTMLSelectElement ? HTMLSelectElement.prototype : HTMLInputElement.prototype;
      Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, value);
      element.dispatchEvent(new Event(element instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
    });
  const button = (page: Element, name: string) =>
    [...page.querySelectorAll('button')].find((each) => textOf(each) === name);
  const wanted = (core: ScriptedCore) => core.asked.findLast(({ name }) => name === 'config.preview')?.input;

  it('when the view is opened, then each setting shows what is in force, and who says so', async () => {
    const limits = [inFile('headroom.moveAt', 90), inFile('headroom.spread', true)];
    const { page } = await opened({}, '#/headroom', answers(limits));
    const shown = ['Near a limit', 'A plan counts', 'If this work', 'Two accounts'];
    expect(
      shown.map((name) => [field(page, name)?.value, textOf(row(page, name)?.querySelector('.hr-set-from'))]),
    ).toEqual([
      ['move', 'default'],
      ['90', 'c/model-fallback.json:4'],
      ['auto', 'default'],
      ['true', 'c/model-fallback.json:4'],
    ]);
    expect(button(page, 'Apply…')).toBeUndefined();
  });

  it('when the usage is opened, then the budgets in effect stand beside it, and an emptied one is removed from the file', async () => {
    const limits = [inFile('budget.day', 5), inFile('headroom.moveAt', 90)];
    const { page, core } = await opened({}, '#/usage', answers(limits));
    const shown = ['Daily budget', 'Weekly budget'];
    expect(
      shown.map((name) => [field(page, name)?.value, textOf(row(page, name)?.querySelector('.hr-set-from'))]),
    ).toEqual([
      ['5', 'c/model-fallback.json:4'],
      ['', 'default'],
    ]);
    expect(row(page, 'A plan counts')).toBeUndefined();
    await type(page, 'Daily budget', '');
    await press(button(page, 'Apply…'));
    expect(wanted(core)).toEqual({ directory: null, changes: [{ type: 'unset', path: ['budget', 'day'] }] });
  });

  it('when two are changed and applied, then that exact change is shown, written, and can be taken back', async () => {
    const { page, core } = await opened({}, '#/headroom', answers([]));
    await type(page, 'Near a limit', 'warn');
    await type(page, 'A plan counts', '92,5');
    expect(said(settings(page)?.querySelector('[role=status]'))).toBe('2 changes, not applied');
    await press(button(page, 'Apply…'));
    const changes = [
      { type: 'set', path: ['headroom', 'act'], value: 'warn' },
      { type: 'set', path: ['headroom', 'moveAt'], value: 92.5 },
    ];
    expect(wanted(core)).toEqual({ directory: null, changes });
    await press(page.querySelector('dialog button[type=submit]'));
    expect(core.asked.findLast(({ name }) => name === 'config.apply')?.input).toEqual({
      directory: null,
      changes,
      seen: SEEN,
    });
    expect(button(page, 'Apply…')).toBeUndefined();
    expect(textOf(page.querySelector('.toast'))).toContain('Limit settings changed.');
  });

  it('when one is put back as it was, then there is no change; when it is refused, then that stands in its row', async () => {
    const refused = {
      ok: false as const,
      reason: 'too much',
      fields: [{ path: ['headroom', 'moveAt'], message: 'too much' }],
    };
    const { page } = await opened({}, '#/headroom', answers([], { 'config.preview': () => refused }));
    await type(page, 'Near a limit', 'off');
    await type(page, 'Near a limit', 'move');
    expect(button(page, 'Apply…')).toBeUndefined();
    await type(page, 'A plan counts', '900');
    await press(button(page, 'Apply…'));
    expect(textOf(row(page, 'A plan counts')?.querySelector('.wrong'))).toBe('too much');
    expect(field(page, 'A plan counts')?.getAttribute('aria-invalid')).toBe('true');
    await press(button(page, 'Discard'));
    expect(field(page, 'A plan counts')?.value).toBe('97');
  });

  it('when drain is said by kind of failure, then it is left to the file; when the file cannot be understood, then all of it is', async () => {
    const byKind = await opened({}, '#/headroom', answers([inFile('headroom.drain.quota', 'ask')]));
    expect(textOf(row(byKind.page, 'If this work'))).toContain('by kind of failure, in the file');
    remove();
    const { page } = await opened({}, '#/headroom', answers([], { 'config.get': () => table([], true) }));
    expect(field(page, 'Near a limit')?.disabled).toBe(true);
    expect(said(settings(page))).toContain('Fix them before');
  });
});
