import { join } from 'node:path';
import process from 'node:process';
import { print, printError, readerGone } from '../node/base/output';
import type { Shipped } from '../node/base/shipped';
import { stateHome } from '../node/base/state-home';
import { ensureToken, metricsTokenPath } from '../node/base/token';
import { readPreferences } from '../node/config/preferences';
import { openCore } from '../node/open-core';
import { hasDisplay, openBrowser } from './open-browser';
import { runPanel } from './run-panel';
import { tabsIn } from './stored-tabs';

/** Aborts at Ctrl+C, a termination signal, a closed terminal or a closed output. */
export function stopOnSignals(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => controller.abort());
  return AbortSignal.any([controller.signal, readerGone]);
}

export type PanelHere = Shipped & Readonly<{ port: number | null; open: boolean; version: string; runtime: string }>;

export function runPanelHere({ open, port, builtRoot, ...program }: PanelHere): Promise<number> {
  const { platform, env } = process;
  return runPanel({
    port,
    rendererRoot: join(builtRoot, 'renderer'),
    openCore: () => openCore({ ...program, env }),
    tabs: tabsIn(stateHome(env)),
    openMetrics: () => openMetrics(env),
    openBrowser: open && hasDisplay(platform, env) ? (url) => openBrowser(platform, url) : null,
    print,
    printError,
    stop: stopOnSignals(),
  });
}

/**
 * Returns null unless the settings or `UNDERSTUDY_METRICS=1` enable metrics. @throws Error with a message for people.
 */
async function openMetrics(env: NodeJS.ProcessEnv): Promise<Readonly<{ token: string; path: string }> | null> {
  const home = stateHome(env);
  const { preferences } = await readPreferences(home);
  if (env.UNDERSTUDY_METRICS !== '1' && !preferences.metrics.enabled) return null;
  const path = metricsTokenPath(home);
  const made = await ensureToken(home, path);
  if (!made.ok) throw new Error(`the metrics token cannot be read: ${made.reason}`);
  return { token: made.token, path };
}
