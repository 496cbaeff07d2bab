import type { Command } from 'commander';
import { objectionTo } from '../../../cli/approval';
import { command } from '../../../cli/command';
import { type CliParts, EXIT, type Finish, type JsonOption, refuse, showLines } from '../../../cli/parts';
import type { Outcome } from '../../../node/base/failure';
import { stateHome } from '../../../node/base/state-home';
import { asArgument } from '../../../wording/status-text';
import { findPlayer } from '../node/find-player';
import { removeSessions } from '../node/remove-sessions';
import { removeRun } from '../node/run-folder';
import { counted } from '../rules/base/text';
import { findRun, type SeenRun } from './seen';

type Removing = JsonOption & Readonly<{ yes?: boolean; sessions?: boolean }>;

export function addRemove(council: Command, parts: CliParts, finish: Finish): void {
  command(council, 'remove <run>', 'delete a run: its findings, its report and its copy')
    .option('--sessions', 'also delete the sessions of its participants in OpenCode')
    .option('-y, --yes', 'do not ask')
    .action(async (run: string, options: Removing) => finish(await remove(parts, run, options)));
}

async function remove(parts: CliParts, name: string, options: Removing): Promise<number> {
  const home = stateHome(parts.env);
  const found = await findRun(home, name);
  if (!found.ok) return refuse(parts, options, found.reason);
  const { run, isPlayed } = found.seen;
  if (isPlayed)
    return refuse(parts, options, `Run ${run} is running. Stop it first: understudy council stop ${asArgument(run)}`);
  const objection = await objectionTo(parts, options, {
    refusal: `Run ${run} would be deleted. Nothing was removed. To delete it, add --yes.`,
    question: `Delete run ${run}? You cannot undo this.`,
    declined: 'Nothing was removed.',
  });
  if (objection !== null) return refuse(parts, options, objection);
  const sessions = options.sessions ? await withoutSessions(parts, found.seen) : null;
  if (sessions?.ok === false)
    return refuse(parts, options, `${sessions.reason}. Nothing else was removed.`, EXIT.failed);
  const removed = await removeRun(home, run);
  if (!removed.ok) return refuse(parts, options, removed.reason, EXIT.failed);
  showLines(parts, options, { ok: true, run, sessions: sessions?.removed ?? 0 }, () =>
    sessions === null
      ? `Run ${run} is removed. Its sessions stay in OpenCode; --sessions deletes them too.`
      : `Run ${run} is removed, with ${counted(sessions.removed, 'session')} in OpenCode.`,
  );
  return EXIT.done;
}

async function withoutSessions({ env }: CliParts, { run, place }: SeenRun): Promise<Outcome<{ removed: number }>> {
  const found = await findPlayer(env, place?.generation);
  return found.ok ? await removeSessions({ home: stateHome(env), run, binary: found.binary, env }) : found;
}
