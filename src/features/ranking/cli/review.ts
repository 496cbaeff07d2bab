import { painter } from '../../../cli/paint';
import { type CliParts, EXIT, type JsonOption, refuse, showLines } from '../../../cli/parts';
import { asArgument } from '../../../wording/status-text';
import type { RankAnswer } from '../contract/ranking';
import { followed, whereOf, withRanking } from './host';
import { evidenceLines } from './texts';

export type Reviewing = JsonOption & Readonly<{ approve?: boolean; notNow?: boolean; never?: boolean; undo?: boolean }>;

export async function review(
  parts: CliParts,
  agent: string,
  model: string | null,
  options: Reviewing,
): Promise<number> {
  const where = whereOf(parts, agent);
  const choice = options.approve ? 'approved' : options.notNow ? 'denied' : options.never ? 'ignored' : null;
  const decides = choice !== null || options.undo === true;
  return await withRanking(parts, options, async (host) => {
    const { run } = await host.ask('rank.run', { ...where, rev: null });
    if (run === null)
      return refuse(
        parts,
        options,
        `There is no suggestion for ${agent} yet: understudy chains suggest ${asArgument(agent)} --tiers`,
      );
    if (decides && model === null) return refuse(parts, options, 'Name the model to decide on.', EXIT.notUnderstood);
    const look = () => host.ask('rank.get', { ...where, role: run.role, isLive: run.isLive });
    const answer = await look();
    if (decides && model !== null) {
      const evidence = answer.reviews.find((row) => row.model === model)?.evidence ?? '';
      const acted = await host.ask('rank.act', { ...where, act: { type: 'decide', model, choice, evidence } });
      if (!acted.ok) return refuse(parts, options, acted.reason);
      await followed(host, where, () => undefined);
    }
    return showNext(parts, options, decides ? await look() : answer, decides ? null : model);
  });
}

function showNext(parts: CliParts, options: JsonOption, answer: RankAnswer, model: string | null): number {
  const open = answer.reviews.filter(({ choice }) => choice === null);
  const next = model === null ? open[0] : answer.reviews.find((row) => row.model === model);
  if (model !== null && next === undefined) return refuse(parts, options, `${model} needs no decision.`);
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
    ? `All models are decided. To write it: understudy chains suggest ${name} --tiers --apply`
    : `No model needs a decision, but the suggestion is incomplete. The reason: understudy chains suggest ${name} --tiers`;
}
