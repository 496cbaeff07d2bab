import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page, Request } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Handlers } from '../../src/contract/contract';
import type { OpenedCore } from '../../src/node/attach-core';
import { openCore } from '../../src/node/open-core';
import { type PanelServer, startPanelServer } from '../../src/panel/server';
import { complaintsOf, leaveBrowser, openBrowser, picture, THEMES } from '../support/browser';
import { eventually } from '../support/eventually';
import { INTERACTIVE, overlapsOf, stickingOutOf, UNDER_TOAST, UNREADABLE, USED_WIDTH } from '../support/layout';
import { WORLDS, worldOf } from '../support/layout-worlds';
import { isNightly } from '../support/nightly';
import { handsOn } from '../support/page-hands';
import { fakeHost } from '../support/panel-host';
import { RUN } from '../support/sample-council';

const RENDERER = join(import.meta.dirname, '..', '..', 'out', 'renderer');
/** At 200 % zoom a window of 1280 px is laid out as one of 640, at 400 % as one of 320. */
const ALL_WIDTHS = [1920, 1280, 640, 320] as const;
/** Only the nightly run looks at every width; that part of a test has no tag of its own. */
const WIDTHS = isNightly ? ALL_WIDTHS : ([1280, 320] as const);
/** Contrast is nine tenths of the time of axe: the colours of other worlds are among those of these, and the same at any width. */
const COLOURFUL: readonly (typeof WORLDS)[number][] = ['empty', 'trouble', 'closed'];
/** The sections with most to lay out; the nightly run opens all. */
const SECTIONS = isNightly
  ? (['general', 'notifications', 'breaker', 'projects', 'data', 'appearance', 'advanced'] as const)
  : (['breaker', 'data'] as const);
/** The views where axe measures contrast per merge; test/renderer/contrast.test.ts computes that of all. */
const CONTRASTED: readonly string[] = ['#/now', '#/sessions/ses_1'];
/** Every view in every width is half a minute of work, and minutes on a busy machine. */
const LOOKING_MS = 600_000;
/** The world for each merge: it has long names, every kind of row, and all that asks for attention. */
const DAILY_WORLD: (typeof WORLDS)[number] = 'trouble';
/** What is cut off on purpose, or scrolls. */
const CLIPPED = 'svg, .sr, .id-slash, .scroll, .chart-scroll, .diff, pre, select, .rib, .seats';
const PAGES = [
  ...['#/now', '#/now?notices', '#/chains', '#/models', '#/sessions', '#/sessions/ses_1', '#/usage', '#/events'],
  ...['#/headroom', '#/ranking', '#/council', `#/council/${RUN}`, '#/fleet'],
  ...['#/setup', ...SECTIONS.map((section) => `#/settings/${section}`), '#/glance'],
];

