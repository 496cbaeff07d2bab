import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PanelServer, startPanelServer } from '../../src/panel/server';
import { leaveBrowser, openBrowser, openPage, picturesOf } from '../support/browser';
import { openManyEvents } from '../support/many-events-core';
import { isNightly } from '../support/nightly';
import { handsOn } from '../support/page-hands';
import { GPT, OPUS, openSeededCore } from '../support/seeded-core';

const ROOT = join(import.meta.dirname, '..', '..');
/** More at night: how they are drawn does not depend on it. */
const EVENTS = isNightly ? 100_000 : 2_000;
/** An event in the middle that is a switch. */
const MIDDLE = EVENTS / 2 + 5;
/** Axe reads the whole page several times; on a busy machine that takes minutes. */
const LOOKING_MS = 400_000;
const SCHEMES = (
  [
    { name: 'light', colorScheme: 'light', forcedColors: 'none' },
    { name: 'dark', colorScheme: 'dark', forcedColors: 'none' },
    { name: 'forced', colorScheme: 'light', forcedColors: 'active' },
  ] as const
).slice(0, isNightly ? 3 : 1);

let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];
const { until, tabUntil, violations } = handsOn(() => page);

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => leaveBrowser(browser));
afterEach(() => expect(complaints).toEqual([]));

const serve = (host: Parameters<typeof startPanelServer>[0]['host']) =>
  startPanelServer({ host, rendererRoot: join(ROOT, 'out', 'renderer'), port: 0 });

async function open(server: PanelServer): Promise<void> {
  ({ page, complaints } = await openPage(browser, server.url));
  context = page.context();
}

let seeded: Awaited<ReturnType<typeof openSeededCore>>;
function openSeededEach(): void {
  let server: PanelServer;
  beforeEach(async () => {
    seeded = await openSeededCore();
    server = await serve(seeded.core.host);
    await open(server);
  });
  afterEach(async () => {
    // First the page: one that loses its server complains.
    await context?.close();
    await server?.close();
    await seeded?.close();
  });
}

const press = async (...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
/** The place of the row with the focus, from 1; null when no row has it. */
const place = () => page.evaluate(`document.activeElement?.getAttribute('aria-rowindex')`);
const isAt = (rowIndex: number) => until(`document.activeElement?.getAttribute('aria-rowindex') === '${rowIndex}'`);
const drawn = () => page.evaluate(`document.querySelectorAll('[role=row]').length`) as Promise<number>;
const address = () => page.evaluate('location.hash');

/** Looks at the page in every scheme. @returns what axe finds. */
async function lookAt(name: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name: scheme, ...media } of SCHEMES) {
    await page.emulateMedia(media);
    found.push(...(await violations(`${name} ${scheme}`)));
    await picturesOf(page, `events/${name}-${scheme}`);
  }
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  return found;
}

