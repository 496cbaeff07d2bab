import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PanelServer, startPanelServer } from '../../src/panel/server';
import { complaintsOf, leaveBrowser, openBrowser, picture } from '../support/browser';
import { addressOf, type Desktop, launchDesktop, realElectron } from '../support/desktop/launch';
import { crash, nextPage, shortenHalfMinutes } from '../support/desktop/pages';
import { eventually } from '../support/eventually';
import { isNightly } from '../support/nightly';
import { handsOn } from '../support/page-hands';
import { openSeededCore } from '../support/seeded-core';

const ROOT = join(import.meta.dirname, '..', '..');
const SIZE = { width: 360, height: 520 };

describe('given the popover of a busy afternoon, as wide as a hand', () => {
  let browser: Browser;
  let seeded: Awaited<ReturnType<typeof openSeededCore>>;
  let server: PanelServer;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => leaveBrowser(browser));

  beforeEach(async () => {
    seeded = await openSeededCore();
    server = await startPanelServer({ host: seeded.core.host, rendererRoot: join(ROOT, 'out', 'renderer'), port: 0 });
    const context = await browser.newContext({ viewport: SIZE, reducedMotion: 'reduce', locale: 'en-GB' });
    page = await context.newPage();
    complaints = complaintsOf(page);
    await page.goto(`${server.url}#/glance`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  });
  afterEach(async () => {
    await page?.context().close();
    await server?.close();
    await seeded?.close();
    expect(complaints).toEqual([]);
  });

  const { tabTo, violations, until } = handsOn(() => page);

  it('when it is drawn in both themes and languages, then axe finds nothing, and nothing is wider than it', async () => {
    await page.getByRole('button', { name: 'No', exact: true }).click();
    await page.getByRole('status').waitFor();
    await picture(page, 'glance/glance-toast');
    const looks = [
      ['light', 'en'],
      ...(isNightly
        ? [
            ['dark', 'en'],
            ['light', 'de'],
          ]
        : []),
    ] as ['light' | 'dark', string][];
    for (const [theme, language] of looks) {
      await page.emulateMedia({ colorScheme: theme });
      await page.evaluate(`localStorage.setItem('understudy.language', '${language}')`);
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.evaluate('document.documentElement.lang')).toBe(language);
      expect(await violations(`${theme} ${language}`)).toEqual([]);
      expect(
        await page.evaluate(`[...document.querySelectorAll('html, main, footer')].filter(
          (each) => each.scrollWidth > each.clientWidth).map((each) => each.tagName)`),
      ).toEqual([]);
      await picture(page, `glance/glance-${theme}-${language}`);
    }
  });

  it('when it is read, then it says what the view "now" says, without its navigation', {
    tags: ['nightly'],
  }, async () => {
    const title = await page.getByRole('heading', { level: 1 }).textContent();
    const agents = await page.locator('.glance-agent-name b').allTextContents();
    expect([await page.getByRole('navigation').count(), agents.length > 2]).toEqual([0, true]);
    await page.setViewportSize({ width: 1280, height: 820 });
    await page.evaluate(`location.hash = '#/now'`);
    await page.getByRole('navigation').first().waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
    const now = await page.locator('.map-agent').allTextContents();
    expect(agents.filter((each) => !now.includes(each))).toEqual([]);
  });

  it('when only keys are used, then switching is paused and resumed, and a link leads to its view', async () => {
    await tabTo('Pause…');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await until(`document.querySelector('dialog') === null && document.activeElement.textContent.includes('Pause')`);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText(/^Paused until/).waitFor();
    await picture(page, 'glance/glance-paused');
    await tabTo('Resume');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Pause…' }).waitFor();
    await tabTo('Open Understudy');
    await page.keyboard.press('Enter');
    // A browser has no window beside this page.
    await page.waitForURL(/#\/now$/);
  });
});

const SOON = { timeout: 60_000 };
/** Only the stand-in can pretend to be on another system. */
const overStandIn = realElectron() === null ? describe : describe.skip;

