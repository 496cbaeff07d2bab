import { Command, InvalidArgumentError } from 'commander';
import type { PanelHost } from '../contract';
import { statusText } from '../contract/status-text';
import type { OpenedCore } from '../node/open-core';
import { readPort } from '../panel/arguments';
import { presentSnapshot } from '../panel/present-snapshot';
import type { DemoOptions } from './demo/demo';
import { phrasesText } from './phrases-text';
import { unknownPhrases } from './unknown-phrases';

/** What the command line needs of the machine; tests pass their own. */
export type CliParts = Readonly<{
  version: string;
  /** Attaches to the running core; null when none runs. */
  attachCore(): Promise<OpenedCore | null>;
  runPanel(options: Readonly<{ port: number; open: boolean }>): Promise<number>;
  runDemo(options: DemoOptions): Promise<number>;
  print(text: string): void;
  printError(text: string): void;
}>;

/** Exit codes of what asks the core, after systemd's: nothing runs, or it runs and does not answer. */
const NOT_RUNNING = 3;
const NO_ANSWER = 4;

const EXAMPLES = `
Examples:
  understudy status           Say in words who speaks for each agent now
  understudy status --json    Print the whole snapshot for scripts
  understudy phrases          List what providers said that nobody could name
  understudy panel --no-open  Serve the panel and only print its address
  understudy demo --once      Watch a real OpenCode lose its model, then clean up`;

/**
 * Runs one command line, without the program's own name.
 *
 * @returns the exit code: 0 done, 1 failed, 2 not understood, 3 Understudy is not running, 4 it does not answer.
 */
export async function runCommandLine(args: readonly string[], parts: CliParts): Promise<number> {
  let code = 0;
  const program = new Command('understudy')
    .description('Keeps OpenCode working when its model cannot.')
    .version(parts.version, '-V, --version')
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => parts.print(text.trimEnd()),
      writeErr: (text) => parts.printError(text.trimEnd()),
    });
  program
    .command('status')
    .description('show which model speaks for each agent, and which models are not well')
    .option('--json', 'print the snapshot as JSON')
    .action(async (options: { json?: boolean }) => {
      code = await show(parts, options, { ask: presentSnapshot, words: statusText });
    });
  program
    .command('phrases')
    .description('list failures that nobody could name, to be taught in "patterns"')
    .option('--json', 'print them as JSON')
    .action(async (options: { json?: boolean }) => {
      code = await show(parts, options, { ask: unknownPhrases, words: phrasesText });
    });
  program
    .command('panel')
    .description('serve the panel to a browser on this machine')
    .option('--port <number>', 'port on 127.0.0.1; 0 takes any free one', parsePort, 0)
    .option('--no-open', 'only print the address')
    .action(async (options: { port: number; open: boolean }) => {
      code = await parts.runPanel(options);
    });
  program
    .command('demo')
    .description('show a real OpenCode losing its model, with scripted providers on this machine')
    .option('--once', 'end after the first turn: 0 when it went as it must, 1 with the reason otherwise', false)
    .option('--port <number>', 'port of the panel on 127.0.0.1; 0 takes any free one', parsePort, 0)
    .option('--no-open', 'do not open the panel in a browser')
    .action(async (options: DemoOptions) => {
      code = await parts.runDemo(options);
    });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    return exitCode(error, parts);
  }
}

/** What to ask of the core, null when it does not answer, and how to say the answer. */
type Shown<Answer> = Readonly<{ ask(host: PanelHost): Promise<Answer | null>; words(answer: Answer): string }>;

async function show<Answer>(parts: CliParts, { json }: { json?: boolean }, shown: Shown<Answer>): Promise<number> {
  const core = await parts.attachCore();
  if (core === null) {
    parts.printError('Understudy is not running.');
    return NOT_RUNNING;
  }
  try {
    const answer = await shown.ask(core.host);
    if (answer === null) {
      parts.printError('Understudy is running but does not answer.');
      return NO_ANSWER;
    }
    parts.print(json ? JSON.stringify(answer, null, 2) : shown.words(answer));
    return 0;
  } finally {
    await core.close();
  }
}
function parsePort(text: string): number {
  const port = readPort(text);
  if (port === null) throw new InvalidArgumentError('Expected a number from 0 to 65535.');
  return port;
}

/** Commander throws to end; it has already written what there is to say. */
function exitCode(error: unknown, parts: CliParts): number {
  if (typeof error === 'object' && error !== null && 'exitCode' in error) return error.exitCode === 0 ? 0 : 2;
  parts.printError(`Understudy failed: ${error instanceof Error ? error.message : String(error)}`);
  return 1;
}