describe('given thousands of events', () => {
  let many: Awaited<ReturnType<typeof openManyEvents>>;
  let server: PanelServer;
  beforeAll(async () => {
    many = await openManyEvents(EVENTS);
    server = await serve(many.core.host);
    await open(server);
  }, 60_000);
  afterAll(async () => {
    await context?.close();
    await server?.close();
    await many?.close();
  });
  beforeEach(async () => {
    await page.evaluate(`location.hash = '#/now'`);
    await page.locator('nav a[aria-current=page][href="#/now"]').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.locator('[role=row] time').first().waitFor();
  });

  it('when one walks and jumps through them by keyboard, then every place can be reached, and few rows are drawn', async () => {
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(EVENTS + 1));
    await tabUntil(`it.getAttribute('role') === 'row'`);
    expect(await place()).toBe('1');
    await press('j', 'j', 'ArrowDown', 'k');
    await isAt(3);
    await press('PageDown');
    await until(`Number(document.activeElement.getAttribute('aria-rowindex')) > 12`);
    await press('End');
    await isAt(EVENTS + 1);
    await page.locator('[data-event="1"]').waitFor();
    expect(await drawn()).toBeLessThanOrEqual(150);
    await press('PageUp');
    await until(`Number(document.activeElement.getAttribute('aria-rowindex')) < ${EVENTS - 5}`);
    await press('Home');
    await isAt(1);
  });

  it('when one of them is looked for by keyboard only, then it is found, explained and copied', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await press('/');
    await page.keyboard.type(`number ${MIDDLE}`);
    await until(`document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '1'`);
    expect(await address()).toBe(`#/events?q=number+${MIDDLE}`);
    await tabUntil(`it.getAttribute('role') === 'row'`);
    await press('Enter');
    await page.getByRole('heading', { name: /switched claude-sonnet-4-5 → gpt-5: rate limited/ }).waitFor();
    expect(await address()).toBe(`#/events/${MIDDLE}?q=number+${MIDDLE}`);
    await page.getByText('The requests of its turn are not stored.').waitFor();
    await tabUntil(`it.textContent === 'Copy as JSON'`);
    await press('Enter');
    await page.getByText('Copied').waitFor();
    const copied = JSON.parse((await page.evaluate('navigator.clipboard.readText()')) as string);
    expect(copied).toMatchObject({ id: MIDDLE, code: 'switch.rate_limit', status: 429, trace: [{}, {}, {}, {}] });
    await press('Escape');
    expect([await address(), await place()]).toEqual([`#/events?q=number+${MIDDLE}`, '1']);
  });

  it('when filters are set, then chips count what they leave, the address keeps them, and a link brings them back', {
    tags: ['nightly'],
  }, async () => {
    await page.getByRole('button', { name: `Switched ${(0.19 * EVENTS).toLocaleString('en')}` }).click();
    await until(`document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '${0.19 * EVENTS}'`);
    await page.getByText('More filters').click();
    await page.getByLabel('Provider').selectOption('openai');
    await page.getByLabel('Agent', { exact: true }).selectOption('plan');
    await until(`document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '${0.02 * EVENTS}'`);
    expect(await address()).toBe('#/events?agent=plan&provider=openai&code=switch');
    await page.reload();
    await until(`document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '${0.02 * EVENTS}'`);
    await page.getByRole('button', { name: 'Remove filter Provider: openai' }).click();
    await until(`document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '${0.04 * EVENTS}'`);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await until(`document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '${EVENTS + 1}'`);
  });

  it('when the filtered ones are exported by Ctrl+E, then the file has each of them on a line, whole', {
    tags: ['nightly'],
  }, async () => {
    await page.evaluate(`location.hash = '#/events?code=reset'`);
    await until(`document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '${EVENTS / 100}'`);
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+e')]);
    expect(download.suggestedFilename()).toBe('understudy-events.jsonl');
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
    expect([lines.length, JSON.parse(lines[0] ?? ''), JSON.parse(lines.at(-1) ?? '')]).toMatchObject([
      EVENTS / 100,
      { id: EVENTS, code: 'reset.model', actor: 'panel' },
      { id: 100 },
    ]);
    await page.getByText(`${(EVENTS / 100).toLocaleString('en')} events exported.`).waitFor();
  });

  it('when something happens meanwhile, then nothing moves, and a button shows it', { tags: ['nightly'] }, async () => {
    await tabUntil(`it.getAttribute('role') === 'row'`);
    const first = await place();
    await press('PageDown');
    await until(`document.activeElement?.getAttribute('aria-rowindex') !== '${first}'`);
    const before = await page.evaluate(`document.activeElement.textContent`);
    many.core.host.handlers['person.act']({
      act: { type: 'switching.paused', forMs: 60_000 },
      actor: 'panel',
      rev: Number.MAX_SAFE_INTEGER,
    });
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect(await page.evaluate(`document.activeElement.textContent`)).toBe(before);
    await page.getByRole('button', { name: '1 new' }).click();
    await page.locator('[role=row][aria-rowindex="1"]', { hasText: 'You paused all switching' }).waitFor();
  });

  it('when one scrolls from end to end, then what is in sight is drawn, and no more', {
    tags: ['nightly'],
  }, async () => {
    const longestMs = await page.evaluate(`(async () => {
      const list = document.querySelector('[role=grid]');
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      let [last, longestMs] = [await frame(), 0];
      for (let step = 0; step <= 60; step++) {
        list.scrollTop = (list.scrollHeight * step) / 60;
        const now = await frame();
        longestMs = Math.max(longestMs, now - last);
        last = now;
      }
      return longestMs;
    })()`);
    await page.locator('[data-event="1"]').waitFor();
    expect(await drawn()).toBeLessThanOrEqual(150);
    console.info(`longest frame while scrolling through ${EVENTS} events: ${Math.round(Number(longestMs))} ms`);
  });

  it('when it is looked at in every scheme, list and event, then axe finds nothing', {
    tags: ['nightly'],
    timeout: LOOKING_MS,
  }, async () => {
    const found = await lookAt('events');
    await page.evaluate(`location.hash = '#/events/99975?agent=build&code=switch'`);
    await page.getByRole('heading', { name: /build switched/ }).waitFor();
    found.push(...(await lookAt('event')));
    await page.evaluate(`location.hash = '#/events/4?q=nothing+has+this'`);
    await page.getByText('No event matches.').waitFor();
    found.push(...(await lookAt('events-none')));
    expect(found).toEqual([]);
  });
});

