import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/contract/snapshot';
import { type PanelServer, startPanelServer } from '../../src/panel/server';
import { configured, failed, prompted, started } from '../core/virtual-core';
import { complaintsOf, leaveBrowser, openBrowser, picture } from '../support/browser';
import { tellAsCompanion } from '../support/companion';
import { addressOf, type Desktop, launchDesktop, realElectron } from '../support/desktop/launch';
import { eventually } from '../support/eventually';
import { handsOn } from '../support/page-hands';
import { GPT, openSeededCore, SONNET } from '../support/seeded-core';

const ROOT = join(import.meta.dirname, '..', '..');
/** Switches are gathered for two seconds before anybody is told, and the machine has more to do. */
const TOLD = { timeout: 60_000 };

/** Long enough that a turn is given up to another model. */
const LIMITED = [429, 'Rate limit reached', { 'retry-after': '900' }] as const;

/** The browser's own notifications, written down: a browser without a screen shows none. */
const RECORDER = `
  window.shownNotices = [];
  window.Notification = class {
    static permission = 'granted';
    static requestPermission = async () => 'granted';
    constructor(title, options) {
      Object.assign(this, { title, options, isClosed: false });
      window.shownNotices.push(this);
    }
    close() { this.isClosed = true; }
  };`;

describe('given the panel in two tabs of a browser that may show notifications', () => {
  let browser: Browser;
  let context: BrowserContext;
  let seeded: Awaited<ReturnType<typeof openSeededCore>>;
  let server: PanelServer;
  let page: Page;
  let other: Page;
  let complaints: string[];
  const { until, tabTo, violations } = handsOn(() => page);

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => leaveBrowser(browser));
  beforeEach(async () => {
    seeded = await openSeededCore();
    server = await startPanelServer({ host: seeded.core.host, rendererRoot: join(ROOT, 'out', 'renderer'), port: 0 });
    context = await browser.newContext({ viewport: { width: 1280, height: 820 }, reducedMotion: 'reduce' });
    await context.grantPermissions(['notifications'], { origin: new URL(server.url).origin });
    await context.addInitScript(RECORDER);
    other = await opened('#/models');
    page = await opened('#/events');
    complaints = complaintsOf(page);
  });
  afterEach(async () => {
    await context?.close();
    await server?.close();
    await seeded?.close();
    expect(complaints).toEqual([]);
  });

  const opened = async (hash: string): Promise<Page> => {
    const tab = await context.newPage();
    await tab.goto(server.url);
    await tab.getByRole('heading', { level: 1 }).waitFor();
    await tab.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    return tab;
  };
  const snapshot = () => seeded.core.host.handlers['snapshot.get'](null) as Snapshot;
  const shownIn = (tab: Page) =>
    tab.evaluate(
      `window.shownNotices.filter(({ title }) => title.startsWith('build')).map(({ title }) => title)`,
    ) as Promise<string[]>;
  const switched = async () => {
    seeded.turn('checkout', 'build', [[SONNET, LIMITED], [GPT]]);
    await eventually(async () => [...(await shownIn(page)), ...(await shownIn(other))].length > 0);
  };
  const item = () => page.locator('.notice', { hasText: 'build now uses gpt-5' });

  it('when an agent falls back, then one tab shows one notice, and a click on it leads to the agents', async () => {
    await switched();
    const both = [await shownIn(page), await shownIn(other)];
    expect(both.flat()).toEqual(['build now uses gpt-5']);
    const speaker = both[0]?.length ? page : other;
    expect(await speaker.evaluate(`window.shownNotices.at(-1).options`)).toMatchObject({
      silent: true,
      body: expect.stringContaining('claude-sonnet-4-5'),
    });
    await speaker.evaluate(`window.shownNotices.at(-1).onclick()`);
    expect(await speaker.evaluate('location.hash')).toBe('#/now');
  });

  it('when the bell is pressed, then the notice is there, and its button does what it says, by keyboard alone', {
    tags: ['nightly'],
  }, async () => {
    await switched();
    const unread = snapshot().unreadNotices;
    expect(unread).toBeGreaterThan(0);
    await until(`document.querySelector('.bell').getAttribute('aria-label') === 'Notices, ${unread} unread'`);
    await tabTo(`Notices, ${unread} unread`);
    await page.keyboard.press('Enter');
    await item().waitFor();
    await tabTo('Pin here 30m: build now uses gpt-5');
    await page.keyboard.press('Enter');
    await page.getByText('build stays on gpt-5 for 30 minutes.').waitFor();
    expect(snapshot().pins).toMatchObject([{ agent: 'build', model: GPT }]);
    await item().getByRole('link', { name: /^Open/ }).focus();
    await page.keyboard.press('Escape');
    await until(`document.querySelector('.inbox') === null && document.activeElement.classList.contains('bell')`);
    await until(`document.querySelector('.bell').getAttribute('aria-label') === 'Notices'`);
    expect([snapshot().unreadNotices, await page.evaluate('location.hash')]).toEqual([0, '#/events']);
  });

  it('when the notices are open, then axe finds nothing, nothing is cut off, and the address opens them again', {
    tags: ['nightly'],
  }, async () => {
    await switched();
    seeded.turn('shop', 'build', [[SONNET, LIMITED]]);
    const bell = page.locator('.bell');
    await eventually(
      async () => (await bell.getAttribute('aria-label'))?.endsWith(`, ${snapshot().unreadNotices} unread`) === true,
    );
    const found: string[] = [];
    for (const width of [1280, 640, 320])
      for (const theme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 820 });
        await page.evaluate(`document.documentElement.dataset.theme = '${theme}'; location.hash = '#/now?notices'`);
        await item().waitFor();
        // Colours are the same at any width.
        found.push(...(await violations(`${width} ${theme}`, { contrast: width === 1280 })));
        const wide = `document.querySelector('.inbox-body').scrollWidth - document.querySelector('.inbox-body').clientWidth`;
        if (Number(await page.evaluate(wide)) > 0) found.push(`${width} ${theme} is cut off`);
        await picture(page, `panel/inbox-${theme}-${width}`);
      }
    expect(found).toEqual([]);
    await page.reload();
    await item().waitFor();
  });
});

