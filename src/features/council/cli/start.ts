import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { type CliParts, EXIT, refuse } from '../../../cli/parts';
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

type Finish = (code: number) => void;
type Starting = PlayOptions & Readonly<{ repo?: string; deep?: boolean; maxCost?: number; yes?: boolean }>;

/** Adds `understudy council start`: what will happen, a yes, and a run that is played and told here. */
export function addStart(council: Command, parts: CliParts, finish: Finish): void {
  council
    .command('start')
    .description(
      'say what a run would be and cost, ask, and play it: the report goes to the output, the progress beside it',
    )
    .argument('[problem...]', 'what the models shall think about; without one they review what --repo names')
    .option(
      '--repo <path>',
      'what they review, or what the problem is about: a folder, or an address that is fetched (https, ssh)',
    )
    .option('--deep', 'think about a problem in more rounds: a second one alone, and an attack on what came up')
    .option('--max-cost <dollars>', 'pause and ask at so much; else as it is configured', readDollars)
    .option('--keep-copy', 'keep the copy of the repository when the run is over')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print the report as JSON; asks nothing')
    .addHelpText('after', EXAMPLES)
    .action(async (problem: readonly string[], options: Starting) => finish(await start(parts, problem, options)));
}

const EXAMPLES = `
While it runs, yes, no, retry NAME and stop can be typed. Ctrl-C leaves it, and it can be resumed.

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
  const { repo, problem: asked } = saidIn(problem.join(' '), options.repo, directory);
  const planned = await planRun({
    input: {
      problem: asked,
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
  if (!found.ok) return refuse(parts, options, `${found.reason}. Nothing was begun.`, EXIT.failed);
  const refusal = await agreed(parts, options, planned.plan);
  if (refusal !== null) return refuse(parts, options, refusal);
  const { signal } = parts;
  const gone = await removeOldRuns(home);
  if (gone.length > 0) parts.printError(`Removed after ${KEPT_MS / DAY_MS} days: ${gone.join(', ')}.`);
  const made = await makeRun(planned.plan, { signal, onBytes: fetchTeller(parts, planned.plan) });
  if (!made.ok) return refuse(parts, options, made.reason, EXIT.failed);
  return await playHere(parts, options, { binary: found.binary, place: made.place, signal, told: 0 });
}

/** What is given decides what is played, wherever it stands: a folder in place of a problem is a folder. */
function saidIn(words: string, repo: string | undefined, directory: string): Pick<Input, 'problem' | 'repo'> {
  if (repo !== undefined) return { repo, problem: words.trim() || null };
  return readCouncilWords(words, (path) => existsSync(resolve(directory, path)));
}

const DAY_MS = 86_400_000;
/** How often it is told how much has been fetched, in ms. */
const TOLD_EVERY_MS = 5_000;

/** Tells that a repository is fetched, and to a person who waits how much of it is there. */
function fetchTeller({ isTerminal, printError, columns }: CliParts, { address }: Plan): (bytes: number) => void {
  const name = plainLine(address?.name ?? '');
  if (address !== null) printError(wrapText(`Fetching ${name} with your git. Ctrl-C ends it.`, columns));
  let toldAt = Date.now();
  return (bytes) => {
    if (!isTerminal || Date.now() - toldAt < TOLD_EVERY_MS) return;
    toldAt = Date.now();
    printError(`${name}: ${megabytes(bytes)} so far.`);
  };
}

/** Says what will happen and what it is thought to cost, and asks. @returns why nothing is begun; null once it may be. */
async function agreed(parts: CliParts, { yes, json }: Starting, plan: Plan): Promise<string | null> {
  const says = planText(plan);
  if (yes) {
    parts.printError(wrapText(says, parts.columns));
    return null;
  }
  if (json || !parts.isTerminal) return `${says}\n\nNothing was begun: say --yes.`;
  parts.print(wrapText(says, parts.columns));
  // silent: an interrupted question is answered with no
  return (await parts.ask('Begin?').catch(() => false)) ? null : 'Nothing was begun.';
}
