import type { Command } from 'commander';
import { type CliParts, EXIT, type JsonOption, refuse, showLines } from '../../../cli/parts';
import type { Outcome } from '../../../node/base/failure';
import { stateHome } from '../../../node/base/state-home';
import { asArgument } from '../../../wording/status-text';
import { findPlayer } from '../node/find-player';
import { removeSessions } from '../node/remove-sessions';
import { removeRun } from '../node/run-folder';
import { counted } from '../rules/base/text';
import { findRun, type SeenRun } from './seen';

type Finish = (code: number) => void;
type Removing = JsonOption & Readonly<{ yes?: boolean; sessions?: boolean }>;

/** Adds `understudy council remove`. */
export function addRemove(council: Command, parts: CliParts, finish: Finish): void {
  council
    .command('remove')
    .description('remove what is kept of a run: what it found, its report and its copy')
    .argument('<run>')
    .option('--sessions', 'delete the sessions of its participants in OpenCode as well')
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
  const sessions = options.sessions ? await withoutSessions(parts, found.seen) : null;
  if (sessions?.ok === false)
    return refuse(parts, options, `${sessions.reason}. Nothing else was removed.`, EXIT.failed);
  const removed = await removeRun(home, run);
  if (!removed.ok) return refuse(parts, options, removed.reason, EXIT.failed);
  showLines(parts, options, { ok: true, run, sessions: sessions?.removed ?? 0 }, () =>
    sessions === null
      ? `Run ${run} is removed. Its sessions are still in OpenCode: --sessions would have deleted them as well.`
      : `Run ${run} is removed, with ${counted(sessions.removed, 'session')} in OpenCode.`,
  );
  return EXIT.done;
}

/** Deletes the sessions of a run, in the generation of OpenCode they are in. */
async function withoutSessions({ env }: CliParts, { run, place }: SeenRun): Promise<Outcome<{ removed: number }>> {
  const found = await findPlayer(env, place?.generation);
  return found.ok ? await removeSessions({ home: stateHome(env), run, binary: found.binary, env }) : found;
}
