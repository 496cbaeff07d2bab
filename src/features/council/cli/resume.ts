import type { Command } from 'commander';
import { type CliParts, EXIT, refuse } from '../../../cli/parts';
import { wrapText } from '../../../cli/wrap';
import { stateHome } from '../../../node/base/state-home';
import { asArgument } from '../../../wording/status-text';
import { findPlayer } from '../node/find-player';
import { isThere } from '../node/there';
import { isOver } from '../rules/state/state';
import { type PlayOptions, playHere } from './play';
import { findRun, type SeenRun, standingOf } from './seen';
import { overText, runText } from './texts';

type Finish = (code: number) => void;

/** Adds `understudy council resume`: takes up a run that nobody plays any more. */
export function addResume(council: Command, parts: CliParts, finish: Finish): void {
  council
    .command('resume')
    .description('take up a run where it was left, and play it as start does')
    .argument('[run]', 'else the newest that was left')
    .option('--keep-copy', 'keep the copy of the repository when the run is over')
    .option('--json', 'print the report as JSON')
    .action(async (run: string | undefined, options: PlayOptions) => finish(await resume(parts, run, options)));
}

async function resume(parts: CliParts, run: string | undefined, options: PlayOptions): Promise<number> {
  const found = await findRun(stateHome(parts.env), run, (seen) => standingOf(seen) === 'left');
  if (!found.ok) return refuse(parts, options, found.reason);
  const { seen } = found;
  const objection = await objectionTo(seen);
  if (objection !== null || seen.place === null)
    return refuse(parts, options, objection ?? `The folder of run ${seen.run} does not say where it is played.`);
  const { place, lines } = seen;
  const opencode = await findPlayer(parts.env, place.generation);
  if (!opencode.ok) return refuse(parts, options, `${opencode.reason}.`, EXIT.failed);
  parts.printError(wrapText(runText(seen), parts.columns));
  return await playHere(parts, options, { binary: opencode.binary, place, signal: parts.signal, told: lines });
}

/** Why a run cannot be taken up; null where it can. */
async function objectionTo(seen: SeenRun): Promise<string | null> {
  const { run, state, isPlayed, place } = seen;
  const name = asArgument(run);
  if (isOver(state)) return overText(run, state);
  if (isPlayed) return `Run ${run} is being played already. How it is doing: understudy council show ${name}`;
  if (state.setup === null) return `Run ${run} never began. To remove it: understudy council remove ${name}`;
  return place !== null && !(await isThere(place))
    ? `The copy that run ${run} looks at is gone. What it has found: understudy council export ${name}`
    : null;
}
