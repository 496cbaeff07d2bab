import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import budgets from '../../budgets.json' with { type: 'json' };
import type { Snapshot } from '../../src/contract/snapshot';
import { changeFrom } from '../../src/contract/snapshot-change';
import { type PanelServer, startPanelServer } from '../../src/panel/server';
import { complaintsOf, leaveBrowser, openBrowser } from '../support/browser';
import { openCrowdedCore } from '../support/crowded-core';
import { eventually, PATIENCE_MS } from '../support/eventually';
import { handsOn } from '../support/page-hands';

const RENDERER = join(import.meta.dirname, '..', '..', 'out', 'renderer');

/** Knows each timer that will still fire, by where it was set. */
const COUNT_TIMERS = `{
  const pending = new Map();
  window.pendingTimers = pending;
  const where = () => new Error().stack.split('\\n')[3] ?? '';
  const { setTimeout: later, setInterval: every, clearTimeout: cancel, requestAnimationFrame: draw } = window;
  window.setTimeout = (run, ms, ...rest) => {
    const id = later((...given) => { pending.delete(id); run(...given); }, ms, ...rest);
    pending.set(id, where());
    return id;
  };
  window.setInterval = (run, ms, ...rest) => {
    const id = every(run, ms, ...rest);
    pending.set(id, where());
    return id;
  };
  window.clearTimeout = window.clearInterval = (id) => { pending.delete(id); cancel(id); };
}`;

let browser: Browser;
let crowd: ReturnType<typeof openCrowdedCore>;
let server: PanelServer;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  browser = await openBrowser();
  crowd = openCrowdedCore();
  for (let event = 0; event < 2_000; event++) crowd.happen();
  server = await startPanelServer({ host: crowd.core.host, rendererRoot: RENDERER, port: 0 });
  page = await browser.newPage({ viewport: { width: 1280, height: 820 }, reducedMotion: 'reduce' });
  complaints = complaintsOf(page);
  await page.addInitScript(COUNT_TIMERS);
  await page.goto(server.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.close();
  crowd?.close();
});
afterEach(() => expect(complaints).toEqual([]));

const open = async (hash: string): Promise<void> => {
  await page.evaluate(`location.hash = '${hash}'`);
  await page
    .locator(`nav a[aria-current=page][href="${hash.split('/', 2).join('/')}"]`)
    .first()
    .waitFor();
  await page.getByRole('heading', { level: 1 }).waitFor();
};
const rows = (): Promise<number> => page.evaluate(`document.querySelectorAll('li, tr, [role=row]').length`);
const { until } = handsOn(() => page);

describe('given 200 models in the chains of 20 agents', () => {
  beforeEach(async () => {
    await page.setViewportSize({ width: 1280, height: 820 });
    await open('#/settings');
  });

  it.each(['#/now', '#/chains', '#/models'])(
    'when %s is opened, then at most 150 rows are on the page',
    async (hash) => {
      await open(hash);
      expect(await rows()).toBeGreaterThan(20);
      expect(await rows()).toBeLessThanOrEqual(150);
    },
  );

  it('when the models are scrolled to their end, then the last is there with its place, and no more rows than before', async () => {
    await open('#/models');
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    await until(`document.querySelector('.tiles > li[aria-posinset="200"][aria-setsize="200"]') !== null`);
    expect(await rows()).toBeLessThanOrEqual(150);
    const [list, last] = await Promise.all([
      page.locator('.tiles').boundingBox(),
      page.locator('.tiles > li').last().boundingBox(),
    ]);
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeCloseTo((list?.y ?? 0) + (list?.height ?? 0), 0);
  });

  it('when the arrow keys go from tile to tile, then every one of the 200 is reached', {
    tags: ['nightly'],
  }, async () => {
    await open('#/models');
    await page.locator('.tile').first().focus();
    const seen = new Set<unknown>();
    for (let step = 0; step < 199; step++) {
      const before = await page.evaluate(`document.activeElement.getAttribute('data-row')`);
      seen.add(before);
      await page.keyboard.press('ArrowDown');
      await until(`document.activeElement.getAttribute('data-row') !== ${JSON.stringify(before)}`);
    }
    seen.add(await page.evaluate(`document.activeElement.getAttribute('data-row')`));
    expect(seen.size).toBe(200);
  });

  it('when an arrow key is held, then no press is lost, however slowly the tiles are drawn', async () => {
    await open('#/models');
    await page.locator('.tile').first().focus();
    // Nothing is drawn between two presses, of which there are more than tiles.
    await page.evaluate(`(() => {
      for (let step = 0; step < 230; step++)
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }));
    })()`);
    await until(`document.activeElement.closest('li')?.getAttribute('aria-posinset') === '200'`);
  });

  it('when a model far down is opened in a narrow window and closed, then its tile has the focus', async () => {
    await page.setViewportSize({ width: 640, height: 820 });
    const model = 'provider-12/model-100';
    await open(`#/models/${encodeURIComponent(model)}`);
    await page.locator('.detail h2').waitFor();
    await page.getByRole('link', { name: 'Close' }).focus();
    await page.keyboard.press('Escape');
    await until(`document.activeElement?.getAttribute('data-row') === ${JSON.stringify(model)}`);
  });
});