describe('given a panel, whatever there is to show', () => {
  let root: string;
  let core: OpenedCore;
  let browser: Browser;
  let server: PanelServer;
  let page: Page;
  let complaints: string[];
  /** Questions of the page that have no answer yet. */
  const asked = new Set<Request>();

  beforeAll(async () => {
    browser = await openBrowser();
    root = await mkdtemp(join(tmpdir(), 'us-'));
    // Settings and files are those of a real core, on which nothing has been set.
    const env = {
      ...process.env,
      UNDERSTUDY_HOME: join(root, 'u'),
      XDG_CONFIG_HOME: join(root, 'c'),
      XDG_DATA_HOME: join(root, 'd'),
    };
    core = await openCore({ version: '0.1.0', runtime: 'test', env });
  });
  afterAll(async () => {
    await leaveBrowser(browser);
    await core?.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });

  beforeEach(async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB' });
    page = await context.newPage();
    complaints = complaintsOf(page);
    asked.clear();
    page.on('request', (request) => request.url().includes('/rpc/') && asked.add(request));
    for (const end of ['requestfinished', 'requestfailed'] as const)
      page.on(end as 'requestfinished', (request) => asked.delete(request));
  });
  afterEach(async () => {
    await page?.context().close();
    await server?.close();
    expect(complaints).toEqual([]);
  });

  const { until, violations } = handsOn(() => page);

  async function openWorld(name: (typeof WORLDS)[number], change: Partial<Handlers> = {}): Promise<void> {
    const { snapshot, handlers } = worldOf(name, Date.now());
    const { 'snapshot.get': _, ...real } = core.host.handlers;
    server = await startPanelServer({
      host: fakeHost(snapshot, { ...real, ...handlers, ...change }),
      rendererRoot: RENDERER,
      port: 0,
    });
    await page.goto(server.url);
    await page.getByRole('heading', { level: 1 }).waitFor();
  }
  /** What depends on sizes is told of them a frame later. */
  const drawn = () => page.evaluate('new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))');
  async function open(hash: string): Promise<void> {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    const isThere =
      hash === '#/glance'
        ? `.glance-foot`
        : `nav a[aria-current=page][href="${hash.split(/[/?]/, 2).join('/')}"] >> nth=0`;
    await page.locator(isThere).waitFor();
    await until(`document.querySelector('main h1') !== null && document.querySelector('.bone') === null`);
    await eventually(async () => asked.size === 0);
    await drawn();
  }
  /** What is wrong with how the page is laid out in a window as wide as this, once rows know their new heights. */
  async function faults(): Promise<readonly string[]> {
    if ((await faultsNow()).length === 0) return [];
    await drawn();
    return await faultsNow();
  }
  async function faultsNow(): Promise<readonly string[]> {
    const excess = await page.evaluate<number>(
      // What is fixed widens no page: what sticks out of it is out of reach.
      `Math.max(...[document.documentElement, ...document.querySelectorAll('.inbox, .inbox *, dialog[open]')]
        .filter((each) => !each.closest('.sr')).map((each) => each.scrollWidth - (each.clientWidth || each.scrollWidth)))`,
    );
    return [
      ...(excess > 0 ? [`${excess} px too wide`] : []),
      ...new Set([
        ...(await page.evaluate<string[]>(overlapsOf(INTERACTIVE))),
        ...(await page.evaluate<string[]>(UNREADABLE)),
      ]),
    ];
  }

  for (const world of WORLDS)
    it(`when every view is opened in every width and theme (${world}), then nothing overlaps, scrolls sideways, is cut or breaks a rule`, {
      tags: world === DAILY_WORLD ? [] : ['nightly'],
      timeout: LOOKING_MS,
    }, async () => {
      const found = new Set<string>();
      await openWorld(world);
      for (const hash of PAGES) {
        await page.setViewportSize({ width: 1280, height: 820 });
        await open(hash);
        // Folded as it is found in one world, with all that is in it in the others.
        if (world !== 'trouble')
          await page.evaluate(`for (const each of document.querySelectorAll('.setup-fold details')) each.open = true`);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 820 });
          for (const theme of THEMES) {
            await page.emulateMedia({ colorScheme: theme });
            for (const fault of await faults()) found.add(`${world} ${hash} ${width}: ${fault}`);
            if (width === 1280 || (isNightly && width === 320 && theme === 'light'))
              for (const rule of await violations(`${world} ${hash} ${width} ${theme}`, {
                contrast: width === 1280 && COLOURFUL.includes(world) && (isNightly || CONTRASTED.includes(hash)),
              }))
                found.add(rule);
            await picture(page, `layout/${world}-${hash.replace(/\W+/g, '-').slice(1)}-${width}-${theme}`);
          }
          if (width === 1920 && hash !== '#/glance') {
            const used = await page.evaluate<number>(USED_WIDTH);
            if (used < 0.9) found.add(`${world} ${hash}: uses ${Math.round(used * 100)} % of 1920 px`);
          }
        }
        await page.setViewportSize({ width: 1280, height: 820 });
        await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
        for (const fault of await faults()) found.add(`${world} ${hash} with text twice as large: ${fault}`);
        await picture(page, `layout/large-${world}-${hash.replace(/\W+/g, '-').slice(1)}`);
        await page.evaluate(`document.documentElement.style.fontSize = ''`);
      }
      expect([...found]).toEqual([]);
    });

  it('when a toast stands, then on no view it covers what cannot be brought out from under it, nor the navigation', async () => {
    const reason =
      'the file has changed since it was shown, and nothing was written. Look at it again, then decide once more.';
    await openWorld('trouble', { 'person.act': () => ({ accepted: false, reason }) });
    await page.locator('.ask-act .btn-main').click();
    await page.locator('.toast').waitFor();
    const found = new Set<string>();
    for (const hash of isNightly ? PAGES.filter((each) => each !== '#/glance') : ['#/models', '#/setup', '#/events']) {
      await page.setViewportSize({ width: 1280, height: 820 });
      await open(hash);
      for (const width of isNightly ? WIDTHS : [1280, 320]) {
        // So low that each view is higher.
        await page.setViewportSize({ width, height: 460 });
        await drawn();
        for (const under of await page.evaluate<string[]>(UNDER_TOAST)) found.add(`${hash} ${width}: ${under}`);
        await picture(page, `layout/toast-${hash.replace(/\W+/g, '-').slice(1)}-${width}`);
      }
    }
    expect([...found]).toEqual([]);
  });

  it('when the palette is open, with a search, a choice and a favourite, then it fits every width and breaks no rule', async () => {
    const found = new Set<string>();
    const lines = page.locator('.palette [cmdk-item]');
    const stages: Readonly<Record<string, () => Promise<void>>> = {
      first: async () => {
        await page.keyboard.type('go to usage');
        await page.keyboard.press('Control+d');
        await page.locator('.palette-star').waitFor();
        await page.getByRole('combobox').fill('');
      },
      search: () => page.keyboard.type('hold sonnet 45m'),
      choices: async () => {
        await page.getByRole('combobox').fill('pin');
        await page.keyboard.press('Tab');
        await page.locator('.palette-asked').waitFor();
      },
    };
    await openWorld('trouble');
    for (const [stage, reach] of Object.entries(stages)) {
      await page.setViewportSize({ width: 1280, height: 820 });
      await page.keyboard.press('Control+k');
      await lines.first().waitFor();
      await reach();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 820 });
        for (const theme of THEMES) {
          await page.emulateMedia({ colorScheme: theme });
          await drawn();
          for (const fault of await faults()) found.add(`${stage} ${width}: ${fault}`);
          if (isNightly || width === 1280)
            for (const rule of await violations(`palette ${stage} ${width} ${theme}`)) found.add(rule);
          await picture(page, `layout/palette-${stage}-${width}-${theme}`);
        }
      }
      await page.keyboard.press('Escape');
      if (stage === 'choices') await page.keyboard.press('Escape');
      await page.locator('dialog.palette').waitFor({ state: 'detached' });
    }
    expect([...found]).toEqual([]);
  });

  it('when German is spoken, then its longer words fit as well', { tags: ['nightly'] }, async () => {
    const found = new Set<string>();
    await openWorld('trouble');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await until(`document.documentElement.lang === 'de'`);
    for (const hash of PAGES) {
      await page.setViewportSize({ width: 1280, height: 820 });
      await open(hash);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 820 });
        for (const fault of await faults()) found.add(`${hash} ${width}: ${fault}`);
        for (const out of await page.evaluate<string[]>(stickingOutOf('main .card', CLIPPED)))
          found.add(`${hash} ${width}: ${out}`);
        await picture(page, `layout/de-${hash.replace(/\W+/g, '-').slice(1)}-${width}`);
      }
    }
    expect([...found]).toEqual([]);
  });
});
