import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { QueryOutput } from '../../src/contract/contract';
import type { AccountRow } from '../../src/contract/headroom';
import type { EventRow, Snapshot } from '../../src/contract/snapshot';
import { type PanelServer, startPanelServer } from '../../src/panel/server';
import { complaintsOf, leaveBrowser, openBrowser, picture, picturesOf } from '../support/browser';
import { dayOf, eightAgents } from '../support/eight-agents';
import { handsOn } from '../support/page-hands';
import { fakeHost } from '../support/panel-host';
import { sampleCourse, windowRow } from '../support/sample-headroom';
import { sampleSnapshot } from '../support/sample-snapshot';

const RENDERER = join(import.meta.dirname, '..', '..', 'out', 'renderer');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const accountOf = (provider: string, label: string | null, windows: AccountRow['windows']): AccountRow => ({
  ...{ account: label === null ? provider : `${provider}@${label}`, provider, label, isApart: false },
  windows: windows.map((window, index) => ({ ...window, id: `w${index}` })),
});

/** A busy afternoon: one plan that will be full, one that is, and keys whose limits refill within a minute. */
function accountsOf(at: number): AccountRow[] {
  const week = { lengthMs: 7 * DAY, resetAt: at + 2.9 * DAY, forecast: null, isRuling: false };
  const short = { lengthMs: MINUTE, isPlan: false, isRuling: false, forecast: null, resetAt: at + 41_000 };
  const pace = { perHour: 0.22, spread: 0.05, usedAtReset: 1 };
  const times = { fullAt: at + 76 * MINUTE, soonestAt: at + 62 * MINUTE, latestAt: at + 100 * MINUTE };
  return [
    accountOf('anthropic', null, [
      windowRow(at, { used: 0.72, resetAt: at + 142 * MINUTE, forecast: { ...pace, ...times } }),
      windowRow(at, { ...week, used: 0.41 }),
      windowRow(at, { ...week, used: 0.63, family: 'opus', seenAt: at - 40 * MINUTE }),
    ]),
    accountOf('google', null, [
      windowRow(at, {
        ...{ unit: 'requests', lengthMs: DAY, used: 1, limit: 1_500, remaining: 0, resetAt: at + 3.7 * HOUR },
        ...{ model: 'google/gemini-3-pro', forecast: null, seenAt: at - 2 * MINUTE },
      }),
    ]),
    accountOf('mistral', null, [
      windowRow(at, {
        ...{ unit: 'tokens', lengthMs: 30 * DAY, used: 0.34, limit: 1e9, remaining: 6.6e8, source: 'entered' },
        ...{ resetAt: at + 9 * DAY, forecast: null },
      }),
    ]),
    accountOf('openai', null, [
      windowRow(at, { used: 0.23, resetAt: at + 117 * MINUTE, forecast: null, seenAt: at - 11 * MINUTE }),
      windowRow(at, { ...week, used: null, resetAt: null, seenAt: at - 6 * DAY }),
    ]),
    accountOf('openai', 'work', [
      windowRow(at, { ...short, unit: 'requests', used: 0.06, limit: 5_000, remaining: 4_700 }),
      windowRow(at, { ...short, unit: 'tokens', used: 0.18, limit: 2_000_000, remaining: 1_640_000 }),
    ]),
  ];
}

/** What was moved before a limit, and one that waited for one. */
function movesOf(at: number): EventRow[] {
  const about = {
    ...({ state: 'cooling', session: 'ses_1', kind: 'rate_limit', status: null, detail: null } as const),
    ...{ durationMs: null, trace: [] },
  };
  const near = { used: 0.992, limit: 1_500, remaining: 12, needs: 1, window: 'w', lengthMs: DAY } as const;
  return [
    {
      ...about,
      ...{ id: 902, at: at - 76 * MINUTE, code: 'headroom.requests', agent: 'explore' },
      ...{ model: 'google/gemini-3-flash', to: 'openai/gpt-5-mini', until: at + 3.7 * HOUR },
      near: { ...near, code: 'headroom.requests', unit: 'requests' },
    },
    {
      ...about,
      ...{ id: 901, at: at - 98 * MINUTE, code: 'hold.headroom', agent: 'plan' },
      ...{ model: 'anthropic/claude-opus-4-1', to: null, until: at - 97 * MINUTE },
      near: {
        ...{ ...near, code: 'headroom.tokens', unit: 'input_tokens', lengthMs: MINUTE },
        ...{ limit: 50_000, remaining: 3_200, needs: 8_000 },
      },
    },
  ];
}

