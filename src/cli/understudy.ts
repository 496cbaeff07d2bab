import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { attachCore, SHIPPED_COMPANION } from '../node/open-core';
import { leave, runPanelHere, stopOnSignals } from '../panel/process';
import { runDemoHere } from './demo/process';
import { wantsColour } from './paint';
import { runCommandLine } from './program';

const version = __UNDERSTUDY_VERSION__;
const runtime = `node ${process.versions.node}`;

leave(
  await runCommandLine(process.argv.slice(2), {
    version,
    env: process.env,
    directory: process.cwd(),
    source: SHIPPED_COMPANION,
    isTerminal: process.stdout.isTTY && process.stdin.isTTY,
    hasColour: wantsColour(process.env, process.stdout.isTTY),
    get signal() {
      // Only what asks for it takes the interrupt upon itself.
      return stopOnSignals();
    },
    ask,
    attachCore: () => attachCore({ version, runtime, env: process.env }),
    runPanel: (options) => runPanelHere({ ...options, version }),
    runDemo: (options) => runDemoHere({ ...options, version }),
    print: (text) => console.log(text),
    printError: (text) => console.error(text),
  }),
);

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