describe('given pages that are told what has changed', () => {
  /** Ten times a second, of 50 that happen. */
  const EVENTS_A_PUSH = 5;
  const PUSHES = 300;
  const MOST_BYTES = 64_000;

  it('when 1,500 things happen to 200 models, then no push of what has changed is larger than 64 kB', () => {
    const take = (): Snapshot => crowd.core.host.handlers['snapshot.get'](null) as Snapshot;
    const sizes: number[] = [];
    for (let push = 0, before = take(); push < PUSHES; push++) {
      for (let event = 0; event < EVENTS_A_PUSH; event++) crowd.happen();
      const after = take();
      sizes.push(Buffer.byteLength(JSON.stringify(changeFrom(before, after))));
      before = after;
    }
    expect(Math.min(...sizes)).toBeGreaterThan(100);
    expect(Math.max(...sizes)).toBeLessThan(MOST_BYTES);
  });
});

describe('given a panel that is hidden while 50 things a second happen', () => {
  it('when it is hidden, then no timer of it is left and nothing is asked', async () => {
    await open('#/models');
    await until('window.pendingTimers.size > 0');
    // Figures that have changed are asked for some seconds later.
    const before = await page.evaluate<number>('window.pendingTimers.size');
    await eventually(async () => {
      crowd.happen();
      return (await page.evaluate<number>('window.pendingTimers.size')) > before;
    });
    await page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const endAt = Date.now() + 2_000;
    await vi.waitUntil(
      () => {
        crowd.happen();
        return Date.now() > endAt;
      },
      { interval: 20, timeout: PATIENCE_MS },
    );
    expect([await page.evaluate('[...window.pendingTimers.values()]'), requests]).toEqual([[], []]);
  });
});

describe('given the built panel', () => {
  it('when it is opened, then no more script than its budget comes first, and charts are not among them', async () => {
    const index = await readFile(join(RENDERER, 'index.html'), 'utf8');
    const first = [...index.matchAll(/(?:src|href)="\.?\/?(assets\/[^"]+\.js)"/g)].map(([, path = '']) => path);
    const texts = await Promise.all(first.map((path) => readFile(join(RENDERER, path))));
    expect(first.length).toBeGreaterThan(0);
    expect(texts.reduce((sum, text) => sum + gzipSync(text).length, 0)).toBeLessThanOrEqual(
      budgets.panelFirstLoadKb * 1_000,
    );
    // A name that recharts gives its elements, and nobody else.
    expect(texts.filter((text) => text.includes('recharts-'))).toEqual([]);
  });

  it('when its styles are read, then nothing in them is animated without end', async () => {
    const styles = (await readdir(join(RENDERER, 'assets'))).filter((name) => name.endsWith('.css'));
    const texts = await Promise.all(styles.map((name) => readFile(join(RENDERER, 'assets', name), 'utf8')));
    expect(texts.join('').length).toBeGreaterThan(10_000);
    expect(texts.join('').match(/[^;{}]*\binfinite\b[^;{}]*/g)).toBeNull();
  });
});
