import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { command } from '../../../cli/command';
import { type CliParts, EXIT, type Finish, refuse } from '../../../cli/parts';
import { wrapText } from '../../../cli/wrap';
import { stateHome } from '../../../node/base/state-home';
import { planText } from '../core/texts';
import { explained } from '../node/explained';
import { findPlayer } from '../node/find-player';
import { makeRun, type Plan, planRun } from '../node/prepare';
import { KEPT_MS, removeOldRuns } from '../node/run-folder';
import { megabytes, plainLine } from '../rules/base/text';
import { type Input, isAddress, readCouncilWords } from '../rules/process/route';
import { type PlayOptions, playHere } from './play';

type Starting = PlayOptions & Readonly<{ repo?: string; deep?: boolean; maxCost?: number; yes?: boolean }>;

export function addStart(council: Command, parts: CliParts, finish: Finish): void {
  command(council, 'start', 'start a run after showing its plan and cost; prints the report at the end')
    .argument('[problem...]', 'the problem to solve; default: review the repository of --repo')
    .option('--repo <path>', 'the repository: a folder, or an https or ssh address to fetch')
    .option('--deep', 'more rounds for a problem: a second one alone, and one that attacks the ideas')
    .option('--max-cost <dollars>', 'pause and ask at this cost; default: the configured cap', readDollars)
    .option('--keep-copy', 'keep the copy of the repository after the run')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', EXAMPLES)
    .action(async (problem: readonly string[], options: Starting) => finish(await start(parts, problem, options)));
}

const EXAMPLES = `
While it runs, type yes, no, retry NAME or stop. Ctrl-C interrupts it; resume continues it.

Examples:
  understudy council start --repo .
  understudy council start --repo . --max-cost 1 --yes > report.md
  understudy council start --repo https://example.com/team/shop.git
  understudy council start "How do we halve the build time?"
  understudy council start --repo . --deep "Where should the cache live?"`;

function readDollars(text: string): number {
  const dollars = Number(text.replace(/^\$/, ''));
  if (!Number.isFinite(dollars) || dollars <= 0)
    throw new InvalidArgumentError('Expected US dollars above 0, such as 1.50.');
  return dollars;
}

async function start(parts: CliParts, problem: readonly string[], options: Starting): Promise<number> {
  const { env, directory } = parts;
  const home = stateHome(env);
  const { deep = false, maxCost } = options;
  if (options.repo === '')
    return refuse(parts, options, 'Name a folder or an address after --repo, such as --repo . for this folder.');
  const { repo, problem: question } = readInput(problem.join(' '), options.repo, directory);
  const planned = await planRun({
    input: {
      problem: question,
      repo: repo === null || isAddress(repo) ? repo : resolve(directory, repo),
      isDeep: deep,
    },
    directory,
    env,
    home,
    askedIn: null,
    ...(maxCost === undefined ? {} : { maxCost }),
  });
  if (!planned.ok) return refuse(parts, options, await explained(home, planned.reason));
  const found = await findPlayer(env);
  if (!found.ok) return refuse(parts, options, `${found.reason}. Nothing was started.`, EXIT.failed);
  const refusal = await agreed(parts, options, planned.plan);
  if (refusal !== null) return refuse(parts, options, refusal);
  const { signal } = parts;
  const gone = await removeOldRuns(home);
  if (gone.length > 0) parts.printError(`Removed after ${KEPT_MS / DAY_MS} days: ${gone.join(', ')}.`);
  const made = await makeRun(planned.plan, { signal, onBytes: fetchTeller(parts, planned.plan) });
  if (!made.ok) return refuse(parts, options, made.reason, EXIT.failed);
  return await playHere(parts, options, { binary: found.binary, place: made.place, signal, told: 0 });
}

/** A problem that is a folder's path is the repository. */
function readInput(words: string, repo: string | undefined, directory: string): Pick<Input, 'problem' | 'repo'> {
  if (repo !== undefined) return { repo, problem: words.trim() || null };
  return readCouncilWords(words, (path) => existsSync(resolve(directory, path)));
}

const DAY_MS = 86_400_000;
const TOLD_EVERY_MS = 5_000;

function fetchTeller({ isTerminal, printError, columns }: CliParts, { address }: Plan): (bytes: number) => void {
  const name = plainLine(address?.name ?? '');
  if (address !== null) printError(wrapText(`Fetching ${name} with your git. Ctrl-C cancels.`, columns));
  let toldAt = Date.now();
  return (bytes) => {
    if (!isTerminal || Date.now() - toldAt < TOLD_EVERY_MS) return;
    toldAt = Date.now();
    printError(`${name}: ${megabytes(bytes)} so far.`);
  };
}

async function agreed(parts: CliParts, { yes, json }: Starting, plan: Plan): Promise<string | null> {
  const text = planText(plan);
  if (yes) {
    parts.printError(wrapText(text, parts.columns));
    return null;
  }
  if (json || !parts.isTerminal) return `${text}\n\nNothing was started. To start, add --yes.`;
  parts.print(wrapText(text, parts.columns));
  // silent: an interrupted question is answered with no
  return (await parts.ask('Start?').catch(() => false)) ? null : 'Nothing was started.';
}
