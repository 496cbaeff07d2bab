import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { startPanelServer } from '../../src/panel/server';
import { launchBrowser } from '../support/browser';
import { openCrowdedCore } from '../support/crowded-core';
import { type BenchRow, rowOf } from './bench-row';

/** Built file: `.cache/bench/bench.js`. */
const RENDERER = join(import.meta.dirname, '..', '..', 'out', 'renderer');
const EVENTS_A_SECOND = 50;
const STREAM_MS = 30_000;
/** Enough that every model of every chain has been asked. */
const EVENTS_BEFORE = 2_000;
const KEY_EVERY_MS = 500;
const FRAME_TARGET_MS = 16.7;
const INPUT_TARGET_MS = 100;

/** What a page went through while it was watched; times in ms. */
type Watched = Readonly<{ frames: number[]; longTasks: number[]; inputs: number[] }>;

/** The panel in a real browser while 50 things a second happen to 200 models and 20 agents, beside an empty page. */
export async function panelBench(): Promise<BenchRow[]> {
  const browser = await launchBrowser();
  const crowd = openCrowdedCore();
  for (let event = 0; event < EVENTS_BEFORE; event++) crowd.happen();
  const server = await startPanelServer({ host: crowd.core.host, rendererRoot: RENDERER, port: 0 });
  const stream = setInterval(crowd.happen, 1_000 / EVENTS_A_SECOND);
  try {
    const rows = [...(await emptyRows(browser))];
    for (const view of ['models', 'now', 'chains']) rows.push(...(await viewRows(browser, server.url, view)));
    return [...rows, sizeRow(crowd.core)];
  } finally {
    clearInterval(stream);
    await server.close();
    crowd.close();
    await browser.close();
  }
}

async function emptyRows(browser: Browser): Promise<BenchRow[]> {
  const page = await browser.newPage();
  await page.goto('about:blank');
  const { frames } = await watch(page);
  await page.close();
  return [rowOf('an empty page: time between frames', 'ms', frames)];
}

async function viewRows(browser: Browser, url: string, view: string): Promise<BenchRow[]> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 820 } });
  await page.goto(`${url}#/${view}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const session = await page.context().newCDPSession(page);
  const before = await heapBytes(session);
  const { frames, longTasks, inputs } = await watch(page);
  const after = await heapBytes(session);
  await page.close();
  const longest = longTasks.length === 0 ? 'none' : `the longest ${Math.round(Math.max(...longTasks))} ms`;
  return [
    rowOf(`${view}: time between frames`, 'ms', frames, { target: FRAME_TARGET_MS }),
    rowOf(`${view}: key → next frame`, 'ms', inputs, { target: INPUT_TARGET_MS }),
    rowOf(`${view}: tasks over 50 ms in ${STREAM_MS / 1_000} s`, 'tasks', [longTasks.length], { note: longest }),
    rowOf(`${view}: heap, and what it grew by`, 'kB', [before / 1_024], {
      note: `${after >= before ? '+' : ''}${Math.round((after - before) / 1_024)} kB`,
    }),
  ];
}

const sizeRow = (core: ReturnType<typeof openCrowdedCore>['core']): BenchRow =>
  rowOf('one push, as text', 'kB', [JSON.stringify(core.host.handlers['snapshot.get'](null)).length / 1_024]);

/** Watches frames, long tasks and keys of a page for as long as the stream is measured. */
async function watch(page: Page): Promise<Watched> {
  await page.evaluate(WATCH);
  const endAt = performance.now() + STREAM_MS;
  while (performance.now() < endAt) {
    await page.keyboard.press('Tab');
    await page.waitForTimeout(KEY_EVERY_MS);
  }
  return (await page.evaluate('window.endWatch()')) as Watched;
}

async function heapBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

const WATCH = `{
  const watched = { frames: [], longTasks: [], inputs: [] };
  let last = null;
  let isOver = false;
  const frame = (at) => {
    if (isOver) return;
    if (last !== null) watched.frames.push(at - last);
    last = at;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const tasks = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.longTasks.push(duration);
  });
  tasks.observe({ type: 'longtask' });
  window.addEventListener('keydown', ({ timeStamp }) => {
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => watched.inputs.push(performance.now() - timeStamp);
      channel.port2.postMessage(null);
    });
  });
  window.endWatch = () => {
    isOver = true;
    tasks.disconnect();
    return watched;
  };
}`;
