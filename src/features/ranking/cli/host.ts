import { setupPlace } from '../../../cli/commands/place';
import { type CliParts, EXIT, type JsonOption, refuse } from '../../../cli/parts';
import { answer, type Handlers, type QueryInput, type QueryOutput } from '../../../contract/contract';
import type { RankQuery, Run } from '../contract/ranking';
import { openRanking } from '../node/open-ranking';
import { isResting } from '../rules/run/run';

/** The running app, else the state home. */
export type RankHost = Readonly<{
  ask<Q extends RankQuery>(name: Q, input: QueryInput<Q>): Promise<QueryOutput<Q>>;
}>;

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
    // Only ranking queries pass here.
    const reply = await answer(handlers as Handlers, name, input);
    if (!reply.ok) throw new Unanswered(reply.reason, reply.code === 'failed' ? EXIT.failed : EXIT.refused);
    // `answer` validated the value against the contract.
    return reply.value as QueryOutput<typeof name>;
  },
});

export type RankWhere = Readonly<{ directory: string; agent: string }>;

export const whereOf = (parts: CliParts, agent: string): RankWhere => ({ directory: parts.directory, agent });

export async function followed(host: RankHost, where: RankWhere, tell: (run: Run) => void): Promise<Run | null> {
  let { rev, run } = await host.ask('rank.run', { ...where, rev: null });
  for (;;) {
    if (run === null || isResting(run)) return run;
    tell(run);
    ({ rev, run } = await host.ask('rank.run', { ...where, rev }));
  }
}
