import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Download, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ScorecardDocument } from '../../src/contract/scorecard';
import { ensureStateHome } from '../../src/node/base/state-home';
import { storePath } from '../../src/node/store/open-store';
import { type PanelServer, startPanelServer } from '../../src/panel/server';
import { configured } from '../core/virtual-core';
import { leaveBrowser, openBrowser, openPage, picture, picturesOf } from '../support/browser';
import { eventually } from '../support/eventually';
import { CHAIN, HOSTILE_NAME, HOSTILE_SESSION, LONG_SESSION, storeSessions, turnOf } from '../support/many-sessions';
import { handsOn } from '../support/page-hands';
import { type App, openApp } from '../support/stage';
import { type WireCompanion, wireCompanion } from '../support/wire-companion';

const ROOT = join(import.meta.dirname, '..', '..');
const SHORT_SESSIONS = 200;
/** A session whose primary was limited once, and which goes on. */
const LIVE = { session: 'ses_live', directory: '/home/ada/shop', agent: 'build' } as const;

let home: string;
let companion: WireCompanion;
let app: App;
let server: PanelServer;
let browser: Browser;
let page: Page;
let complaints: string[];
const { until, tabUntil, violations } = handsOn(() => page);
/** Reports the turn of the live session with this number; `by` answers it in place of the primary, which is not asked. */
function report(turn: number, by?: string): void {
  for (const event of turnOf({ ...LIVE, turn: `live:${turn}` }, turn))
    companion.say(by !== undefined && 'model' in event && !('hostLead' in event) ? { ...event, model: by } : event);
}

