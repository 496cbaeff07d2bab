import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PanelServer, startPanelServer } from '../../src/panel/server';
import { complaintsOf, leaveBrowser, openBrowser, picture, picturesOf } from '../support/browser';
import { eventually } from '../support/eventually';
import { startJourney } from '../support/journey';
import { handsOn } from '../support/page-hands';
import { sharedStage } from '../support/shared-stage';
import type { App, Stage } from '../support/stage';

const ROOT = join(import.meta.dirname, '..', '..');
const PRICE = { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 };
/** Longer than the test: nothing changes by itself while the view and the file are compared. */
const SLOW = { cooldownMs: 300_000, retryOriginalAfterMs: 900_000, restMs: 60_000 };
const USED = { inputTokens: 1_000, outputTokens: 500, cachedTokens: 200, reasoningTokens: 100 };

let stage: Stage;
let app: App;
let server: PanelServer;
let browser: Browser;
let page: Page;
let complaints: string[];
let session: Awaited<ReturnType<Stage['server']['createSession']>>;
let [lead, second, third] = ['', '', ''];
const { violations } = handsOn(() => page);

const answer = (text: string) => ({ kind: 'text', text, usage: USED }) as const;

beforeAll(async () => {
  [stage, browser] = await Promise.all([sharedStage(), openBrowser()]);
  app = await stage.openApp();
  server = await startPanelServer({ host: app.host, rendererRoot: join(ROOT, 'out', 'renderer'), port: 0 });
  const { directory, ids } = await stage.makeCase({ models: 3, costs: [PRICE, PRICE, PRICE], defaults: SLOW });
  [lead = '', second = '', third = ''] = ids;
  stage.provider.script(lead, [answer('LEAD'), { kind: 'status', status: 429 }, answer('LEAD')]);
  stage.provider.script(second, [{ kind: 'status', status: 401 }]);
  stage.provider.script(third, [answer('THIRD'), answer('THIRD')]);
  session = await stage.server.createSession(directory);
  for (const text of ['One', 'Two', 'Three']) await stage.server.prompt(session, { text });
  await app.until(({ sessions }) =>
    sessions.some((row) => row.session === session.id && row.isIdle && row.turns === 3),
  );
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 }, reducedMotion: 'reduce' });
  page = await context.newPage();
  complaints = complaintsOf(page);
});
afterAll(async () => {
  await server?.close();
  await app?.close();
  await Promise.all([leaveBrowser(browser), stage?.close()]);
});

/** Every text there is to read below an element, but what names a control; in order, without blanks around it. */
const TEXTS = (within: string): string => `(() => {
  // Texts that follow each other are one, as they are read.
  const copy = document.querySelector(${JSON.stringify(within)}).cloneNode(true);
  copy.normalize();
  const walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest('button, .head-actions, .seg, .btn, [role=status], .gl-over')) continue;
    const text = node.textContent.replace(/\\s+/g, ' ').trim();
    if (text !== '') texts.push(text);
  }
  return texts;
})()`;
/** What drawings say to who does not see them. */
const SAID = (within: string): string =>
  `[...document.querySelectorAll(${JSON.stringify(`${within} [role=img]`)})].map((it) => it.getAttribute('aria-label'))`;
/** How much of each drawing there is. */
const DRAWN = (within: string): string => `Object.fromEntries(
  ['gbar', 'gbar-lost', 'gtag', 'gwait', 'gswitch', 'gstate', 'fall-track', 'sw'].map((name) =>
    [name, document.querySelectorAll(${JSON.stringify(within)} + ' .' + name).length]))`;

/** What reaches beyond the window, though nothing around it scrolls. */
const WIDE = `[...document.querySelectorAll('main *')].filter((it) =>
  it.getBoundingClientRect().right > innerWidth && !it.closest('.scroll, .sr'))
    .map((it) => it.tagName + '.' + it.className + ' ' + it.getBoundingClientRect().right)`;

/** Which part of each label of the axis stands over its moment, in percent of its width. */
const LABELS = `[...document.querySelectorAll('.gaxis > span')].map((it) =>
  it.textContent + ' ' + Math.round(-100 * new DOMMatrix(getComputedStyle(it).transform).e / it.getBoundingClientRect().width))`;

/** Every text of the session's view, with all opened in turn that can be. */
async function textsOfView(): Promise<readonly string[]> {
  const texts = new Set<string>();
  const note = async (): Promise<void> => {
    for (const text of await page.evaluate<string[]>(TEXTS('main'))) texts.add(text);
    for (const text of await page.evaluate<string[]>(SAID('main'))) texts.add(text);
  };
  await page.locator('details summary').click();
  await note();
  for (const button of await page.locator('.grow .btn').all()) {
    await button.click();
    await page.locator('.gwhy[aria-busy=false]').waitFor();
    await note();
  }
  await page.getByRole('button', { name: 'The timeline as a table' }).click();
  await page.locator('.gtables').waitFor();
  await note();
  await page.getByRole('button', { name: 'The timeline as a chart' }).click();
  return [...texts];
}

