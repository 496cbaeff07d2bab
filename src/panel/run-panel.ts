import type { OpenedCore } from '../node/attach-core';
import { failureText } from '../node/base/failure';
import { within } from '../node/base/within';
import { type PanelServer, startPanelServer } from './server';

/** What the headless shell needs from its process. */
export type PanelRun = Readonly<{
  port: number;
  rendererRoot: string;
  openCore(): Promise<OpenedCore>;
  /** The token that metrics are read with, and where it lies; null where nobody asked for metrics. */
  openMetrics(): Promise<Readonly<{ token: string; path: string }> | null>;
  /** Shows an address in a browser; null where none should be opened. */
  openBrowser: ((url: string) => void) | null;
  /** Writes one line for people. */
  print(line: string): void;
  printError(line: string): void;
  /** Ends the panel. */
  stop: AbortSignal;
}>;

/** Closing may take this long; what has not closed by then is left to the end of the process. */
const CLOSE_DEADLINE_MS = 2_500;

/**
 * Serves the panel until it is stopped.
 *
 * @returns the exit code: 0 when stopped, or when another panel already runs and its address was printed; 1 when the
 * panel could not be served.
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
    run.print(panelLine(core.otherPanelUrl));
    await within(core.close(), CLOSE_DEADLINE_MS);
    return 0;
  }
  let server: PanelServer;
  try {
    const metrics = await run.openMetrics();
    const { port, rendererRoot } = run;
    server = await startPanelServer({ host: core.host, rendererRoot, port, metricsToken: metrics?.token });
    if (metrics) run.print(`Metrics: ${new URL('/metrics', server.url).href}, bearer token in ${metrics.path}`);
  } catch (error) {
    run.printError(startProblem(error, run.port));
    await within(core.close(), CLOSE_DEADLINE_MS);
    return 1;
  }
  // silent: the user is told the consequence
  await core.announcePanel(server.url).catch(() => run.printError('Later shells will not find this panel.'));
  run.print(panelLine(server.url));
  run.openBrowser?.(server.onceUrl());
  await stopped(run.stop);
  await within(Promise.all([server.close(), core.close()]), CLOSE_DEADLINE_MS);
  return 0;
}

const panelLine = (url: string): string => `Understudy panel: ${url}`;

function startProblem(error: unknown, port: number): string {
  const { code, message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { code: '', message: `${error}` };
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Choose another with --port, or --port 0 for any free one.`;
  if (code === 'EACCES') return `Port ${port} may not be used by you. Choose another with --port.`;
  return `The panel could not be started: ${message}`;
}

function stopped(stop: AbortSignal): Promise<void> {
  if (stop.aborted) return Promise.resolve();
  return new Promise((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
}