/** What may be spent, and has been. */
function budgetsOf(at: number): Snapshot['budgets'] {
  const budget = {
    ...{ provider: null, agent: null, directory: null, session: null, pricedShare: 1, isAllowed: false },
    ...({ period: 'day', action: 'ask' } as const),
  };
  return [
    { ...budget, id: 'a', limit: 5, spent: 4.2, endsAt: at + 9 * HOUR },
    { ...budget, id: 'b', provider: 'anthropic', action: 'degrade', limit: 3, spent: 3.07, endsAt: at + 9 * HOUR },
    { ...budget, id: 'c', period: 'week', limit: 20, spent: 7.31, pricedShare: 0.63, endsAt: at + 60 * HOUR },
  ];
}

function afternoon(at: number, headroom?: Snapshot['headroom']): Snapshot {
  const { instances, events } = sampleSnapshot(at);
  const limits = headroom ? { headroom, budgets: [] } : { headroom: accountsOf(at), budgets: budgetsOf(at) };
  return { ...eightAgents(at, 'trouble'), instances, ...limits, events: [...movesOf(at), ...events] };
}

const FILE = '/home/ada/.config/opencode/model-fallback.json';
const inFile = (key: string, value: string | number, line: number) => ({ key, value, path: FILE, line });
/** What the user's own file says of limits and budgets. */
const OWN_FILE: QueryOutput<'config.get'> = {
  ...{ target: FILE, values: [], policies: [], agents: [], isUnread: false, problems: [] },
  limits: [inFile('headroom.moveAt', 95, 4), inFile('budget.day', 5, 8), inFile('budget.action', 'ask', 9)],
};

let browser: Browser;
let server: PanelServer;
let host: ReturnType<typeof fakeHost>;
let page: Page;
let complaints: string[];
const { tabTo, until, violations } = handsOn(() => page);

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => leaveBrowser(browser));