beforeAll(async () => {
  browser = await openBrowser();
  home = await mkdtemp(join(tmpdir(), 'us-'));
  await ensureStateHome(home);
  await storeSessions(storePath(home), SHORT_SESSIONS);
  app = await openApp(home);
  server = await startPanelServer({ host: app.host, rendererRoot: join(ROOT, 'out', 'renderer'), port: 0 });
  companion = await wireCompanion(home);
  companion.say(configured(LIVE.directory, CHAIN));
  report(0);
  await app.until(({ sessions }) => sessions.some((row) => row.session === LIVE.session && row.isIdle && row.usage));
});
afterAll(async () => {
  companion?.close();
  await server?.close();
  await app?.close();
  await leaveBrowser(browser);
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

beforeEach(async () => {
  ({ page, complaints } = await openPage(browser, server.url));
});
afterEach(async () => {
  await page?.context().close();
  expect(complaints).toEqual([]);
});

const open = async (hash: string) => {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
};
const openSession = async (session: string) => {
  await open(`#/sessions/${session}`);
  await page.locator('.figs').waitFor();
  await page.locator('.grow').first().waitFor();
};
const focusedRow = () => page.evaluate<string | null>(`document.activeElement?.getAttribute('data-row')`);

const shoot = (name: string): Promise<void> => picturesOf(page, `sessions/${name}`);

const bytesOf = async (download: Download): Promise<Buffer> => readFile(await download.path());

describe('given 202 sessions that are kept and one that goes on', () => {
  it('when nothing but a keyboard is used, then one is found, read and exported, and the figures are the same', async () => {
    await page.keyboard.press('Control+4');
    await page.locator('.sess-find').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('storefront');
    await until(`document.querySelector('.sess').getAttribute('aria-rowcount') === '2'`);
    await tabUntil(`it.dataset.row === ${JSON.stringify(LONG_SESSION)}`);
    await page.keyboard.press('Enter');
    await page.locator('.grow').first().waitFor();
    await until(`document.activeElement?.id === 'main'`);
    const figures = await page.locator('.fig b').allTextContents();
    const stepIns = await page.locator('.score-switches tbody td:last-child').allTextContents();

    await page.keyboard.press('Control+e');
    await page.locator('.export-preview[data-format=md]').waitFor();
    await tabUntil(`it.type === 'radio'`);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.locator('.export-preview[data-format=json]').waitFor();
    const shown = await page.locator('.export-text').textContent();
    await tabUntil(`it.textContent === 'Save'`);
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    const text = (await bytesOf(download)).toString();
    const { totals, switches } = JSON.parse(text) as ScorecardDocument;
    expect(download.suggestedFilename()).toBe(`understudy-scorecard-${LONG_SESSION}.json`);
    expect(shown).toBe(text.slice(0, 20_000));
    expect(figures).toEqual([
      String(totals.turns.saved),
      `${Math.round(1_000 * (totals.turns.firstTryRate ?? 0)) / 10}\u{202f}%`,
      String(totals.totalCalls),
      `$${Number(totals.cost.total).toFixed(2)}`,
    ]);
    expect(stepIns).toEqual(switches.map(({ count }) => String(count)));
    expect([totals.turns.total, totals.turns.saved + totals.turns.spared]).toEqual([12, expect.any(Number)]);
    await page.getByText(`saved as understudy-scorecard-${LONG_SESSION}.json.`).waitFor();

    await page.keyboard.press('Escape');
    await until(`document.activeElement?.getAttribute('data-row') === ${JSON.stringify(LONG_SESSION)}`);
    expect(await page.locator('.sess-find input').inputValue()).toBe('storefront');
  });

  it('when the end of the list is gone to, then all are there to be read, and few of them on the page', async () => {
    await open('#/sessions');
    await page.locator('tbody [data-row]').first().waitFor();
    expect(await page.locator('.sess').getAttribute('aria-rowcount')).toBe('204');
    await tabUntil(`it.dataset.row !== undefined`);
    expect(await focusedRow()).toBe(LIVE.session);
    await eventually(async () => {
      await page.keyboard.press('End');
      return (await focusedRow()) === 'ses_0';
    });
    expect(await page.locator('tbody .sess-row').count()).toBeLessThan(60);
    expect(await page.locator('.sess-row:has([data-row=ses_0])').getAttribute('aria-rowindex')).toBe('204');
    await page.keyboard.press('Enter');
    await page.locator('.grow').first().waitFor();
    await page.keyboard.press('Escape');
    await until(`document.activeElement?.getAttribute('data-row') === 'ses_0'`);
  });

  it('when it goes on while it is open, then its timeline and its scorecard grow', { tags: ['nightly'] }, async () => {
    await openSession(LIVE.session);
    await page.getByRole('img', { name: /rate limited \(429\)/ }).waitFor();
    expect(await page.locator('.grow').count()).toBe(1);
    report(1, CHAIN[1]);
    await page.locator('.grow').nth(1).waitFor({ timeout: 60_000 });
    await page.locator('.fig', { hasText: 'of 2' }).first().waitFor({ timeout: 60_000 });
  });

  it('when a turn is asked why, then that opens under its row, and its event from there', {
    tags: ['nightly'],
  }, async () => {
    await openSession(LIVE.session);
    await page.getByRole('button', { name: 'Why? Why did turn 1 go this way?' }).click();
    // The failed attempt leads to the event, and so does the one that follows it closely.
    await page.locator('.gwhy a', { hasText: 'switch.rate_limit' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    await page.getByText('switch.rate_limit').first().waitFor();
  });

  it('when a picture is exported, then it is a PNG of twice the size, and the SVG behind it', async () => {
    await openSession(LONG_SESSION);
    await page.keyboard.press('Control+e');
    for (const [format, name] of [
      ['svg', 'Picture to share, SVG'],
      ['png', 'Picture to share, PNG'],
    ] as const) {
      await page.getByLabel(name, { exact: true }).check();
      await page.locator(`.export-preview[data-format=${format}] img`).waitFor();
      await picture(page, `sessions/export-${format}`);
    }
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save' }).click(),
    ]);
    const bytes = await bytesOf(download);
    expect(download.suggestedFilename()).toBe(`understudy-scorecard-${LONG_SESSION}.png`);
    expect([...bytes.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([2_400, 1_260]);
    expect(bytes.length).toBeGreaterThan(20_000);
  });

  it('when names hold markup, then it is text, in the list, the session and every preview', {
    tags: ['nightly'],
  }, async () => {
    await open('#/sessions');
    await page.keyboard.press('/');
    await page.keyboard.type('onerror');
    await page.locator(`[data-row=${HOSTILE_SESSION}]`).waitFor();
    await openSession(HOSTILE_SESSION);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(`· ${HOSTILE_NAME} ·`);
    expect(await page.locator('.lede').textContent()).toContain(HOSTILE_NAME);
    await page.keyboard.press('Control+e');
    for (const [at, format] of ['md', 'html', 'json', 'csv', 'svg'].entries()) {
      await page.getByRole('radio').nth(at).check();
      await page.locator(`.export-preview[data-format=${format}]`).waitFor();
    }
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('main img, main script')].filter((it) => !it.closest('.export-preview')).length`,
      ),
    ).toBe(0);
  });
});

describe('given each state of the pages', () => {
  const media = {
    light: { colorScheme: 'light', forcedColors: 'none' },
    dark: { colorScheme: 'dark', forcedColors: 'none' },
    forced: { colorScheme: 'light', forcedColors: 'active' },
  } as const;
  type State = readonly [name: string, hash: string, ready: string, prepare?: () => Promise<unknown>];
  const states = (): readonly State[] => [
    ['list', '#/sessions', 'tbody [data-row]'],
    ['search-none', '#/sessions', '.empty', () => page.locator('input[type=search]').fill('no such thing')],
    ['session', `#/sessions/${LONG_SESSION}`, '.grow'],
    ['session-live', `#/sessions/${LIVE.session}`, '.grow'],
    ['session-why', `#/sessions/${LONG_SESSION}`, '.gwhy li', () => page.locator('.grow .btn').first().click()],
    [
      'session-table',
      `#/sessions/${LONG_SESSION}`,
      '.gtables',
      () => page.getByRole('button', { name: 'The timeline as a table' }).click(),
    ],
    ['unknown', '#/sessions/nobody', '.head'],
    ['export', `#/sessions/${LONG_SESSION}`, '.export-text', () => page.keyboard.press('Control+e')],
  ];

  it.each(Object.keys(media) as (keyof typeof media)[])(
    'when it is drawn in %s colours, then axe finds nothing',
    { tags: ['nightly'] },
    async (theme) => {
      const found: string[] = [];
      await page.emulateMedia(media[theme]);
      for (const [name, hash, ready, prepare] of states()) {
        await open('#/now');
        await (hash.startsWith('#/sessions/ses') ? openSession(hash.slice('#/sessions/'.length)) : open(hash));
        await prepare?.();
        await page.locator(ready).first().waitFor();
        found.push(...(await violations(name)));
        await shoot(`${name}-${theme}`);
        await page.keyboard.press('Escape');
      }
      expect(found).toEqual([]);
    },
  );

  it('when the window is as narrow as 320 px, then nothing has to be scrolled sideways', {
    tags: ['nightly'],
  }, async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const [hash, ready] of [
      ['#/sessions', 'tbody [data-row]'],
      [`#/sessions/${LONG_SESSION}`, '.figs'],
    ] as const) {
      await open(hash);
      await page.locator(ready).first().waitFor();
      const excess = await page.evaluate(`document.documentElement.scrollWidth - document.documentElement.clientWidth`);
      expect([hash, excess]).toEqual([hash, 0]);
    }
  });
});
