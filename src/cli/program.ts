import { Argument, Command, InvalidArgumentError } from 'commander';
import type { DemoOptions } from '../demo/machine';
import { addCouncil } from '../features/council/cli';
import { addFleet } from '../features/fleet/cli/fleet';
import { addRank } from '../features/ranking/cli';
import { failureText } from '../node/base/failure';
import { readPort } from '../panel/arguments';
import { DEFAULT_PORT } from '../panel/run-panel';
import { addActs } from './commands/acts';
import { addBugReport } from './commands/bug-report';
import { addChains } from './commands/chains';
import { addCompletion } from './commands/completion';
import { showAnswer } from './commands/core';
import { addDoctor } from './commands/doctor';
import { addDrill } from './commands/drill';
import { addExport } from './commands/export';
import { addHeadroom } from './commands/headroom';
import { addNotices } from './commands/notices';
import { addOwnData } from './commands/own-data';
import { addProbe } from './commands/probe';
import { addReplay } from './commands/replay';
import { addScorecard } from './commands/scorecard';
import { addSettings } from './commands/settings';
import { addSetup } from './commands/setup';
import { addStatus } from './commands/status';
import { addTrust } from './commands/trust';
import { addWatch } from './commands/watch';
import { addWhatIf } from './commands/what-if';
import { groupCommands } from './help-groups';
import { type CliParts, EXIT, EXIT_CODES, type JsonOption } from './parts';
import { phrasesText } from './phrases-text';
import { unknownPhrases } from './unknown-phrases';
import { wrapText } from './wrap';

export type { CliParts } from './parts';

const EXAMPLES = `
Examples:
  understudy doctor           Say what is in the way of a saved turn, and what to do
  understudy install          Add the companion to OpenCode, after showing the difference
  understudy chains set build anthropic/claude-sonnet-4-5 openai/gpt-5 --create
  understudy drill            See a made-up failure carried to the next model
  understudy status           Say in words who speaks for each agent now
  understudy watch            The same, live
  understudy reset openai     Try a provider again at once
  understudy export --since 7d --format md   Print what the last week was like
  understudy what-if --policy steady         Play what happened again under another policy
  understudy undo             Take back the last change of a file

Exit codes: ${EXIT_CODES}.`;

const PIPED_COLUMNS = 80;

/**
 * Runs one command line, without the program's own name.
 *
 * @returns the exit code, one of `EXIT`.
 */
export async function runCommandLine(args: readonly string[], parts: CliParts): Promise<number> {
  let code: number = EXIT.done;
  const finish = (result: number): void => {
    code = result;
  };
  const program = new Command('understudy')
    .description('Keeps OpenCode working when its model cannot.')
    .version(parts.version, '-V, --version')
    .addHelpText('after', EXAMPLES)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => parts.print(wrapText(text.trimEnd(), parts.columns)),
      writeErr: (text) => parts.printError(wrapText(text.trimEnd(), parts.columns)),
      getOutHelpWidth: () => parts.columns ?? PIPED_COLUMNS,
      getErrHelpWidth: () => parts.columns ?? PIPED_COLUMNS,
    });
  addStatus(program, parts, finish);
  addHeadroom(program, parts, finish);
  addPhrases(program, parts, finish);
  addWatch(program, parts, finish);
  addNotices(program, parts, finish);
  addChains(program, parts, finish);
  addActs(program, parts, finish);
  addProbe(program, parts, finish);
  addDrill(program, parts, finish);
  addSetup(program, parts, finish);
  addDoctor(program, parts, finish);
  addExport(program, parts, finish);
  addScorecard(program, parts, finish);
  addWhatIf(program, parts, finish);
  addRank(program, parts, finish);
  addCouncil(program, parts, finish);
  addReplay(program, parts, finish);
  addSettings(program, parts, finish);
  addFleet(program, parts, finish);
  addTrust(program, parts, finish);
  addOwnData(program, parts, finish);
  addBugReport(program, parts, finish);
  addCompletion(program, parts);
  addShells(program, parts, finish);
  groupCommands(program);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    return exitCode(error, parts);
  }
}

type Finish = (code: number) => void;

function addPhrases(program: Command, parts: CliParts, finish: Finish): void {
  program
    .command('phrases')
    .description('list failures that nobody could name, to be taught in "patterns"')
    .option('--json', 'print them as JSON')
    .action(async (options: JsonOption) => {
      finish(await showAnswer(parts, options, { ask: unknownPhrases, words: phrasesText }));
    });
}

function addShells(program: Command, parts: CliParts, finish: Finish): void {
  program
    .command('panel')
    .alias('serve')
    .description('serve the panel to a browser on this machine')
    .option(
      '--port <number>',
      `port on 127.0.0.1; 0 takes any free one (default: ${DEFAULT_PORT}, or the next)`,
      parsePort,
    )
    .option('--no-open', 'only print the address')
    .action(async ({ port, open }: { port?: number; open: boolean }) => {
      finish(await parts.runPanel({ port: port ?? null, open }));
    });
  program
    .command('demo')
    .description('show a real OpenCode losing its model, with scripted providers on this machine')
    .addArgument(new Argument('[story]', 'a council in place of a conversation').choices(['council']))
    .option('--once', 'end by itself: 0 when it went as it must, 1 with the reason otherwise', false)
    .option('--loop', 'go on by itself, with one trouble after another, until it is ended', false)
    .option('--port <number>', 'port of the panel on 127.0.0.1; 0 takes any free one', parsePort, 0)
    .option('--no-open', 'do not open the panel in a browser')
    .action(async (story: string | undefined, options: Omit<DemoOptions, 'isCouncil'>, command: Command) => {
      const isCouncil = story === 'council';
      if (isCouncil && options.loop) command.error("error: option '--loop' cannot be used with 'council'");
      finish(await parts.runDemo({ ...options, isCouncil }));
    });
}

function parsePort(text: string): number {
  const port = readPort(text);
  if (port === null) throw new InvalidArgumentError('Expected a number from 0 to 65535.');
  return port;
}

/** Commander throws to end; it has already written what there is to say. */
function exitCode(error: unknown, parts: CliParts): number {
  if (typeof error === 'object' && error !== null && 'exitCode' in error)
    return error.exitCode === 0 ? EXIT.done : EXIT.notUnderstood;
  parts.printError(`Understudy failed: ${failureText(error)}`);
  return EXIT.failed;
}
