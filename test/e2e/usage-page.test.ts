import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PanelServer, startPanelServer } from '../../src/panel/server';
import { complaintsOf, leaveBrowser, openBrowser, picturesOf } from '../support/browser';
import { isNightly } from '../support/nightly';
import { handsOn } from '../support/page-hands';
import { openUsageCore } from '../support/usage-core';

const ROOT = join(import.meta.dirname, '..', '..');
const RENDERER = join(ROOT, 'out', 'renderer');
const ZONE = 'Europe/Berlin';
/** A large page is looked at as a whole, which takes a busy machine its time. */
const LONG_MS = 300_000;

let browser: Browser;
let opened: Awaited<ReturnType<typeof openUsageCore>>;
let server: PanelServer;
let page: Page;
let complaints: string[];
const { tabTo, violations } = handsOn(() => page);

beforeAll(async () => {
  browser = await openBrowser();
  opened = await openUsageCore();
  server = await startPanelServer({ host: opened.core.host, rendererRoot: RENDERER, port: 0 });
  const context = await browser.newContext({
    viewport: { width: 1280, height: 820 },
    reducedMotion: 'reduce',
    timezoneId: ZONE,
  });
  page = await context.newPage();
  complaints = complaintsOf(page);
  await page.goto(server.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.close();
  await opened?.close();
});
// The tests at night change the window and its address.
beforeEach(async () => {
  await page.setViewportSize({ width: 1280, height: 820 });
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  if (isNightly) await page.goto(server.url);
  await page.evaluate(`location.hash = '#/now'`);
  await page.locator('nav a[aria-current=page][href="#/now"]').waitFor();
});
afterEach(() => expect(complaints).toEqual([]));

const open = async (detail: string) => {
  await page.evaluate(`location.hash = '#/usage/${detail}'`);
  await page.getByRole('slider').nth(5).waitFor();
};
const asTable = () => page.getByRole('button', { name: /as a table$/ });

const shoot = (name: string): Promise<void> => picturesOf(page, `usage/${name}`, { fullPage: true });

/** Saves by clicking or pressing, and reads what was saved. */
async function saved(act: () => Promise<unknown>): Promise<Readonly<{ name: string; bytes: Buffer }>> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** What a table of the page shows, row by row. */
const tableOf = (title: string) =>
  page
    .getByRole('region', { name: `${title} as a table` })
    .locator('tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));

describe('given two weeks of work in Chromium', () => {
  it.each(['light', 'dark'] as const)(
    'when the view is opened in the %s theme, as charts and as tables, then axe finds nothing',
    { tags: ['nightly'], timeout: LONG_MS },
    async (theme) => {
      // A month, so that a week has a week before it.
      const month = await openUsageCore(30);
      const own = await startPanelServer({ host: month.core.host, rendererRoot: RENDERER, port: 0 });
      try {
        await page.emulateMedia({ colorScheme: theme });
        await page.goto(own.url);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await open('7d:model');
        const agents = page.getByRole('region', { name: 'Availability per agent' }).locator('.chart-finding');
        await expect.poll(() => agents.textContent(), { timeout: 120_000 }).toMatch(/^All turns were answered/);
        expect(await page.locator('.kpi-change').count()).toBe(6);
        const found = await violations('charts');
        await shoot(`usage-${theme}`);
        await page.getByRole('slider', { name: 'Attempts by model: point by point' }).focus();
        await page.keyboard.press('Shift+End');
        found.push(...(await violations('a stretch that is chosen')));
        for (let charts = await asTable().count(); charts > 0; charts--) await asTable().first().click();
        found.push(...(await violations('tables')));
        await shoot(`usage-tables-${theme}`);
        expect(found).toEqual([]);
      } finally {
        await own.close();
        await month.close();
      }
    },
  );

  it('when the system forces its colours, then axe finds nothing', {
    tags: ['nightly'],
    timeout: LONG_MS,
  }, async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await open('30d:position');
    expect(await violations('forced colours')).toEqual([]);
    await shoot('usage-forced');
  });

  it('when it is drawn, then every chart has a size, a unit, a finding, a summary and ticks, in 2,000 nodes at most', async () => {
    await open('30d:model');
    const charts = await page.locator('.chart-card:has([role=slider])').evaluateAll((cards) =>
      cards.map((card) => {
        const svg = card.querySelector('.chart svg');
        const slider = card.querySelector('[role=slider]');
        const { width, height } = svg?.getBoundingClientRect() ?? { width: 0, height: 0 };
        return {
          title: card.querySelector('h2')?.textContent,
          isSized: width >= 400 && height >= 100,
          unit: card.querySelector('.chart-units')?.textContent,
          finding: card.querySelector('.chart-finding')?.textContent,
          summary: card.ownerDocument.getElementById(slider?.getAttribute('aria-describedby') ?? '')?.textContent,
          ticks: svg?.querySelectorAll('text').length ?? 0,
          marks: svg?.querySelectorAll('path, rect, circle').length ?? 0,
        };
      }),
    );
    expect(charts.map(({ title, unit }) => [title, unit])).toEqual([
      ['Attempts by model', 'attempts per day'],
      ['Cost by model', 'US dollars per day'],
      ['Fallback rate', '% on fallback models'],
      ['Tokens by kind', 'tokens per day'],
      ['Response times', 'seconds'],
      ['Activity by hour', 'attempts per hour'],
    ]);
    for (const { isSized, finding, summary, ticks, marks } of charts) {
      expect([isSized, ticks > 5, marks > 12]).toEqual([true, true, true]);
      expect(summary).toContain(finding);
    }
    expect(await page.locator('.charts svg, .charts svg *').count()).toBeLessThan(2_000);
  });

  it('when charts are turned into tables, then these show the figures that are exported', {
    tags: ['nightly'],
  }, async () => {
    await open('all:model');
    const { points, rows } = await opened.core.host.handlers['usage.get']({
      range: { kind: 'all' },
      splitBy: 'model',
      timeZone: ZONE,
    });
    const split = await tableOf('Everything by model');
    expect(split.slice(1).map(([name, attempts]) => [name, Number(attempts?.replaceAll(',', ''))])).toEqual(
      rows.map(({ name, attempts }) => [name, attempts]),
    );
    await page.getByRole('button', { name: 'Tokens by kind as a table' }).click();
    const shown = await tableOf('Tokens by kind');
    await page.getByLabel('Export Tokens by kind').click();
    const { name, bytes } = await saved(() => page.getByRole('button', { name: 'Tokens by kind as CSV' }).click());
    expect(name).toBe('understudy-usage-tokens-all.csv');
    const lines = bytes.toString('utf8').trimEnd().split('\r\n');
    expect(shown.slice(1).map((row) => row.slice(2).map((value) => value.replaceAll(',', '')))).toEqual(
      lines.slice(1).map((line) => line.split(',').slice(2)),
    );
    expect(lines).toHaveLength(points.length + 1);
  });

  it('when a chart is saved as a picture from behind its table, then it is a PNG of twice its size', async () => {
    await open('all:position');
    await page.getByRole('button', { name: 'Attempts by position as a table' }).click();
    await page.getByLabel('Export Attempts by position').click();
    const { name, bytes } = await saved(() =>
      page.getByRole('button', { name: 'Attempts by position as PNG' }).click(),
    );
    expect([name, bytes.subarray(1, 4).toString()]).toEqual(['understudy-usage-attempts.png', 'PNG']);
    expect(bytes.readUInt32BE(16)).toBeGreaterThan(2 * 400);
  });

  it('when only keys are used, then range, split, points, table, meanings and export are all reached', {
    tags: ['nightly'],
  }, async () => {
    await page.evaluate(`location.hash = '#/usage'`);
    await page.getByRole('slider').nth(5).waitFor();
    await tabTo('7 d');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toMatch(/#\/usage\/7d%3Aposition$/);
    const points = page.getByRole('slider', { name: 'Attempts by position: point by point' });
    await tabTo('Attempts by position: point by point');
    await page.keyboard.press('Home');
    await expect.poll(() => points.getAttribute('aria-valuenow')).toBe('1');
    const first = await points.getAttribute('aria-valuetext');
    await page.keyboard.press('ArrowRight');
    expect(await points.getAttribute('aria-valuenow')).toBe('2');
    expect(await points.getAttribute('aria-valuetext')).not.toBe(first);
    expect(first).toMatch(/^Tue, Sep 15, 00:00: Primary \d+, 2nd in chain \d+$/);
    await page.keyboard.press('End');
    expect(await page.locator('.chart-tip').count()).toBe(1);
    await tabTo('Kinds of tokens');
    await page.keyboard.press('Enter');
    expect(await page.getByText('Sent and not cached').isVisible()).toBe(true);
    await tabTo('Export Activity by hour');
    await page.keyboard.press('Enter');
    await tabTo('Activity by hour as JSON');
    const { bytes } = await saved(() => page.keyboard.press('Enter'));
    expect(JSON.parse(bytes.toString('utf8'))).toMatchObject({ schema: 'usage/1', part: 'hours', tz: ZONE });
    expect(await page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe('Export Activity by hour');
  });

  it('when a mouse is drawn over some days, then they alone are shown, in other views as well; zooming out shows more', {
    tags: ['nightly'],
  }, async () => {
    await open('all:position');
    const chart = page.getByRole('slider', { name: 'Attempts by position: point by point' });
    const box = await chart.boundingBox();
    if (!box) throw new TypeError('The chart has no place.');
    // Fourteen days between the axis and the edge: from the middle of the third to that of the sixth.
    const xOf = (day: number): number => box.x + 52 + ((day + 0.5) * (box.width - 60)) / 14;
    await page.mouse.move(xOf(2), box.y + 80);
    await page.mouse.down();
    await page.mouse.move(xOf(4), box.y + 90);
    await page.mouse.move(xOf(5), box.y + 90);
    expect(await page.locator('.chart-chosen').count()).toBe(1);
    await shoot('usage-chosen');
    await page.mouse.up();
    await expect.poll(() => page.url()).toMatch(/#\/usage\/2026-09-10_2026-09-13%3Aposition$/);
    await page.getByText('September 10, 2026 to September 13, 2026.').waitFor();
    const views = [
      ['Models', 'Models'],
      ['Sessions', null],
      ['All events', 'Events'],
    ] as const;
    for (const [view, title] of views) {
      await page.getByRole('link', { name: view, exact: false }).first().click();
      if (title === null) continue;
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await expect.poll(() => page.locator('.time-picker [aria-current]').innerText()).toBe('Custom');
    }
    await page.getByRole('link', { name: 'Usage', exact: false }).first().click();
    await page.getByText('September 10, 2026 to September 13, 2026.').waitFor();
    await page.getByRole('link', { name: 'Zoom out' }).click();
    await page.getByText('September 6, 2026 to September 17, 2026.').waitFor();
  });

  it('when it is 320 to 1,920 pixels wide, then nothing scrolls sideways, in models, events and usage', {
    tags: ['nightly'],
  }, async () => {
    const wide: unknown[] = [];
    for (const width of [320, 640, 1280, 1920]) {
      await page.setViewportSize({ width, height: 820 });
      for (const hash of ['#/usage/30d:model?project=website', '#/models?time=30d', '#/events']) {
        await page.evaluate(`location.hash = '${hash}'`);
        await page.locator('.time-picker').waitFor();
        if (hash.includes('usage')) await page.getByRole('slider').nth(5).waitFor();
        const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        wide.push([width, hash, await page.evaluate(beyond)]);
      }
    }
    expect(wide.filter((each) => (each as unknown[])[2] !== 0)).toEqual([]);
  });

  it('when the page is loaded anew, then range and split are those of the address', { tags: ['nightly'] }, async () => {
    await open('2026-09-10_2026-09-12:agent');
    await page.reload();
    await page.getByRole('slider').nth(5).waitFor();
    expect(await page.getByLabel('From').inputValue()).toBe('2026-09-10');
    expect(await page.getByLabel('Split by').inputValue()).toBe('agent');
    expect(await page.getByText('September 10, 2026 to September 12, 2026.').isVisible()).toBe(true);
  });
});
