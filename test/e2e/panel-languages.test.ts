import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PanelServer, startPanelServer } from '../../src/panel/server';
import { complaintsOf, leaveBrowser, openBrowser, picture } from '../support/browser';
import { eventually } from '../support/eventually';
import { isNightly } from '../support/nightly';
import { handsOn } from '../support/page-hands';
import { OPUS, openSeededCore } from '../support/seeded-core';

const ROOT = join(import.meta.dirname, '..', '..');
const WIDE = 1280;
const NARROW = 640;
/** The views with the longest German texts. */
const PER_MERGE: ReadonlySet<string> = new Set(['chains', 'models', 'usage', 'setup', 'settings']);

/** Everything whose text is cut off, as what it is and what it says. */
const CUT = `[...document.querySelectorAll('body *')].filter((each) => {
  const { overflowX } = getComputedStyle(each);
  return each.checkVisibility() && !each.closest('.sr') && !['visible', 'auto'].includes(overflowX) &&
    each.textContent.trim() !== '' && each.scrollWidth > each.clientWidth + 1;
}).map((each) => [each.tagName + '.' + each.className, each.textContent])`;
type Cut = readonly (readonly [what: string, text: string])[];

/** Kinds of elements of which more are cut than in English. */
function newlyCut(english: Cut, translated: Cut): readonly string[] {
  const times = (cut: Cut, what: string) => cut.filter((each) => each[0] === what).length;
  return translated.flatMap(([what, text]) =>
    times(translated, what) > times(english, what) ? [`${what} cuts "${text}"`] : [],
  );
}

let browser: Browser;
let seeded: Awaited<ReturnType<typeof openSeededCore>>;
let server: PanelServer;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => leaveBrowser(browser));

beforeEach(async () => {
  seeded = await openSeededCore();
  server = await startPanelServer({ host: seeded.core.host, rendererRoot: join(ROOT, 'out', 'renderer'), port: 0 });
});
afterEach(async () => {
  await server?.close();
  await seeded?.close();
});

