import { Argument, Command, InvalidArgumentError } from 'commander';
import type { DemoOptions } from '../demo/machine';
import { addCouncil, answerRun, importCouncil } from '../features/council/cli';
import { addFleet } from '../features/fleet/cli/fleet';
import { addChainData, addSuggest } from '../features/ranking/cli';
import { failureText } from '../node/base/failure';
import { readPort } from '../panel/arguments';
import { DEFAULT_PORT } from '../panel/run-panel';
import { addAgent, addModel, addSwitching } from './commands/acts';
import { addBugReport } from './commands/bug-report';
import { addChains } from './commands/chains';
import { addCompletion } from './commands/completion';
import { addDoctor } from './commands/doctor';
import { addDrill } from './commands/drill';
import { addExport } from './commands/export';
import { addLimits } from './commands/limits';
import { addLogs } from './commands/logs';
import { addNotices } from './commands/notices';
import { addOwnData } from './commands/own-data';
import { addPhrases } from './commands/phrases';
import { addProbe } from './commands/probe';
import { addReplay } from './commands/replay';
import { addScorecard } from './commands/scorecard';
import { addSettings } from './commands/settings';
import { addChanges, addInstall, addUninstall } from './commands/setup';
import { addStatus } from './commands/status';
import { addTrust } from './commands/trust';
import { addWatch } from './commands/watch';
import { addWhatIf } from './commands/what-if';
import { formerCommandText } from './former';
import { type CliParts, EXIT, EXIT_CODES, type Finish } from './parts';
import { wrapText } from './wrap';

export type { CliParts } from './parts';

const EXAMPLES = `
Examples:
  understudy install && understudy doctor
  understudy chains set build anthropic/claude-sonnet-4-5 openai/gpt-5 --create

Exit codes: ${EXIT_CODES}.`;

const PIPED_COLUMNS = 80;

/** @param args without the program's name. @returns the exit code, one of `EXIT`. */
export async function runCommandLine(args: readonly string[], parts: CliParts): Promise<number> {
  const former = formerCommandText(args);
  if (former !== null) {
    parts.printError(former);
    return EXIT.notUnderstood;
  }
  let code: number = EXIT.done;
  const program = commandTree(parts, (result) => {
    code = result;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    return exitCode(error, parts);
  }
}

export function commandTree(parts: CliParts, finish: Finish): Command {
  const program = new Command('understudy')
    .usage('<command> [options]   Details: understudy <command> --help')
    .description('Keeps OpenCode working when its model fails.')
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
  const add = (parent: Command, ...adders: readonly Add[]): void => {
    for (const one of adders) one(parent, parts, finish);
  };
  const group = (name: string, description: string, ...adders: readonly Add[]): void =>
    add(program.command(name).description(description), ...adders);
  program.commandsGroup('Set up:');
  add(program, addInstall, addDoctor);
  group('chains', 'show, change and suggest the chains of your agents', addChains, addSuggest, addChainData);
  add(program, addDrill, addShells);
  group('config', 'show and change settings, project trust and written files', ...CONFIG);
  add(program, addUninstall, addCompletion, addVersion);
  program.commandsGroup('Watch and act:');
  add(program, addStatus, addWatch, addLogs);
  group('limits', 'show usage limits, and set budgets and marks', addLimits);
  addSwitching(program, parts, finish, answerRun);
  group('model', 'reset, probe, hold, release or isolate a model', addModel, addProbe);
  group('agent', 'pin, unpin or return an agent', addAgent);
  program.commandsGroup('Review and share:');
  group('report', 'scorecards, exports, what-if and replay of the history', ...REPORTS);
  group('council', 'let several models review a repository or solve a problem', addCouncil);
  const addData: Add = (data) => addOwnData(data, parts, finish, importCouncil);
  group('data', 'the log, backups, imports, notices and bug reports', addData, addNotices, addBugReport);
  group('fleet', 'share the state of accounts with the machines of your team', addFleet);
  // Last, because commands inherit it.
  return program.configureHelp({
    visibleCommands: ({ commands }) => [...commands],
    visibleOptions: () => [],
    subcommandTerm: (command) => command.name(),
  });
}

type Add = (parent: Command, parts: CliParts, finish: Finish) => void;
const CONFIG: readonly Add[] = [addSettings, addTrust, addChanges, addPhrases];
const REPORTS: readonly Add[] = [addScorecard, addExport, addWhatIf, addReplay];

const addVersion: Add = (program, { version, print }) => {
  program
    .command('version')
    .description('print the version')
    .action(() => print(version));
};

function addShells(program: Command, parts: CliParts, finish: Finish): void {
  program
    .command('demo')
    .description('show a real OpenCode with failing models, on scripted providers')
    .addArgument(new Argument('[story]', 'show a council instead of a conversation').choices(['council']))
    .option('--once', 'run once, then end: 0 on success, else 1 with the reason', false)
    .option('--loop', 'run one failure after another until interrupted', false)
    .option('--port <number>', 'port of the panel on 127.0.0.1; 0: any free port', parsePort, 0)
    .option('--no-open', 'do not open the panel in a browser')
    .action(async (story: string | undefined, options: Omit<DemoOptions, 'isCouncil'>, command: Command) => {
      const isCouncil = story === 'council';
      if (isCouncil && options.loop) command.error("error: option '--loop' cannot be used with 'council'");
      finish(await parts.runDemo({ ...options, isCouncil }));
    });
  program
    .command('panel')
    .description('open the panel in a browser on this machine')
    .option('--port <number>', `port on 127.0.0.1; 0: any free port (default: ${DEFAULT_PORT}, or the next)`, parsePort)
    .option('--no-open', 'only print the address')
    .action(async ({ port, open }: { port?: number; open: boolean }) => {
      finish(await parts.runPanel({ port: port ?? null, open }));
    });
}

function parsePort(text: string): number {
  const port = readPort(text);
  if (port === null) throw new InvalidArgumentError('Expected a number from 0 to 65535.');
  return port;
}

/** Commander throws to end, after printing its message. */
function exitCode(error: unknown, parts: CliParts): number {
  if (typeof error === 'object' && error !== null && 'exitCode' in error)
    return error.exitCode === 0 ? EXIT.done : EXIT.notUnderstood;
  parts.printError(`Understudy failed: ${failureText(error)}`);
  return EXIT.failed;
}