describe('given the palette of commands', () => {
  openSeededEach();
  const stateOf = (model: string) =>
    (seeded.core.host.handlers['snapshot.get'](null) as { models: { model: string; state: string }[] }).models.find(
      (row) => row.model === model,
    )?.state;
  const find = async (text: string) => {
    await press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type(text);
  };

  it('when a model is reset by keyboard only, then the dialog of its button asks first, and the palette remembers it', {
    tags: ['nightly'],
  }, async () => {
    await find('reset opus');
    await page.locator('[cmdk-item][aria-selected=true]', { hasText: 'Reset claude-opus-4-1…' }).waitFor();
    await press('Enter');
    await page.getByText('plan returns to claude-opus-4-1 with its next message.').waitFor();
    expect(stateOf(OPUS)).toBe('cooling');
    await tabUntil(`it.textContent === 'Reset'`);
    await press('Enter');
    await page.getByText('is reset. The next request may try it.').waitFor();
    expect(stateOf(OPUS)).toBe('ready');
    await find('hold gpt');
    await press('Enter');
    await tabUntil(`it.textContent === 'Hold'`);
    await press('Enter');
    await page.getByText('is held out of use for 30 minutes.').waitFor();
    await find('undo');
    await press('Enter');
    await page.getByText('Undone.').waitFor();
    expect(stateOf(GPT)).not.toBe('held');
    await press('Control+k');
    expect(await page.locator('[cmdk-group]').first().innerText()).toMatch(
      /^Recently used\nUndo|^Recently used\nHold gpt-5…/,
    );
  });

  it('when it is opened on every scheme, and so is the sheet, then axe finds nothing, and Escape gives the focus back', {
    timeout: LOOKING_MS,
  }, async () => {
    await page.locator('nav a[title=Models]').focus();
    await press('Control+k');
    await page.getByRole('combobox').waitFor();
    const found = await lookAt('palette');
    await press('Escape');
    expect(await page.evaluate('document.activeElement.getAttribute("title")')).toBe('Models');
    await press('?');
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
    found.push(...(await lookAt('keys')));
    await press('Escape');
    expect(await page.evaluate('document.activeElement.getAttribute("title")')).toBe('Models');
    expect(found).toEqual([]);
  });

  it('when views, codes and words are looked for, then the palette leads to them', { tags: ['nightly'] }, async () => {
    await find('setings');
    await press('Enter');
    await until(`location.hash === '#/settings'`);
    await find('switch.rate');
    await page.locator('[cmdk-item][aria-selected=true]', { hasText: 'Events switch.rate_limit' }).waitFor();
    await press('Enter');
    await until(`location.hash === '#/events?code=switch.rate_limit'`);
    await find('zebra');
    await press('Enter');
    await until(`location.hash === '#/events?q=zebra'`);
  });

  it('when F6 is pressed again and again, then the focus goes through the parts of the page', {
    tags: ['nightly'],
  }, async () => {
    await page.evaluate(`location.hash = '#/models/' + encodeURIComponent(${JSON.stringify(OPUS)})`);
    await page.locator('.detail').waitFor();
    const parts: unknown[] = [];
    for (let presses = 0; presses < 4; presses++) {
      await press('F6');
      parts.push(await page.evaluate('document.activeElement.className.split(" ").at(-1)'));
    }
    await press('Shift+F6');
    parts.push(await page.evaluate('document.activeElement.className.split(" ").at(-1)'));
    expect(parts).toEqual(['side', 'main', 'detail', 'side', 'detail']);
  });
});

describe('given a part of the panel that does not come', () => {
  openSeededEach();
  const CHUNK = /\/UsagePage[^/]*\.js$/;

  it('when its view is opened, then the page says so and how to go on; loaded again, it is there', {
    tags: ['nightly'],
  }, async () => {
    await page.route(CHUNK, (route) => route.abort());
    await page.evaluate(`location.hash = '#/usage'`);
    await page.getByRole('heading', { name: 'Usage could not be loaded.' }).waitFor({ timeout: 60_000 });
    expect(await violations('not loaded')).toEqual([]);
    // What the browser itself says of the refused requests, and React of the view.
    complaints.length = 0;
    await page.unroute(CHUNK);
    await page.getByRole('button', { name: 'Reload the panel' }).click();
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
  });
});
