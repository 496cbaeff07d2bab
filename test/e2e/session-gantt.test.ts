import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureStateHome } from '../../src/node/base/state-home';
import { storePath } from '../../src/node/store/open-store';
import { type PanelServer, startPanelServer } from '../../src/panel/server';
import { leaveBrowser, openBrowser, openPage, picture, THEMES } from '../support/browser';
import { BUSY_SESSION, busyProject, storeBusySession } from '../support/busy-session';
import { isNightly } from '../support/nightly';
import { handsOn } from '../support/page-hands';
import { type App, openApp } from '../support/stage';
import { type WireCompanion, wireCompanion } from '../support/wire-companion';

const ROOT = join(import.meta.dirname, '..', '..');

let home: string;
let app: App;
let companion: WireCompanion;
let server: PanelServer;
let browser: Browser;
let page: Page;
let complaints: string[];
const { until, tabUntil, violations } = handsOn(() => page);

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'us-gantt-'));
  await ensureStateHome(home);
  [browser] = await Promise.all([openBrowser(), storeBusySession(storePath(home))]);
  app = await openApp(home);
  companion = await wireCompanion(home);
  companion.say(busyProject());
  await companion.settled();
  server = await startPanelServer({ host: app.host, rendererRoot: join(ROOT, 'out', 'renderer'), port: 0 });
});
afterAll(async () => {
  companion?.close();
  await server?.close();
  await app?.close();
  await leaveBrowser(browser);
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

beforeEach(async () => {
  ({ page, complaints } = await openPage(browser, `${server.url}#/sessions/${BUSY_SESSION}`));
  await page.locator('.grow .gbar').first().waitFor();
  await page.locator('.figs').waitFor();
});
afterEach(async () => {
  await page?.context().close();
  expect(complaints).toEqual([]);
});

const shown = () => page.evaluate<string>(`document.querySelector('.gbrush').getAttribute('aria-valuetext')`);
const numbers = () => page.locator('.grow .n [aria-hidden]').allTextContents();
/** The left edges and widths of all lanes of the axis, in whole pixels. */
const LANES = `[...document.querySelectorAll('.gaxis, .gantt .glane, .gover')].map((it) => {
  const { left, width } = it.getBoundingClientRect();
  return Math.round(left) + ' ' + Math.round(width);
})`;

describe('given a session of 41 turns in 82 minutes', () => {
  it('when it is opened, then the part with its last trouble is there, and every row lies on the same axis', async () => {
    expect(await shown()).toMatch(/^\d\d:\d\d:\d\d to \d\d:\d\d:\d\d, 6 min$/);
    expect(await page.locator('.gover > i').count()).toBe(41);
    expect(await page.locator('.gover > .is-troubled').count()).toBe(7);
    const all = (await numbers()).map(Number);
    expect(all.length).toBeGreaterThanOrEqual(4);
    expect(all.length).toBeLessThan(12);
    expect(new Set(await page.evaluate<string[]>(LANES)).size).toBe(1);
  });

  it('when only keys are used, then the part is moved and zoomed, why is opened and closed, and the table is read', {
    tags: ['nightly'],
  }, async () => {
    const before = await shown();
    await tabUntil(`it.getAttribute('role') === 'slider'`);
    await page.keyboard.press('ArrowLeft');
    await until(`document.querySelector('.gbrush').getAttribute('aria-valuetext') !== ${JSON.stringify(before)}`);
    await page.keyboard.press('-');
    await until(`document.querySelector('.gbrush').getAttribute('aria-valuetext').endsWith(', 12 min')`);
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await until(`document.querySelector('.gbrush').getAttribute('aria-valuetext').endsWith(', 3 min')`);
    await page.keyboard.press('Home');
    await until(`document.querySelector('.grow .n [aria-hidden]')?.textContent === '1'`);
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await until(`document.querySelectorAll('.grow').length > 12`);
    await tabUntil(`it.textContent === 'Why?'`);
    await page.keyboard.press('Enter');
    await page.locator('.gwhy li').first().waitFor();
    await tabUntil(`it.textContent === 'Why?' && it.getAttribute('aria-expanded') === 'false'`);
    await page.keyboard.press('Enter');
    await until(`document.querySelectorAll('.gwhy').length === 1`);
    await page.keyboard.press('Escape');
    await until(`document.querySelectorAll('.gwhy').length === 0`);
    expect(await page.evaluate('location.hash')).toBe(`#/sessions/${BUSY_SESSION}`);
    await page.keyboard.press('Escape');
    await until(`location.hash === '#/sessions'`);
  });

  it('when a part of the overview is drawn, taken and clicked by hand, then the window follows', async () => {
    const strip = await page.locator('.gover').boundingBox();
    if (!strip) throw new Error('there is no overview');
    const at = (part: number) => [strip.x + part * strip.width, strip.y + strip.height / 2] as const;
    const drag = async (from: number, to: number): Promise<void> => {
      await page.mouse.move(...at(from));
      await page.mouse.down();
      await page.mouse.move(...at((from + to) / 2));
      await page.mouse.move(...at(to));
      await page.mouse.up();
    };
    const brush = async () => {
      const box = await page.locator('.gbrush').boundingBox();
      return (
        box && [(box.x - strip.x) / strip.width, box.width / strip.width].map((part) => Math.round(20 * part) / 20)
      );
    };
    await drag(0.2, 0.5);
    expect(await brush()).toEqual([0.2, 0.3]);
    await drag(0.35, 0.65);
    expect(await brush()).toEqual([0.5, 0.3]);
    await page.mouse.click(...at(0.15));
    expect(await brush()).toEqual([0, 0.3]);
    await until(`document.querySelector('.grow .n [aria-hidden]')?.textContent === '1'`);
  });

  it('when it is drawn in any colours and at any width, then axe finds nothing and nothing is scrolled sideways', async () => {
    const found: string[] = [];
    await page
      .getByRole('button', { name: /^Why\?/ })
      .first()
      .click();
    await page.locator('.gwhy li').first().waitFor();
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1280, 640, 320, 1920]) {
        await page.setViewportSize({ width, height: 820 });
        const excess = await page.evaluate(
          `document.documentElement.scrollWidth - document.documentElement.clientWidth`,
        );
        expect([width, excess]).toEqual([width, 0]);
        expect(new Set(await page.evaluate<string[]>(LANES)).size).toBe(1);
        if (isNightly || width === 1280) found.push(...(await violations(`${colorScheme} ${width}`)));
        await picture(page, `sessions/gantt-${colorScheme}-${width}`, { fullPage: width === 320 });
      }
    }
    await page.setViewportSize({ width: 1280, height: 820 });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.evaluate(`document.documentElement.style.filter = 'grayscale(1)'`);
    await picture(page, 'sessions/gantt-grey');
    expect(found).toEqual([]);
  });

  it('when it is exported, then the page comes in parts of the axis, and no turn is missing', async () => {
    await page.keyboard.press('Control+e');
    await page.getByRole('radio', { name: 'HTML, one file to open' }).check();
    await page.locator('.export-preview[data-format=html]').waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save' }).click();
    const path = await (await saving).path();
    const alone = await browser.newPage({ viewport: { width: 1280, height: 820 } });
    await alone.route('http://page.test/', (route) => route.fulfill({ path, contentType: 'text/html' }));
    await alone.goto('http://page.test/');
    const turns = (await alone.locator('.grow .n [aria-hidden]').allTextContents()).map(Number);
    expect(turns).toEqual(Array.from({ length: 41 }, (_, n) => n + 1));
    expect(await alone.locator('.gaxis').count()).toBe(3);
    expect(await alone.locator('.gwhy').count()).toBe(7);
    await picture(alone, 'sessions/page-busy', { fullPage: true });
    await alone.close();
  });
});