/** Where it is early afternoon now: what happened an hour ago is of today, whenever this runs. */
function afternoonZone(): string {
  const hours = 13 - new Date().getUTCHours();
  return hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

/** The panel as a reader of these languages sees it; whatever it complains about fails the test. */
async function withPage(locale: string, look: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({
    ...{ locale, timezoneId: afternoonZone() },
    ...{ viewport: { width: 1280, height: 820 }, reducedMotion: 'reduce' },
  });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  await page.goto(server.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await look(page).finally(() => context.close());
  expect(complaints).toEqual([]);
}

const languageOf = (page: Page) => page.evaluate('document.documentElement.lang');

/** A view, the address that opens it, the control that opens something in it, and what is then there. */
type View = Readonly<{ name: string; hash: string; press?: string; seen?: string }>;
const views = (): readonly View[] => {
  const plan = `#/chains/${encodeURIComponent(`${seeded.shop}|plan`)}`;
  const opus = `#/models/${encodeURIComponent(OPUS)}`;
  return [
    { name: 'now', hash: '#/now', press: '.q-act [aria-expanded]' },
    { name: 'session', hash: '#/sessions/ses_shop', press: '.agent-act [aria-expanded]', seen: '.agent-why .tbl' },
    { name: 'pause', hash: '#/now', press: '.head-actions .btn' },
    { name: 'shortcuts', hash: '#/now', press: '.side-foot [aria-keyshortcuts="?"]', seen: '.sheet' },
    { name: 'palette', hash: '#/now', press: '.side-foot [aria-keyshortcuts="Control+k"]', seen: '.palette' },
    { name: 'notices', hash: '#/now?notices', seen: '.notice' },
    { name: 'chains', hash: plan },
    { name: 'chains-draft', hash: plan, press: '.crow:nth-of-type(2) [data-control=up]' },
    { name: 'chains-what-if', hash: plan, press: '.draft-what-if .btn', seen: '.draft-what-if .tbl' },
    { name: 'chains-raw', hash: plan, press: '.draft-top [aria-expanded]', seen: '.diff' },
    { name: 'chains-new', hash: plan, press: '.head-actions .btn', seen: '.new-chain' },
    { name: 'models', hash: '#/models' },
    { name: 'models-reset', hash: '#/models', press: '.head-actions .btn' },
    { name: 'model', hash: opus },
    { name: 'model-hold', hash: opus, press: '.actions [aria-keyshortcuts=h]' },
    { name: 'events', hash: '#/events', press: '.log-row', seen: '.log-detail h2' },
    { name: 'sessions', hash: '#/sessions', seen: '.sess' },
    { name: 'usage', hash: '#/usage' },
    { name: 'headroom', hash: '#/headroom' },
    { name: 'ranking', hash: '#/ranking' },
    { name: 'council', hash: '#/council' },
    { name: 'fleet', hash: '#/fleet' },
    { name: 'setup', hash: '#/setup' },
    { name: 'settings', hash: '#/settings' },
  ];
};

async function show(page: Page, { hash, press, seen }: View): Promise<void> {
  await page.evaluate(`location.hash = '#/now'`);
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  // What a view opens with is drawn when the view is there, also one that has to be fetched.
  await page.locator('main h1').waitFor();
  await eventually(() =>
    page.evaluate(
      `[...document.querySelectorAll('nav [aria-current]')].some(({ hash }) => hash === location.hash.split('?')[0].split('/', 2).join('/'))`,
    ),
  );
  await page.locator('main h1').waitFor();
  if (press) await page.locator(press).first().click();
  if (seen) await page.locator(seen).first().waitFor();
}

describe('given every view', () => {
  for (const width of [WIDE, NARROW])
    it(`when a German reader opens it at ${width} px, then it fits and cuts nothing that English does not cut`, {
      tags: width === NARROW ? [] : ['nightly'],
    }, async () => {
      const cuts: Record<string, Cut> = {};
      const found: string[] = [];
      const look = (locale: 'en' | 'de') => async (page: Page) => {
        expect(await languageOf(page)).toBe(locale);
        await page.setViewportSize({ width, height: 820 });
        // The nightly run opens all views and all that opens in them; this part of the test has no tag of its own.
        for (const view of views().filter(({ name }) => isNightly || PER_MERGE.has(name))) {
          await show(page, view);
          const note = (problems: readonly string[]) => found.push(...problems.map((each) => `${view.name}: ${each}`));
          if (await page.evaluate(`document.documentElement.scrollWidth > innerWidth`)) note([`too wide in ${locale}`]);
          const cut = await page.evaluate<Cut>(CUT);
          note(newlyCut(cuts[view.name] ?? cut, cut));
          if (locale === 'en') cuts[view.name] = cut;
          // No colour depends on the language.
          else if (isNightly) note(await handsOn(() => page).violations('axe', { contrast: false }));
          await picture(page, `languages/${view.name}-${width}-${locale}`);
          await page.keyboard.press('Escape');
        }
      };
      await withPage('en', look('en'));
      await withPage('de', look('de'));
      expect(found).toEqual([]);
    });
});

describe('given a reader of English who changes the language', () => {
  it('when German is chosen, then it speaks at once, keeps the draft, and still does on the next visit', async () => {
    await withPage('en', async (page) => {
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await show(page, views().find(({ name }) => name === 'chains-draft') as View);
      await page.getByRole('combobox', { name: 'Add a model' }).fill('xai/gro');
      expect(requests.filter((url) => url.includes('/de-'))).toEqual([]);
      await page.getByRole('button', { name: 'Deutsch' }).click();
      await page.getByRole('heading', { level: 1, name: 'Ketten' }).waitFor();
      expect([await languageOf(page), await page.title()]).toEqual([
        'de',
        expect.stringMatching(/ (?:wartet|ist|hat|sind) .* · Understudy$/),
      ]);
      await page.getByText('1 Änderung, nicht angewendet').waitFor();
      expect(await page.getByRole('combobox', { name: 'Modell hinzufügen' }).inputValue()).toBe('xai/gro');
      await page.evaluate(`location.hash = '#/models'`);
      await page.locator('.tile .st', { hasText: 'Abkühlzeit' }).first().waitFor();
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Modelle' }).waitFor();
      await page.getByRole('button', { name: 'English' }).click();
      await page.locator('.tile .st', { hasText: 'Cooling' }).first().waitFor();
      expect(await languageOf(page)).toBe('en');
    });
  });
});
