import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type PanelServer, startPanelServer } from '../../src/panel/server';
import { complaintsOf, launchBrowser } from '../support/browser';
import { openUsageCore } from '../support/usage-core';

const ROOT = join(import.meta.dirname, '..', '..');
const SCREENS = join(ROOT, 'test-results', 'usage');
const ZONE = 'Europe/Berlin';

let browser: Browser;
let opened: Awaited<ReturnType<typeof openUsageCore>>;
let server: PanelServer;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  browser = await launchBrowser();
  await mkdir(SCREENS, { recursive: true });
  opened = await openUsageCore();
});
afterAll(async () => {
  await browser?.close();
  await opened?.close();
});

beforeEach(async () => {
  server = await startPanelServer({ host: opened.core.host, rendererRoot: join(ROOT, 'out', 'renderer'), port: 0 });
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
afterEach(async () => {
  await page?.context().close();
  await server?.close();
  expect(complaints).toEqual([]);
});

const open = async (detail: string) => {
  await page.evaluate(`location.hash = '#/usage/${detail}'`);
  await page.getByRole('slider').nth(4).waitFor();
};
const get = (
  splitBy: 'position' | 'model' | 'provider' | 'agent',
  range: { kind: 'days'; days: number } | { kind: 'all' },
) => opened.core.host.handlers['usage.get']({ splitBy, range, timeZone: ZONE });

async function shoot(name: string): Promise<void> {
  for (const width of [1280, 640]) {
    await page.setViewportSize({ width, height: 820 });
    await page.screenshot({ path: join(SCREENS, `${name}-${width}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: 1280, height: 820 });
}

/** What axe finds wrong, as readable lines. */
async function violations(where: string): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page: page as never }).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${where}: ${id} ${html.slice(0, 160)}`));
}

describe('given two weeks of work in Chromium', () => {
  it('when the view is opened in both themes and in forced colours, as charts and as tables, then axe finds nothing', async () => {
    const found: string[] = [];
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await open('all:position');
      found.push(...(await violations(`charts ${theme}`)));
      await shoot(`usage-${theme}`);
      for (const button of await page.getByRole('button', { name: /as a table$/ }).all()) await button.click();
      found.push(...(await violations(`tables ${theme}`)));
      await shoot(`usage-tables-${theme}`);
      await page.reload();
    }
    await page.emulateMedia({ forcedColors: 'active' });
    await open('30d:model');
    found.push(...(await violations('forced colours')));
    await shoot('usage-forced');
    expect(found).toEqual([]);
  });
});
