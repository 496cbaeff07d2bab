import type { Command } from 'commander';
import { asArgument } from '../../../contract/status-text';
import { stateHome } from '../../../node/base/state-home';
import { removeRun } from '../../../node/council/run-folder';
import { type CliParts, EXIT, type JsonOption, refuse, showLines } from '../../parts';
import { findRun } from './seen';

type Finish = (code: number) => void;
type Removing = JsonOption & Readonly<{ yes?: boolean }>;

/** Adds `understudy council remove`. */
export function addRemove(council: Command, parts: CliParts, finish: Finish): void {
  council
    .command('remove')
    .description('remove what is kept of a run: its findings, its report and its copy; its sessions stay in OpenCode')
    .argument('<run>')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'answer as JSON; asks nothing')
    .action(async (run: string, options: Removing) => finish(await remove(parts, run, options)));
}

async function remove(parts: CliParts, name: string, options: Removing): Promise<number> {
  const home = stateHome(parts.env);
  const found = await findRun(home, name);
  if (!found.ok) return refuse(parts, options, found.reason);
  const { run, isPlayed } = found.seen;
  if (isPlayed)
    return refuse(parts, options, `Run ${run} is being played. First: understudy council stop ${asArgument(run)}`);
  if (!options.yes) {
    if (options.json || !parts.isTerminal)
      return refuse(parts, options, `Run ${run} would be removed for good. Nothing was removed: say --yes.`);
    if (!(await parts.ask(`Remove run ${run} for good?`))) return refuse(parts, options, 'Nothing was removed.');
  }
  const removed = await removeRun(home, run);
  if (!removed.ok) return refuse(parts, options, removed.reason, EXIT.failed);
  showLines(
    parts,
    options,
    { ok: true, run },
    () => `Run ${run} is removed. Its sessions are still in OpenCode: delete them there if you want to.`,
  );
  return EXIT.done;
}
