import { type Command, Option } from 'commander';
import { setupPlace } from '../../../cli/commands/place';
import { type CliParts, EXIT, type JsonOption, refuse } from '../../../cli/parts';
import { answer, type Handlers, type QueryInput, type QueryOutput } from '../../../contract/contract';
import { type RankQuery, ROLES, type Run } from '../contract/ranking';
import { openRanking } from '../node/open-ranking';
import { isResting } from '../rules/run/run';

/** Asks about rankings: the app that runs, else what lies in the state home. */
export type RankHost = Readonly<{
  ask<Q extends RankQuery>(name: Q, input: QueryInput<Q>): Promise<QueryOutput<Q>>;
}>;

/** Lets a command ask, and lets go afterwards; an error of the asked is said. @returns the exit code. */
export async function withRanking(
  parts: CliParts,
  options: JsonOption,
  use: (host: RankHost) => Promise<number>,
): Promise<number> {
  const core = await parts.attachCore();
  const opened =
    core === null
      ? await openRanking({ ...setupPlace(parts), tell: parts.printError })
      : { handlers: core.host.handlers, close: () => core.close() };
  try {
    return await use(hostOf(opened.handlers));
  } catch (error) {
    if (error instanceof Unanswered) return refuse(parts, options, error.message, error.code);
    throw error;
  } finally {
    await opened.close();
  }
}

/** A question that was refused, or not answered. */
class Unanswered extends Error {
  constructor(
    message: string,
    readonly code: number,
  ) {
    super(message);
  }
}

const hostOf = (handlers: Pick<Handlers, RankQuery>): RankHost => ({
  async ask(name, input) {
    // The one cast: no other question than these is asked here.
    const reply = await answer(handlers as Handlers, name, input);
    if (!reply.ok) throw new Unanswered(reply.reason, reply.code === 'failed' ? EXIT.failed : EXIT.refused);
    // `answer` has checked the value against the contract.
    return reply.value as QueryOutput<typeof name>;
  },
});

/** For whom something is asked. */
export type RankWhere = Readonly<{ directory: string; agent: string }>;

/** An agent of the project the command is about. */
export const whereOf = (parts: CliParts, agent: string): RankWhere => ({ directory: parts.directory, agent });

/** Lets a command rank for another role than the agent's own. */
export const byRole = (command: Command): Command =>
  command.addOption(new Option('--role <role>', 'rank for this role instead of the agent’s own').choices(ROLES));

/** Follows a run until it rests: until a person has to do something, or nothing is left to do. @param tell hears it at each step. */
export async function followed(host: RankHost, where: RankWhere, tell: (run: Run) => void): Promise<Run | null> {
  let { rev, run } = await host.ask('rank.run', { ...where, rev: null });
  for (;;) {
    if (run === null || isResting(run)) return run;
    tell(run);
    ({ rev, run } = await host.ask('rank.run', { ...where, rev }));
  }
}
