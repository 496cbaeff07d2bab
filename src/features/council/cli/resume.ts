import type { Command } from 'commander';
import { command } from '../../../cli/command';
import { type CliParts, EXIT, type Finish, refuse } from '../../../cli/parts';
import { wrapText } from '../../../cli/wrap';
import { stateHome } from '../../../node/base/state-home';
import { asArgument } from '../../../wording/status-text';
import { findPlayer } from '../node/find-player';
import { isThere } from '../node/there';
import { isOver } from '../rules/state/state';
import { type PlayOptions, playHere } from './play';
import { retrySpeaker } from './say';
import { findRun, type SeenRun, standingOf } from './seen';
import { overText, runText } from './texts';

type Resuming = PlayOptions & Readonly<{ retry?: string }>;

export function addResume(council: Command, parts: CliParts, finish: Finish): void {
  command(council, 'resume', 'continue an interrupted run, or retry an offline speaker')
    .argument('[run]', 'default: the newest interrupted run; with --retry the newest running one')
    .option('--retry <name>', 'retry this offline speaker of a running council, or "all"')
    .option('--keep-copy', 'keep the copy of the repository after the run')
    .action(async (run: string | undefined, { retry, ...options }: Resuming) =>
      finish(retry === undefined ? await resume(parts, run, options) : await retrySpeaker(parts, retry, run, options)),
    );
}

async function resume(parts: CliParts, run: string | undefined, options: PlayOptions): Promise<number> {
  const found = await findRun(stateHome(parts.env), run, (seen) => standingOf(seen) === 'left');
  if (!found.ok) return refuse(parts, options, found.reason);
  const { seen } = found;
  const objection = await objectionTo(seen);
  if (objection !== null || seen.place === null)
    return refuse(parts, options, objection ?? `The folder of run ${seen.run} does not name its OpenCode.`);
  const { place, lines } = seen;
  const opencode = await findPlayer(parts.env, place.generation);
  if (!opencode.ok) return refuse(parts, options, `${opencode.reason}.`, EXIT.failed);
  parts.printError(wrapText(runText(seen), parts.columns));
  return await playHere(parts, options, { binary: opencode.binary, place, signal: parts.signal, told: lines });
}

async function objectionTo(seen: SeenRun): Promise<string | null> {
  const { run, state, isPlayed, place } = seen;
  const name = asArgument(run);
  if (isOver(state)) return overText(run, state);
  if (isPlayed) return `Run ${run} is already running. Its progress: understudy council show ${name}`;
  if (state.setup === null) return `Run ${run} never began. To remove it: understudy council remove ${name}`;
  return place !== null && !(await isThere(place))
    ? `The copy of the repository for run ${run} is deleted. Its findings: understudy council show ${name} --format md`
    : null;
}
