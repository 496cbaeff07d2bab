import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type PanelServer, startPanelServer } from '../../src/panel/server';
import { complaintsOf, leaveBrowser, openBrowser, picture, THEMES } from '../support/browser';
import { dayOf, eightAgents } from '../support/eight-agents';
import { overlapsOf, stickingOutOf } from '../support/layout';
import { isNightly } from '../support/nightly';
import { handsOn } from '../support/page-hands';
import { type FakeHost, fakeHost } from '../support/panel-host';

const ROOT = join(import.meta.dirname, '..', '..');
const KINDS = ['calm', 'trouble'] as const;
const WIDTHS = [1920, 1280, 640, 320] as const;

const BOXES =
  'h1, .lede, .head-actions, .ask, .q-text, .q-when, .q-act, .map-agents, .map-chain > *, .seat, .verd, .rb-model, .rib, .rb-now, .section-title > *';
/** What lies over what, and what sticks out of its card. */
const faultsOn = async (page: Page): Promise<ReadonlySet<string>> => {
  const out = stickingOutOf('.queue, .map, .ribbons', 'svg, .seats, .rib, .sr');
  return new Set([...(await page.evaluate<string[]>(overlapsOf(BOXES))), ...(await page.evaluate<string[]>(out))]);
};

describe('given a home with eight agents', () => {
  let browser: Browser;
  let host: FakeHost;
  let server: PanelServer;
  let page: Page;
  let complaints: string[];
  let rev = 1;
  const at = Date.now();

  beforeAll(async () => {
    browser = await openBrowser();
    host = fakeHost(eightAgents(at, 'calm'), { 'models.states': ({ models }) => dayOf(models, at) });
    server = await startPanelServer({ host, rendererRoot: join(ROOT, 'out', 'renderer'), port: 0 });
    const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB' });
    page = await context.newPage();
    complaints = complaintsOf(page);
    await page.goto(server.url);
    await page.locator('.rib i').first().waitFor();
  });
  afterAll(async () => {
    await leaveBrowser(browser);
    await server?.close();
  });
  afterEach(() => expect(complaints).toEqual([]));

  const { violations, tabTo } = handsOn(() => page);
  const show = async (kind: (typeof KINDS)[number]): Promise<void> => {
    host.publish({ ...eightAgents(at, kind), rev: ++rev });
    await page.locator('.queue').waitFor({ state: kind === 'trouble' ? 'visible' : 'detached' });
  };

  const speak = async (language: string): Promise<void> => {
    await page.evaluate(`localStorage.setItem('understudy.language', '${language}')`);
    await page.reload();
    await page.locator('.rib i').first().waitFor();
  };

  it.each(KINDS)(
    'when it is drawn (%s) in every width, theme and language, then nothing overlaps, scrolls or breaks a rule',
    async (kind) => {
      const found: string[] = [];
      for (const language of isNightly ? ['de', 'en'] : ['en']) {
        if (isNightly) await speak(language);
        await show(kind);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 820 });
          const place = `${kind} ${language} ${width}`;
          for (const fault of await faultsOn(page)) found.push(`${place}: ${fault}`);
          if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
            found.push(`${place}: too wide`);
          for (const theme of THEMES) {
            if (language === 'de' && theme === 'dark') continue;
            await page.emulateMedia({ colorScheme: theme });
            // By day test/e2e/layout.test.ts asks axe about this view.
            if (isNightly && (width === 1280 || width === 320))
              found.push(...(await violations(`${place} ${theme}`, { contrast: language === 'en' })));
            await picture(page, `home/${kind}-${language}-${width}-${theme}`);
          }
        }
      }
      expect(found).toEqual([]);
    },
  );

  it.each(KINDS)('when it is %s at 1280 by 820, then all of it is seen without scrolling', async (kind) => {
    await page.setViewportSize({ width: 1280, height: 820 });
    await show(kind);
    const bottom = await page.evaluate<number>(`document.querySelector('.ribbons').getBoundingClientRect().bottom`);
    expect(bottom).toBeLessThanOrEqual(820);
  });

  it('when only keys are used, then an entry says why, and another one leads to where its cause is removed', async () => {
    await show('trouble');
    await tabTo('Why does oracle use gpt-5?');
    await page.keyboard.press('Enter');
    await page.locator('.q-why:not([hidden])').waitFor();
    await tabTo('Add one… plan');
    await page.keyboard.press('Enter');
    await page.locator('.chain').waitFor();
    expect(await page.locator('.chain h2').textContent()).toBe('plan');
  });
});
