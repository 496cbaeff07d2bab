import { type Command, InvalidArgumentError } from 'commander';
import { painter } from '../../../cli/paint';
import { type CliParts, EXIT, type JsonOption, refuse, showLines } from '../../../cli/parts';
import { asArgument } from '../../../wording/status-text';
import { ASKED_PHASES, type AskedPhase, type Cost, type Role, type Run, type RunAct } from '../contract/ranking';
import { API_KEY } from '../node/artificial-analysis';
import { costSentence, unableSentence } from '../wording/ranking-words';
import { byRole, followed, type RankHost, type RankWhere, whereOf, withRanking } from './host';
import { proposalText, runText } from './texts';

type Finish = (code: number) => void;
type Proposing = JsonOption &
  Readonly<{ role?: Role; live?: boolean; with?: readonly AskedPhase[]; yes?: boolean; again?: boolean }>;

/** Adds `understudy rank propose`. */
export function addPropose(rank: Command, parts: CliParts, finish: Finish): void {
  byRole(rank.command('propose'))
    .description('propose a chain in tiers; nothing is written, and what waits for you is said')
    .argument('<agent>')
    .option('--live', 'let what happened here count as well')
    .option(
      '--with <phases>',
      `ask outside as well: ${ASKED_PHASES.join(', ')}; what it costs is said first`,
      readPhases,
    )
    .option('--again', 'begin anew, instead of going on with what was begun')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'answer as JSON; asks nothing')
    .action(async (agent: string, options: Proposing) => finish(await propose(parts, agent, options)));
}

function readPhases(text: string): readonly AskedPhase[] {
  return text.split(',').map((name) => {
    const phase = ASKED_PHASES.find((one) => one === name.trim().replaceAll('-', '_'));
    if (phase === undefined) throw new InvalidArgumentError(`Expected some of ${ASKED_PHASES.join(', ')}.`);
    return phase;
  });
}

async function propose(parts: CliParts, agent: string, options: Proposing): Promise<number> {
  const where = whereOf(parts, agent);
  return await withRanking(parts, options, async (host) => {
    const wants = options.with ?? [];
    const key = (wants.includes(KEYED) && parts.env[API_KEY]) || null;
    const costs = wants.length === 0 ? [] : await host.ask('rank.costs', { ...where, role: options.role ?? null });
    const asked = costs.filter(({ phase }) => wants.includes(phase));
    const unable = asked.flatMap((cost) => {
      const why = unableSentence(cost, key !== null);
      return why === null ? [] : [`${cost.phase}: ${why}`];
    });
    const refusal = unable[0] ?? (await objectionToCosts(parts, options, asked));
    if (refusal !== null) return refuse(parts, options, refusal);
    const begun = (await host.ask('rank.run', { ...where, rev: null })).run;
    const isNew =
      begun === null || options.again || wants.length > 0 || options.role !== undefined || options.live !== undefined;
    const start: RunAct = {
      type: 'start',
      role: options.role ?? null,
      isLive: options.live ?? false,
      wants: [...wants],
      key,
    };
    const act: RunAct = isNew || begun.written !== null ? start : { type: 'go', key: null };
    const acted = await host.ask('rank.act', { ...where, act });
    if (!acted.ok) return refuse(parts, options, acted.reason);
    const run = await followed(host, where, (now) => sayProgress(parts, options, now));
    return await sayProposal(parts, options, host, { where, run });
  });
}

const KEYED = 'artificial_analysis';

/** Says what asking outside costs, and asks. @returns why nothing is asked; null once it may be. */
async function objectionToCosts(
  parts: CliParts,
  { yes, json }: Proposing,
  costs: readonly Cost[],
): Promise<string | null> {
  if (yes || costs.length === 0) return null;
  if (json || !parts.isTerminal) return `${costs.map(costSentence).join('\n')}\nNothing was asked: say --yes.`;
  for (const cost of costs) parts.print(costSentence(cost));
  return (await parts.ask('Ask them?')) ? null : 'Nothing was asked.';
}

function sayProgress(parts: CliParts, { json }: JsonOption, run: Run): void {
  if (json || !parts.isTerminal) return;
  const running = Object.entries(run.phases).find(([, { state }]) => state === 'running');
  if (running?.[1].progress) parts.printError(`${running[0]} ${running[1].progress.done}/${running[1].progress.of}`);
}

/** Shows a proposal, how far it has come, and what comes next. @returns 0 once it may be written, else 4. */
export async function sayProposal(
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
  if (open > 0) return `${open} to decide, one at a time: understudy rank review ${name}`;
  return isSettled
    ? `To write it: understudy rank apply ${name}`
    : `What is missing is said above: understudy rank ${name}`;
}
