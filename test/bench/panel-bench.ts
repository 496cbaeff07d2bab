import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright';
import type { Snapshot } from '../../src/contract/snapshot';
import { changeFrom } from '../../src/contract/snapshot-change';
import { startPanelServer } from '../../src/panel/server';
import { launchBrowser } from '../support/browser';
import { openCrowdedCore } from '../support/crowded-core';
import { fakeHost } from '../support/panel-host';
import { councilAnswers, RUN, sampleView, withCouncils } from '../support/sample-council';
import { sampleSnapshot } from '../support/sample-snapshot';
import { type BenchRow, rowOf } from './bench-row';

/** Built file: `.cache/bench/bench.js`. */
const RENDERER = join(import.meta.dirname, '..', '..', 'out', 'renderer');
const EVENTS_A_SECOND = 50;
const STREAM_MS = 30_000;
/** Enough that every model of every chain has been asked. */
const EVENTS_BEFORE = 2_000;
const KEY_EVERY_MS = 500;
const PUSHES_A_SECOND = 10;
const PUSHES = 300;
const PUSH_TARGET_KB = 64;
const FRAME_TARGET_MS = 16.7;
const INPUT_TARGET_MS = 100;
/** Openings of the panel, each in a browser that has seen nothing of it. */
const OPENINGS = 9;

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
    const rows = [...(await openingRows(browser, server.url)), ...(await emptyRows(browser))];
    for (const view of ['models', 'now', 'chains']) rows.push(...(await viewRows(browser, server.url, view)));
    rows.push(...(await councilRows(browser)));
    return [...rows, ...sizeRows(crowd)];
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

/** From the address to the first paint, and to the view with its figures, beside a page that holds one word. */
async function openingRows(browser: Browser, url: string): Promise<BenchRow[]> {
  const openings: Readonly<{ word: number; paint: number; view: number }>[] = [];
  for (let opening = -1; opening < OPENINGS; opening++) {
    const word = await open(browser, 'data:text/html,<h1>Word</h1>');
    const panel = await open(browser, `${url}#/now`);
    // The first of all is the browser's own.
    if (opening >= 0) openings.push({ word: word.paintMs, paint: panel.paintMs, view: panel.headingMs });
  }
  return [
    rowOf(
      'a page of one word: address → first paint',
      'ms',
      openings.map(({ word }) => word),
    ),
    rowOf(
      'the panel: address → first paint',
      'ms',
      openings.map(({ paint }) => paint),
    ),
    rowOf(
      'the panel: address → its view with 200 models',
      'ms',
      openings.map(({ view }) => view),
    ),
  ];
}

async function open(browser: Browser, url: string): Promise<Readonly<{ paintMs: number; headingMs: number }>> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 } });
  try {
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const headingMs = (await page.evaluate('performance.now()')) as number;
    const paintMs = (await page.evaluate(FIRST_PAINT)) as number;
    return { paintMs, headingMs };
  } finally {
    await context.close();
  }
}

/** When the first word or picture was painted, in ms from the navigation on. */
const FIRST_PAINT = `new Promise((resolve) => {
  const seen = new PerformanceObserver((list) => {
    const [entry] = list.getEntriesByName('first-contentful-paint');
    if (entry) resolve(entry.startTime);
  });
  seen.observe({ type: 'paint', buffered: true });
})`;

/** A council of 10 heroes and up to 50 findings, of which something new is heard ten times a second. */
async function councilRows(browser: Browser): Promise<BenchRow[]> {
  const at = Date.now();
  const told = (step: number) => {
    const view = sampleView({
      at,
      heroes: 10,
      findings: 25 + (step % 26),
      rev: 40 + step,
      row: { spent: 0.5 + step / 1_000 },
    });
    return { view, snapshot: { ...withCouncils(sampleSnapshot(at), [view.row]), rev: 100 + step } };
  };
  let { view, snapshot } = told(0);
  const host = fakeHost(snapshot, { ...councilAnswers(at, view), 'council.run': () => view });
  const server = await startPanelServer({ host, rendererRoot: RENDERER, port: 0 });
  let step = 0;
  const stream = setInterval(() => {
    step += 1;
    ({ view, snapshot } = told(step));
    host.publish(snapshot);
  }, 1_000 / PUSHES_A_SECOND);
  try {
    return await viewRows(browser, server.url, `council/${RUN}`);
  } finally {
    clearInterval(stream);
    await server.close();
  }
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
  const [name] = view.split('/');
  const longest = longTasks.length === 0 ? 'none' : `the longest ${Math.round(Math.max(...longTasks))} ms`;
  return [
    rowOf(`${name}: time between frames`, 'ms', frames, { target: FRAME_TARGET_MS }),
    rowOf(`${name}: key → next frame`, 'ms', inputs, { target: INPUT_TARGET_MS }),
    rowOf(`${name}: tasks over 50 ms in ${STREAM_MS / 1_000} s`, 'tasks', [longTasks.length], { note: longest }),
    rowOf(`${name}: heap, and what it grew by`, 'kB', [before / 1_024], {
      note: `${after >= before ? '+' : ''}${Math.round((after - before) / 1_024)} kB`,
    }),
  ];
}

/** What a page is told: everything when it opens, then ten times a second what has changed. */
function sizeRows({ core, happen }: ReturnType<typeof openCrowdedCore>): BenchRow[] {
  const kilobytes = (data: unknown): number => JSON.stringify(data).length / 1_024;
  const take = (): Snapshot => core.host.handlers['snapshot.get'](null) as Snapshot;
  const first = take();
  const sizes: number[] = [];
  for (let push = 0, before = first; push < PUSHES; push++) {
    for (let event = 0; event < EVENTS_A_SECOND / PUSHES_A_SECOND; event++) happen();
    const after = take();
    sizes.push(kilobytes(changeFrom(before, after)));
    before = after;
  }
  return [
    rowOf('the first push, as text', 'kB', [kilobytes(first)]),
    rowOf('one push after it, as text', 'kB', sizes, { target: PUSH_TARGET_KB }),
  ];
}

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