describe('given a session of a real OpenCode, two of whose models failed', () => {
  it('when it is read from its headline to why and to its export, then that takes 4 clicks and no other page', async () => {
    await page.goto(`${server.url}#/sessions/${session.id}`);
    await page.locator('.grow .btn').first().waitFor();
    const journey = startJourney('a session read from its headline to Why? to its export');
    const click = async (name: string | RegExp, role: 'button' | 'radio' = 'button'): Promise<void> => {
      journey.did('click');
      await page.getByRole(role, { name }).first().click();
    };
    const headline = await page.locator('.lede').textContent();
    expect(headline).toMatch(/^3 turns finished and none lost; 2 finished by a fallback model\./);

    await click(/^Why\? Why did turn 2/);
    await page.locator('.gwhy code', { hasText: 'switch.rate_limit' }).waitFor();
    const lines = await page.locator('.gwhy li').allTextContents();
    expect(lines.slice(0, 3)).toEqual([
      expect.stringMatching(new RegExp(`${lead}.*Failedrate limited \\(429\\)`)),
      expect.stringMatching(new RegExp(`${second}.*Failed.*\\(401\\)`)),
      expect.stringMatching(new RegExp(`${third}.*Chosenanswered`)),
    ]);

    await click('Export…');
    await click('HTML, one file to open', 'radio');
    await page.locator('.export-preview[data-format=html]').waitFor();
    const saving = page.waitForEvent('download');
    await click('Save');
    const download = await saving;
    expect([journey.end(), await page.evaluate('location.hash')]).toEqual([{ click: 4 }, `#/sessions/${session.id}`]);
    expect(download.suggestedFilename()).toBe(`understudy-session-${session.id}.html`);
    expect(complaints).toEqual([]);
  });

  it('when it is exported as HTML, then the file says and draws all that the view does, alone, offline and without a script', async () => {
    await page.goto(`${server.url}#/sessions/${session.id}`);
    await page.reload();
    await page.locator('.grow .btn').first().waitFor();
    await page.locator('.figs').waitFor();
    await picturesOf(page, 'sessions/journey', { fullPage: true });
    await page.setViewportSize({ width: 320, height: 820 });
    expect(await page.evaluate(WIDE)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 820 });
    const drawn = await page.evaluate<Record<string, number>>(DRAWN('main'));
    const labels = await page.evaluate<string[]>(LABELS);
    const texts = await textsOfView();

    await page.keyboard.press('Control+e');
    await page.getByRole('radio', { name: 'HTML, one file to open' }).check();
    await page.locator('.export-preview[data-format=html]').waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save' }).click();
    const path = await (await saving).path();
    const file = await readFile(path, 'utf8');
    expect(file).not.toMatch(/<script|<link|<img|<iframe|<button|@import|url\(|javascript:|\son\w+=|\sstyle=/);

    // A style that a browser cannot write down as a whole would be missing.
    expect(file.match(/[\w-]+: ;/g)).toBeNull();

    const context = await browser.newContext({
      offline: true,
      javaScriptEnabled: false,
      viewport: { width: 1280, height: 820 },
    });
    const alone = await context.newPage();
    const refused = complaintsOf(alone);
    const asked: string[] = [];
    alone.on('request', (request) => asked.push(request.url()));
    const address = pathToFileURL(`${path}.html`).href;
    await context.route(address, (route) => route.fulfill({ body: file, contentType: 'text/html' }));
    await alone.goto(address);
    const found = new Set<string>([
      ...(await alone.evaluate<string[]>(TEXTS('main'))),
      ...(await alone.evaluate<string[]>(SAID('main'))),
    ]);
    expect(texts.length).toBeGreaterThan(80);
    // Clocks run on in the view; the file says when it was made.
    expect(texts.filter((text) => !found.has(text))).toEqual([]);
    expect(await alone.evaluate(DRAWN('main'))).toEqual(drawn);
    expect(labels.length).toBeGreaterThan(0);
    expect(await alone.evaluate(LABELS)).toEqual(labels);
    // It is drawn, not only there: bars have their hue, and lie where they do in the view.
    const box = await alone.locator('.gbar').first().boundingBox();
    expect(box?.width).toBeGreaterThanOrEqual(4);
    expect(await alone.evaluate(`getComputedStyle(document.querySelector('.gbar')).position`)).toBe('absolute');
    expect([refused, asked]).toEqual([[], [address]]);
    for (const [width, theme] of [
      [1280, 'light'],
      [1280, 'dark'],
      [640, 'light'],
      [320, 'light'],
    ] as const) {
      await alone.setViewportSize({ width, height: 820 });
      await alone.emulateMedia({ colorScheme: theme });
      await picture(alone, `sessions/page-${theme}-${width}`, { fullPage: true });
      const excess = await alone.evaluate<number>(
        `document.documentElement.scrollWidth - document.documentElement.clientWidth`,
      );
      const wide = await alone.evaluate<string[]>(WIDE);
      expect([width, excess, excess > 0 ? wide : []]).toEqual([width, 0, []]);
    }
    await context.close();
    expect(complaints).toEqual([]);
  });

  it('when another session of the project is there, then their names differ, and axe finds nothing in list and view', {
    tags: ['nightly'],
  }, async () => {
    const other = await stage.server.createSession(session.directory);
    await stage.server.prompt(other, { text: 'Four' });
    await page.goto(`${server.url}#/sessions`);
    for (const { id } of [session, other]) await page.locator(`[data-row="${id}"]`).waitFor();
    const names = await Promise.all([session, other].map(({ id }) => page.locator(`[data-row="${id}"]`).textContent()));
    expect(names[0]).not.toBe(names[1]);
    const found = await violations('list');
    for (const { id } of [session, other]) {
      await page.evaluate(`location.hash = '#/sessions/${id}'`);
      await page.locator('.grow').first().waitFor();
      await page.locator('.figs').waitFor();
      found.push(...(await violations(id)));
    }
    expect(found).toEqual([]);
    await eventually(async () => complaints.length === 0);
  });
});
