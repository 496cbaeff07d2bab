import process from 'node:process';
import { runCouncilDemo } from '../features/council/demo/demo';
import { print, printError } from '../node/base/output';
import type { Shipped } from '../node/base/shipped';
import { hasDisplay, openBrowser } from '../panel/open-browser';
import { stopOnSignals } from '../panel/process';
import { runDemo } from './demo';
import type { DemoOptions } from './machine';
import { wantsColor } from './terminal';

/** Columns if the terminal reports none. */
const DEFAULT_COLUMNS = 100;

/** Ignores a parent that has exited. */
function tellParent(opened: Readonly<{ url: string }>): void {
  process.send?.(opened, undefined, undefined, () => undefined);
}

function parentGone(): AbortSignal {
  const controller = new AbortController();
  process.once('disconnect', () => controller.abort());
  return controller.signal;
}

export function runDemoHere(options: DemoOptions & Shipped & Readonly<{ version: string }>): Promise<number> {
  const { platform, env, stdout, stdin } = process;
  const play = options.isCouncil ? runCouncilDemo : runDemo;
  return play(options, {
    version: options.version,
    builtRoot: options.builtRoot,
    companion: options.companion,
    env,
    style: { isColored: wantsColor(stdout, env), columns: stdout.columns || DEFAULT_COLUMNS },
    input: stdin,
    print,
    printError,
    openBrowser: hasDisplay(platform, env) ? (url) => openBrowser(platform, url) : null,
    tellParent: process.connected ? tellParent : null,
    stop: process.connected ? AbortSignal.any([stopOnSignals(), parentGone()]) : stopOnSignals(),
  });
}
