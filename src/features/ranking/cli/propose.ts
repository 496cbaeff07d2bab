import { InvalidArgumentError } from 'commander';
import { objectionTo } from '../../../cli/approval';
import { painter } from '../../../cli/paint';
import { type CliParts, EXIT, type JsonOption, refuse, showLines } from '../../../cli/parts';
import { asArgument } from '../../../wording/status-text';
import { ASKED_PHASES, type AskedPhase, type Cost, type Role, type Run, type RunAct } from '../contract/ranking';
import { API_KEY } from '../node/artificial-analysis';
import { costSentence, unableSentence } from '../wording/ranking-words';
import { followed, type RankHost, type RankWhere, whereOf, withRanking } from './host';
import { proposalText, runText } from './texts';

export type Proposing = JsonOption &
  Readonly<{ role?: Role; live?: boolean; with?: readonly AskedPhase[]; yes?: boolean; again?: boolean }>;

export function readPhases(text: string): readonly AskedPhase[] {
  return text.split(',').map((name) => {
    const phase = ASKED_PHASES.find((one) => one === name.trim().replaceAll('-', '_'));
    if (phase === undefined) throw new InvalidArgumentError(`Expected some of ${ASKED_PHASES.join(', ')}.`);
    return phase;
  });
}

/** Writes nothing. @returns the exit code. */
export async function suggestTiers(parts: CliParts, agent: string, options: Proposing): Promise<number> {
  const where = whereOf(parts, agent);
  return await withRanking(parts, options, async (host) => {
    const wants = options.with ?? [];
    const key = (wants.includes(KEYED) && parts.env[API_KEY]) || null;
    const costs = wants.length === 0 ? [] : await host.ask('rank.costs', { ...where, role: options.role ?? null });
    const external = costs.filter(({ phase }) => wants.includes(phase));
    const unable = external.flatMap((cost) => {
      const why = unableSentence(cost, key !== null);
      return why === null ? [] : [`${cost.phase}: ${why}`];
    });
    const refusal = unable[0] ?? (await objectionToCosts(parts, options, external));
    if (refusal !== null) return refuse(parts, options, refusal);
    const previous = (await host.ask('rank.run', { ...where, rev: null })).run;
    const isNew =
      previous === null ||
      options.again ||
      wants.length > 0 ||
      options.role !== undefined ||
      options.live !== undefined;
    const start: RunAct = {
      type: 'start',
      role: options.role ?? null,
      isLive: options.live ?? false,
      wants: [...wants],
      key,
    };
    const act: RunAct = isNew || previous.written !== null ? start : { type: 'go', key: null };
    const acted = await host.ask('rank.act', { ...where, act });
    if (!acted.ok) return refuse(parts, options, acted.reason);
    const run = await followed(host, where, (now) => sayProgress(parts, options, now));
    return await showTiers(parts, options, host, { where, run });
  });
}

const KEYED = 'artificial_analysis';

/** @returns the reason to send no request; null after approval. */
async function objectionToCosts(parts: CliParts, options: Proposing, costs: readonly Cost[]): Promise<string | null> {
  if (costs.length === 0) return null;
  const shown = costs.map(costSentence).join('\n');
  const refusal = `${shown}\nNothing was requested. To send the requests, add --yes.`;
  const question = { refusal, shown, question: 'Send the requests?', declined: 'Nothing was requested.' };
  return await objectionTo(parts, options, question);
}

function sayProgress(parts: CliParts, { json }: JsonOption, run: Run): void {
  if (json || !parts.isTerminal) return;
  const running = Object.entries(run.phases).find(([, { state }]) => state === 'running');
  if (running?.[1].progress) parts.printError(`${running[0]} ${running[1].progress.done}/${running[1].progress.of}`);
}

/** @returns 0 once the tiers can be written, else 4. */
export async function showTiers(
  parts: CliParts,
  options: JsonOption,
  host: RankHost,
  { where, run }: Readonly<{ where: RankWhere; run: Run | null }>,
): Promise<number> {
  const answer = await host.ask('rank.get', { ...where, role: run?.role ?? null, isLive: run?.isLive ?? false });
  const open = answer.reviews.filter(({ choice }) => choice === null);
  const isSettled = run?.settled != null && open.length === 0;
  showLines(parts, options, answer, (given) =>
    [
      proposalText(given, painter(parts.hasColour)),
      ...(run === null ? [] : ['', runText(run)]),
      '',
      nextStep(where.agent, open.length, isSettled),
    ].join('\n'),
  );
  return isSettled ? EXIT.done : EXIT.undecided;
}

function nextStep(agent: string, open: number, isSettled: boolean): string {
  const name = asArgument(agent);
  if (open > 0) return `${open} to decide, one at a time: understudy chains suggest ${name} --review`;
  return isSettled
    ? `To write it: understudy chains suggest ${name} --tiers --apply`
    : `Incomplete: see above. The ranking: understudy chains suggest ${name} --ranking`;
}
