import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { runDemoHere } from '../demo/process';
import { attachCore } from '../node/attach-core';
import { print, printError } from '../node/base/output';
import type { Shipped } from '../node/base/shipped';
import { runPanelHere, stopOnSignals } from '../panel/process';
import { wantsColour } from './paint';
import { runCommandLine } from './program';

/** The longest delay of a timer. */
const STAY_MS = 2_147_483_647;

export async function runCommandLineHere(args: readonly string[], shipped: Shipped, runtime: string): Promise<number> {
  // Waiting for a lock does not keep a process alive, which OpenCode needs; a command must stay until it has answered.
  const stay = setInterval(() => undefined, STAY_MS);
  try {
    return await runHere(args, shipped, runtime);
  } finally {
    clearInterval(stay);
  }
}

function runHere(args: readonly string[], shipped: Shipped, runtime: string): Promise<number> {
  const version = __UNDERSTUDY_VERSION__;
  const program = { ...shipped, version, runtime };
  return runCommandLine(args, {
    version,
    env: process.env,
    directory: process.cwd(),
    source: shipped.companion,
    isTerminal: process.stdout.isTTY && process.stdin.isTTY,
    hasColour: wantsColour(process.env, process.stdout.isTTY),
    // Some terminals report no width.
    columns: (process.stdout.isTTY && process.stdout.columns) || null,
    get signal() {
      // Lazy: only a command that needs the signal handles the interrupt.
      return stopOnSignals();
    },
    ask,
    hearLines,
    attachCore: () => attachCore({ runtime, env: process.env }),
    runPanel: (options) => runPanelHere({ ...options, ...program }),
    runDemo: (options) => runDemoHere({ ...options, ...program }),
    print,
    printError,
  });
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

function hearLines(hear: (line: string) => void): () => void {
  // Without terminal mode: an interrupt must reach the handler of the signal.
  const lines = createInterface({ input: process.stdin, terminal: false });
  lines.on('line', hear);
  return () => lines.close();
}