type StandIn = Readonly<{
  standIn: Readonly<{ trays: readonly { emit(name: string, ...given: unknown[]): boolean }[] }>;
}>;
const clickIcon = (desktop: Desktop) =>
  desktop.evaluate((here) => {
    const [icon] = (here as unknown as StandIn).standIn.trays;
    icon?.emit('click', {}, { x: 1000, y: 764, width: 24, height: 32 });
  });
const windowsOf = (desktop: Desktop) =>
  desktop.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => [window.getBounds(), window.isVisible()] as const),
  );

overStandIn('given the popover at the icon, on a Windows that is pretended', () => {
  const PLACE = { x: 832, y: 232, width: 360, height: 520 };
  let home: string;
  let desktop: Desktop;
  let page: Page;
  let popover: Page;
  const isShown = async () => (await windowsOf(desktop))[1]?.[1] === true;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'us-'));
    desktop = await launchDesktop({ home, platform: 'win32' });
    page = await desktop.firstPage();
    await clickIcon(desktop);
    popover = await nextPage(desktop, [page]);
  });
  afterAll(async () => {
    await desktop?.close();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });
  beforeEach(async () => {
    await eventually(async () => {
      if (!(await isShown())) await clickIcon(desktop);
      return await isShown();
    });
    await popover.getByRole('heading', { level: 1, name: 'Waiting for OpenCode.' }).waitFor();
  });

  it('when the icon is clicked, then it is beside it with the verdict, as locked as the window, without a complaint', async () => {
    const complaints = complaintsOf(popover);
    await popover.reload();
    await popover.getByRole('heading', { level: 1, name: 'Waiting for OpenCode.' }).waitFor();
    expect([addressOf(popover), (await windowsOf(desktop))[1]]).toEqual(['app://understudy/#/glance', [PLACE, true]]);
    expect(await popover.evaluate('[innerWidth, document.documentElement.scrollWidth, typeof require]')).toEqual([
      ...[360, 360, 'undefined'],
    ]);
    const locks = await desktop.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map(({ webContents }) =>
        (webContents as unknown as { getLastWebPreferences(): object }).getLastWebPreferences(),
      ),
    );
    expect(locks[1]).toEqual(locks[0]);
    await popover.evaluate(`location.href = 'https://example.org/'`).catch(() => undefined);
    expect([addressOf(popover), complaints]).toEqual(['app://understudy/#/glance', []]);
  });

  it('when Escape is pressed, then it hides; when a link is followed, then the window shows that view', async () => {
    await page.evaluate(`location.hash = '#/events'`);
    await popover.keyboard.press('Escape');
    await expect.poll(isShown, SOON).toBe(false);
    await clickIcon(desktop);
    await expect.poll(isShown, SOON).toBe(true);
    await popover.getByRole('link', { name: 'Open Understudy' }).click();
    await page.waitForURL(/#\/now$/);
    expect([await isShown(), addressOf(popover)]).toEqual([false, 'app://understudy/#/glance']);
  });

  it('when its page crashes, then it comes again at its place', { tags: ['nightly'] }, async () => {
    await crash(popover);
    const next = await nextPage(desktop, [page, popover]);
    await next.getByRole('heading', { level: 1, name: 'Waiting for OpenCode.' }).waitFor();
    popover = next;
    expect((await windowsOf(desktop)).map(([place]) => place)).toEqual([expect.anything(), PLACE]);
  });

  it('when it is hidden and dropped, then the window keeps its draft and place, and its theme is that of the next one', {
    tags: ['nightly'],
  }, async () => {
    const kept = `localStorage.setItem('understudy.view', 'of the window')`;
    await page.evaluate(kept);
    await shortenHalfMinutes(desktop, 500);
    const gone = popover.waitForEvent('close');
    await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[1]?.blur());
    await gone;
    expect(await page.evaluate(`localStorage.getItem('understudy.view')`)).toBe('of the window');
    await page.evaluate(`localStorage.setItem('understudy.theme', 'dark')`);
    await eventually(async () => {
      await clickIcon(desktop);
      return (await windowsOf(desktop)).length === 2;
    });
    const next = await nextPage(desktop, [page, popover]);
    await next.getByRole('heading', { level: 1 }).waitFor();
    expect(await next.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });
});
