import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import type { Handlers } from '../../src/contract/contract';
import { startPanelServer } from '../../src/panel/server';
import { fakeHost } from '../support/panel-host';
import { agentRow, snapshotOf } from '../support/rows';
import { type BenchRow, rowOf } from './bench-row';

const RUNS = 10;
/** Source: the promise that a view appears within this time of its answer, in ms. */
const VIEW_TARGET_MS = 500;
/** A browser brings files of its own, which no bundle holds. */
const PLAYWRIGHT = 'playwright';

/** From the answer to the drawn view of usage, in a real Chromium. The panel must be built. */
export async function usageViewBench(get: Handlers['usage.get']): Promise<BenchRow> {
  const name = 'usage of 30 days, from its answer to the drawn view';
  const executablePath = process.env.CHROMIUM_BIN;
  if (!executablePath) return { name, why: 'CHROMIUM_BIN names no Chromium' };
  const { chromium } = (await import(PLAYWRIGHT)) as typeof import('playwright');
  const host = fakeHost(snapshotOf([agentRow()]), { 'usage.get': get });
  const server = await startPanelServer({ host, rendererRoot: join(process.cwd(), 'out', 'renderer'), port: 0 });
  const args = process.getuid?.() === 0 ? ['--no-sandbox', '--disable-gpu'] : ['--disable-gpu'];
  const browser: Browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 820 } });
    await page.goto(server.url);
    const samples: number[] = [];
    // The first view also loads its code, and is drawn in no time that a second one would take.
    for (let run = 0; run <= RUNS; run++) {
      const splitBy = run % 2 ? 'provider' : 'model';
      const tookMs = await drawnMs(page, splitBy);
      if (run > 0) samples.push(tookMs);
    }
    return rowOf(name, 'ms', samples, { target: VIEW_TARGET_MS });
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Opens the view with another split, and waits until its five charts are painted. */
function drawnMs(page: Page, splitBy: string): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    const isDrawn = () => document.querySelectorAll('.chart svg').length >= 5
      && document.querySelector('.chart-card h2')?.textContent === 'Attempts by ${splitBy}';
    const painted = () => requestAnimationFrame(() => requestAnimationFrame(() => {
      const answered = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('rpc/usage.get')).at(-1);
      resolve(performance.now() - (answered?.responseEnd ?? 0));
    }));
    const watch = new MutationObserver(() => {
      if (!isDrawn()) return;
      watch.disconnect();
      painted();
    });
    watch.observe(document.body, { childList: true, subtree: true, characterData: true });
    location.hash = '#/usage/30d:${splitBy}';
  })`);
}