async function open(snapshot: Snapshot, hash = '#/headroom'): Promise<void> {
  host = fakeHost(snapshot, {
    'models.states': ({ models }) => dayOf(models, snapshot.at),
    'config.get': () => OWN_FILE,
    'headroom.course': ({ back, ...limit }) => ({ ...limit, course: sampleCourse(snapshot.at, back, 142 * MINUTE) }),
  });
  server = await startPanelServer({ host, rendererRoot: RENDERER, port: 0 });
  const context = await browser.newContext({
    viewport: { width: 1280, height: 820 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  });
  page = await context.newPage();
  complaints = complaintsOf(page);
  await page.goto(server.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(`location.hash = '${hash}'`);
  await page.locator(hash === '#/headroom' ? '.hroom' : '.hr-near').waitFor();
}
beforeEach(() => {
  complaints = [];
});
afterEach(async () => {
  await page?.context().close();
  await server?.close();
  expect(complaints).toEqual([]);
});

const excess = () =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

describe('given a busy afternoon in Chromium', () => {
  it.each(['light', 'dark'] as const)(
    'when the view is opened in the %s theme, as bars, as a table and in German, then axe finds nothing, and nothing scrolls sideways',
    { tags: ['nightly'] },
    async (theme) => {
      await open(afternoon(Date.now()));
      await page.emulateMedia({ colorScheme: theme });
      await page.getByRole('heading', { level: 1, name: /^All of the google limit of requests a day/ }).waitFor();
      const found = await violations('bars');
      await picturesOf(page, `screens/headroom-${theme}`, { fullPage: true });
      await page.getByRole('button', { name: 'Accounts as a table' }).click();
      found.push(...(await violations('table')));
      await picturesOf(page, `headroom/table-${theme}`, { fullPage: true });
      await page.getByRole('button', { name: 'Accounts as bars' }).click();
      await page.getByRole('button', { name: 'Deutsch' }).click();
      await page.getByRole('heading', { level: 1, name: /^Ganz verbraucht: das Limit von google/ }).waitFor();
      found.push(...(await violations('German', { contrast: false })));
      await picturesOf(page, `headroom/de-${theme}`, { fullPage: true });
      for (const width of [320, 640, 1280, 1920]) {
        await page.setViewportSize({ width, height: 820 });
        if ((await excess()) > 0) found.push(`${width} px: too wide`);
      }
      expect(found).toEqual([]);
    },
  );

  it.each(['light', 'dark'] as const)(
    'when a plan is chosen in the %s theme, then its course is drawn with where it is heading and who used it, and axe finds nothing',
    { tags: ['nightly'] },
    async (theme) => {
      await open(afternoon(Date.now()));
      await page.emulateMedia({ colorScheme: theme });
      const card = page.getByRole('region', { name: 'Over time' });
      await card.getByLabel('Plan', { exact: true }).selectOption({ label: 'the anthropic 5 h limit' });
      await card.locator('.chart-finding', { hasText: 'At this pace it is full about' }).waitFor();
      const chart = card.getByRole('slider', { name: /anthropic 5 h limit/ });
      await chart.focus();
      await page.keyboard.press('End');
      expect(await chart.getAttribute('aria-valuetext')).toMatch(/^\d\d:\d\d: Used 72\u202f%$/);
      const found = await violations('course');
      await picturesOf(page, `headroom/course-${theme}`, { fullPage: true });
      await card.getByRole('button', { name: 'Earlier' }).click();
      await card.locator('.chart-finding', { hasText: 'Usage rose by 90' }).waitFor();
      await page.keyboard.press('Enter');
      await card.locator('button:disabled', { hasText: 'Earlier' }).waitFor();
      await card.getByRole('button', { name: 'The plan over time as a table' }).click();
      expect(await card.getByRole('row').last().textContent()).toMatch(/90\u202f%$/);
      found.push(...(await violations('course as a table', { contrast: false })));
      await card.getByRole('link', { name: 'Checkout does not add up' }).click();
      await page.waitForURL(/#\/sessions\/ses_1$/);
      expect(found).toEqual([]);
    },
  );

  it('when nothing is known yet, then it says where the numbers come from, and axe finds nothing', {
    tags: ['nightly'],
  }, async () => {
    await open({ ...afternoon(Date.now(), []), events: [] });
    await page.getByRole('heading', { level: 1, name: 'No limit is known yet.' }).waitFor();
    const found = await violations('empty');
    await picturesOf(page, 'headroom/empty-light', { fullPage: true });
    for (const width of [320, 640]) {
      await page.setViewportSize({ width, height: 820 });
      if ((await excess()) > 0) found.push(`${width} px: too wide`);
    }
    expect(found).toEqual([]);
  });

  it('when the system forces its colours, then a bar still shows what is used and where an even pace would be', async () => {
    await open(afternoon(Date.now()));
    await page.emulateMedia({ forcedColors: 'active' });
    const parts = await page
      .locator('.hbar')
      .first()
      .evaluate((bar) => [...bar.children].map((part) => part.getBoundingClientRect().width > 1));
    expect([parts, await violations('forced colours')]).toEqual([[true, true, true], []]);
    await picture(page, 'headroom/forced-1280', { fullPage: true });
  });

  it('when a person gets there by keys, then rows lead to their events, and back', { tags: ['nightly'] }, async () => {
    await open(afternoon(Date.now()), '#/now');
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.locator('.hroom').waitFor();
    await tabTo('Accounts as a table');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Accounts as a table' }).waitFor();
    await until(`document.activeElement.textContent === 'Bars'`);
    await page.getByRole('link', { name: /explore switches to gpt-5-mini before a limit/ }).click();
    await page.waitForURL(/#\/events\/902$/);
  });

  it('when a plan begins anew while the page is open, and nothing is heard, then its bar goes, and the heading with it', {
    tags: ['nightly'],
  }, async () => {
    const at = Date.now();
    const [anthropic] = accountsOf(at);
    const windows = [windowRow(at, { resetAt: at + 4_000, forecast: null })];
    await open(afternoon(at, anthropic ? [{ ...anthropic, windows }] : []));
    await page.getByRole('heading', { level: 1, name: /^The fullest plan is the anthropic 5 h limit/ }).waitFor();
    await page.getByText('unknown since its reset').waitFor();
    expect(await page.locator('.hbar[role=img]').count()).toBe(0);
    await page.getByRole('heading', { level: 1, name: 'The usage of the plans is unknown.' }).waitFor();
    host.publish({ ...afternoon(Date.now()), rev: 99 });
    await page.getByRole('heading', { level: 1, name: /^All of the google limit/ }).waitFor();
  });

  it.each(['light', 'dark'] as const)(
    'when the view "now" and the small window are opened in the %s theme, then the worst plans are there, and axe finds nothing',
    { tags: ['nightly'] },
    async (theme) => {
      await open(afternoon(Date.now()), '#/now');
      await page.emulateMedia({ colorScheme: theme });
      expect(await page.locator('.hr-near .hr-name').allTextContents()).toEqual([
        'google requests a day, gemini-3-pro',
        'anthropic 5 h limit',
        'anthropic week limit, opus',
      ]);
      const found = await violations('now');
      await picturesOf(page, `headroom/now-${theme}`, { fullPage: true });
      await page.setViewportSize({ width: 360, height: 820 });
      await page.evaluate(`location.hash = '#/glance'`);
      await page.locator('.glance-foot').waitFor();
      found.push(...(await violations('glance')));
      if ((await excess()) > 0) found.push('glance: too wide');
      await page.locator('.hr-near').scrollIntoViewIfNeeded();
      await picture(page, `headroom/glance-${theme}`);
      await page.getByRole('link', { name: 'All accounts' }).click();
      await page.waitForURL(/#\/headroom$/);
      expect(found).toEqual([]);
    },
  );
});
