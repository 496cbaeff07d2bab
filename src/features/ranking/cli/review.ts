import { type Command, Option } from 'commander';
import { painter } from '../../../cli/paint';
import { type CliParts, EXIT, type JsonOption, refuse, showLines } from '../../../cli/parts';
import { asArgument } from '../../../wording/status-text';
import type { RankAnswer } from '../contract/ranking';
import { followed, whereOf, withRanking } from './host';
import { evidenceLines } from './texts';

type Finish = (code: number) => void;
type Reviewing = JsonOption & Readonly<{ approve?: boolean; notNow?: boolean; never?: boolean; undo?: boolean }>;

/** Adds `understudy rank review`. */
export function addReview(rank: Command, parts: CliParts, finish: Finish): void {
  rank
    .command('review')
    .description('look at what waits for you in a proposal, one model at a time, and decide on it')
    .argument('<agent>')
    .argument('[model]', 'the model to decide on; without one the next is shown')
    .option('--approve', 'it may stand where it is proposed')
    .addOption(new Option('--not-now', 'leave it out of this proposal').conflicts('approve'))
    .addOption(
      new Option('--never', 'never propose it for this agent in this project').conflicts(['approve', 'notNow']),
    )
    .addOption(new Option('--undo', 'take a decision back').conflicts(['approve', 'notNow', 'never']))
    .option('--json', 'answer as JSON')
    .action(async (agent: string, model: string | undefined, options: Reviewing) =>
      finish(await review(parts, agent, model ?? null, options)),
    );
}

async function review(parts: CliParts, agent: string, model: string | null, options: Reviewing): Promise<number> {
  const where = whereOf(parts, agent);
  const choice = options.approve ? 'approved' : options.notNow ? 'denied' : options.never ? 'ignored' : null;
  const decides = choice !== null || options.undo === true;
  return await withRanking(parts, options, async (host) => {
    const { run } = await host.ask('rank.run', { ...where, rev: null });
    if (run === null)
      return refuse(
        parts,
        options,
        `Nothing is proposed for ${agent} yet: understudy rank propose ${asArgument(agent)}`,
      );
    if (decides && model === null) return refuse(parts, options, 'Name the model you decide on.', EXIT.notUnderstood);
    const look = () => host.ask('rank.get', { ...where, role: run.role, isLive: run.isLive });
    const answer = await look();
    if (decides && model !== null) {
      const evidence = answer.reviews.find((row) => row.model === model)?.evidence ?? '';
      const acted = await host.ask('rank.act', { ...where, act: { type: 'decide', model, choice, evidence } });
      if (!acted.ok) return refuse(parts, options, acted.reason);
      await followed(host, where, () => undefined);
    }
    return sayNext(parts, options, decides ? await look() : answer, decides ? null : model);
  });
}

function sayNext(parts: CliParts, options: JsonOption, answer: RankAnswer, model: string | null): number {
  const open = answer.reviews.filter(({ choice }) => choice === null);
  const next = model === null ? open[0] : answer.reviews.find((row) => row.model === model);
  if (model !== null && next === undefined) return refuse(parts, options, `${model} does not wait for a decision.`);
  const isSettled = open.length === 0 && answer.run?.settled != null;
  showLines(parts, options, { open: open.map((row) => row.model), next: next ?? null, reviews: answer.reviews }, () =>
    next === undefined
      ? nothingOpen(answer.agent, isSettled)
      : `${open.length} to decide.\n\n${evidenceLines(answer, next, painter(parts.hasColour))}`,
  );
  return isSettled ? EXIT.done : EXIT.undecided;
}

function nothingOpen(agent: string, isSettled: boolean): string {
  const name = asArgument(agent);
  return isSettled
    ? `All is decided. To write it: understudy rank apply ${name}`
    : `Nothing waits for a decision, but the proposal is not whole. To see why: understudy rank propose ${name}`;
}
