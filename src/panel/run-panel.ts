import type { OpenedCore } from '../node/attach-core';
import { failureText } from '../node/base/failure';
import { within } from '../node/base/within';
import { type PanelServer, startPanelServer } from './server';
import type { TabStore } from './stored-tabs';

export type PanelRun = Readonly<{
  /** The user's port, 0 for any free one; null for the default or the next free one. */
  port: number | null;
  tabs: TabStore;
  rendererRoot: string;
  openCore(): Promise<OpenedCore>;
  /** Null if metrics are disabled. */
  openMetrics(): Promise<Readonly<{ token: string; path: string }> | null>;
  openBrowser: ((url: string) => void) | null;
  print(line: string): void;
  printError(line: string): void;
  stop: AbortSignal;
}>;

/** Fixed, so that open tabs and bookmarks find the next panel. */
export const DEFAULT_PORT = 4767;
const PORTS_TRIED = 10;

/** Time limit for closing; the process then ends anyway. */
const CLOSE_DEADLINE_MS = 2_500;

/**
 * @returns 0 if stopped, or if another panel runs and its address was printed; 1 if the panel could not start, or not
 * at the user's port.
 */
export async function runPanel(run: PanelRun): Promise<number> {
  let core: OpenedCore;
  try {
    core = await run.openCore();
  } catch (error) {
    run.printError(`Understudy could not start: ${failureText(error)}`);
    return 1;
  }
  if (core.otherPanelUrl !== null) {
    const isElsewhere = Boolean(run.port) && Number(new URL(core.otherPanelUrl).port) !== run.port;
    if (isElsewhere) run.printError(`A panel already runs, so port ${run.port} is not used. Its address:`);
    run.print(panelLine(core.otherPanelUrl));
    await within(core.close(), CLOSE_DEADLINE_MS);
    return isElsewhere ? 1 : 0;
  }
  let server: PanelServer;
  try {
    const metrics = await run.openMetrics();
    const { rendererRoot, tabs } = run;
    const wanted = { host: core.host, rendererRoot, metricsToken: metrics?.token };
    const earlier = await tabs.read();
    const options = { ...wanted, tabs: { earlier: earlier.tabs, store: tabs.write } };
    const ports = portsOf(run.port, earlier.port);
    server = await startPanelServer({ ...options, port: ports });
    const [first = 0] = ports;
    const isOther = first !== 0 && server.port !== first;
    if (isOther) run.printError(`Port ${first} is not free. The panel uses port ${server.port}.`);
    if (metrics) run.print(`Metrics: ${new URL('/metrics', server.url).href}, bearer token in ${metrics.path}`);
  } catch (error) {
    run.printError(startProblem(error, run.port ?? DEFAULT_PORT));
    await within(core.close(), CLOSE_DEADLINE_MS);
    return 1;
  }
  const announced = core.announcePanel(server.url);
  // silent: the user is told the consequence
  await announced.catch(() => run.printError('Other Understudy commands will not find this panel.'));
  run.print(panelLine(server.url));
  run.openBrowser?.(server.onceUrl());
  await stopped(run.stop);
  await within(Promise.all([server.close(), core.close()]), CLOSE_DEADLINE_MS);
  return 0;
}

function portsOf(port: number | null, earlier: number | null): readonly number[] {
  if (port !== null) return [port];
  const near = Array.from({ length: PORTS_TRIED }, (_, at) => DEFAULT_PORT + at);
  return [...new Set([...(earlier === null ? [] : [earlier]), ...near, 0])];
}

const panelLine = (url: string): string => `Understudy panel: ${url}`;

function startProblem(error: unknown, port: number): string {
  const { code, message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { code: '', message: `${error}` };
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Choose another with --port, or --port 0 for any free one.`;
  if (code === 'EACCES') return `You are not allowed to use port ${port}. Choose another with --port.`;
  return `The panel could not be started: ${message}`;
}

function stopped(stop: AbortSignal): Promise<void> {
  if (stop.aborted) return Promise.resolve();
  return new Promise((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
}