describe('given the built desktop app', () => {
  let home: string;
  let desktop: Desktop | null = null;
  let hangUp = (): void => undefined;
  /** What the system shows can be looked into only where Electron is stood in for. */
  const overStandIn = realElectron() === null ? it : it.skip;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'us-'));
  });
  afterEach(async () => {
    hangUp();
    await desktop?.close();
    desktop = null;
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  /** A companion whose lead is limited: its turn falls back. */
  const fallBack = async (): Promise<void> => {
    const again = started({ attempt: 'a2', model: 'spare/two' });
    hangUp = await tellAsCompanion(home, [configured(), prompted(), started(), failed(), again]);
  };
  const launched = async (env: Record<string, string>): Promise<Page> => {
    desktop = await launchDesktop({ home, env });
    const page = await desktop.firstPage();
    await page.evaluate(`location.hash = '#/events'`);
    await page.waitForURL(/#\/events$/);
    return page;
  };
  type Seen = { options: { title: string; actions: { text: string }[] } };
  const seen = () =>
    desktop!.evaluate((here) => {
      const { notifications } = (here as unknown as { standIn: { notifications: { options: unknown }[] } }).standIn;
      return notifications.map(({ options }) => ({ options }));
    }) as Promise<Seen[]>;
  const use = (name: string, actionIndex: number) =>
    desktop!.evaluate(
      (here, given) => {
        const { notifications } = (
          here as unknown as { standIn: { notifications: { emit(name: string, details: object): void }[] } }
        ).standIn;
        notifications[0]?.emit(given.name, { actionIndex: given.actionIndex });
      },
      { name, actionIndex },
    );

  overStandIn(
    'when an agent falls back, then the desktop shows it, and a click on it leads to the agents',
    async () => {
      const page = await launched({});
      await fallBack();
      const [first] = await eventually(async () => ((await seen()).length > 0 ? await seen() : false));
      expect([first?.options.title, first?.options.actions]).toEqual(['build now uses two', []]);
      await use('click', 0);
      await page.waitForURL(/#\/now$/);
      expect(addressOf(page)).toBe('app://understudy/#/now');
    },
  );

  overStandIn(
    'when it has buttons, as on macOS, then the first holds the agent where it is',
    { tags: ['nightly'] },
    async () => {
      const page = await launched({ STAND_IN_PLATFORM: 'darwin' });
      await fallBack();
      const [first] = await eventually(async () => ((await seen()).length > 0 ? await seen() : false));
      expect(first?.options.actions.map(({ text }) => text)).toEqual(['Pin here 30m', 'Open']);
      await use('action', 0);
      const pins = `window.understudy.ask('snapshot.get', null).then(({ pins }) => pins.map(({ agent, model }) => [agent, model]))`;
      await eventually(async () => ((await page.evaluate(pins)) as unknown[]).length > 0);
      expect([await page.evaluate(pins), (await seen()).length]).toEqual([[['build', 'spare/two']], 1]);
    },
  );

  overStandIn(
    'when there is no service for notifications, then the panel says so once, and has the notice',
    { tags: ['nightly'] },
    async () => {
      const page = await launched({ STAND_IN_NOTIFICATIONS: 'missing' });
      await fallBack();
      await page.getByText('This system cannot show notifications.').waitFor(TOLD);
      await page.getByRole('button', { name: 'Show notices' }).click();
      await page.getByText('build now uses two').waitFor();
      await page.evaluate(`location.hash = '#/settings/notifications'`);
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByText('The test was not sent').waitFor();
      expect(await seen()).toEqual([]);
    },
  );
});
