import { type Command, InvalidArgumentError } from 'commander';
import { painter } from '../../../cli/paint';
import { type CliParts, EXIT, type JsonOption, refuse, showLines } from '../../../cli/parts';
import { plain } from '../../../wording/status-text';
import { isRole, type RankAnswer, ROLES, type Role } from '../contract/ranking';
import { addApply } from './apply';
import { change } from './change';
import { addRankData } from './data';
import { byRole, followed, whereOf, withRanking } from './host';
import { addMeasure } from './measure';
import { addPropose, sayProposal } from './propose';
import { addResearch } from './research';
import { addReview } from './review';
import { rankText } from './texts';
import { addRankWeights } from './weights';

type Finish = (code: number) => void;
type Ranking = JsonOption &
  Readonly<{ role?: Role; formula?: string; live?: boolean; strict?: boolean; all?: boolean }>;

/** Adds the commands that rank models for an agent and propose its chain; they need no running core. */
export function addRank(program: Command, parts: CliParts, finish: Finish): void {
  const rank = program.command('rank').description('rank models for an agent by benchmarks and by what happened here');
  byRole(rank.command('show', { isDefault: true }))
    .description('show who suits an agent, from which numbers, and what is not known')
    .argument('[agent]', 'an agent of this project', 'build')
    .option('--formula <text>', 'rank by this formula instead')
    .option('--live', 'let what happened here count as well')
    .option('--all', 'also those that cannot be ranked, and why')
    .option('--strict', 'refuse while a benchmark that counts is not known of a candidate')
    .option('--json', 'answer as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (agent: string, options: Ranking) => finish(await showRanking(parts, agent, options)));
  addPropose(rank, parts, finish);
  addReview(rank, parts, finish);
  addKeep(rank, parts, finish);
  addApply(rank, parts, finish);
  rank
    .command('role')
    .description('say which role an agent has, where its name does not; "by-name" goes by its name again')
    .argument('<agent>')
    .argument('<role>', `${ROLES.join(', ')}, or by-name`, readRole)
    .option('--json', 'answer as JSON')
    .action(async (agent: string, role: Role | null, options: JsonOption) =>
      finish(
        await change(
          parts,
          options,
          [{ type: 'role', agent, role }],
          role === null ? 'It goes by its name again.' : 'The role is kept.',
        ),
      ),
    );
  addHeadroom(rank, parts, finish);
  addMeasure(rank, parts, finish);
  addResearch(rank, parts, finish);
  addRankData(rank, parts, finish);
  addRankWeights(rank, parts, finish);
}

const EXAMPLES = `
Goes by shipped benchmarks (models.dev), by what you add, by OpenCode's own catalogue and by your history. It sends no request.

Examples:
  understudy rank build
  understudy rank plan --live
  understudy rank propose build
  understudy rank review build
  understudy rank apply build --dry-run`;

function readRole(text: string): Role | null {
  if (text === 'by-name') return null;
  if (!isRole(text)) throw new InvalidArgumentError(`Expected one of ${ROLES.join(', ')}, or by-name.`);
  return text;
}

async function showRanking(parts: CliParts, agent: string, options: Ranking): Promise<number> {
  const { role = null, formula = null, live: isLive = false, strict = false } = options;
  return await withRanking(parts, options, async (host) => {
    const answer = await host.ask('rank.get', { ...whereOf(parts, agent), role, formula, isLive });
    if (answer.problem !== null) return refuse(parts, options, problemText(answer.problem, formula));
    if (strict && answer.lacking.length > 0) return refuse(parts, options, lackingText(answer));
    showLines(parts, options, answer, (given) => rankText(given, painter(parts.hasColour), options.all));
    return EXIT.done;
  });
}

/** A formula with a mark under what is wrong in it. */
const problemText = ({ reason, at }: NonNullable<RankAnswer['problem']>, formula: string | null): string =>
  formula === null ? reason : `${formula}\n${' '.repeat(at)}^ ${reason}`;

const lackingText = ({ lacking }: RankAnswer): string =>
  [
    'Strict ranking wants every benchmark that counts of every candidate. Not known:',
    ...lacking.map(({ model, benchmarks }) => plain(`  ${model}: ${benchmarks.join(', ')}`)),
  ].join('\n');

function addKeep(rank: Command, parts: CliParts, finish: Finish): void {
  rank
    .command('keep')
    .description('keep a model at a place of the proposal, whatever it scores')
    .argument('<agent>')
    .argument('<model>')
    .argument('<position>', '1 leads; or "anywhere" to keep it no longer', readPosition)
    .option('--json', 'answer as JSON')
    .action(async (agent: string, model: string, position: number | null, options: JsonOption) =>
      finish(
        await withRanking(parts, options, async (host) => {
          const where = whereOf(parts, agent);
          const acted = await host.ask('rank.act', { ...where, act: { type: 'keep', model, position } });
          if (!acted.ok) return refuse(parts, options, acted.reason);
          return await sayProposal(parts, options, host, { where, run: await followed(host, where, () => undefined) });
        }),
      ),
    );
}

function readPosition(text: string): number | null {
  if (text === 'anywhere') return null;
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('Expected a position such as 1, or "anywhere".');
  return Number(text);
}

type Left = JsonOption & Readonly<{ fiveHour?: number; week?: number }>;

function addHeadroom(rank: Command, parts: CliParts, finish: Finish): void {
  rank
    .command('headroom')
    .description('say how much is left of a plan, as its own page shows it; nothing said forgets it')
    .argument('<provider>')
    .option('--five-hour <percent>', 'left of the five hours', readPercent)
    .option('--week <percent>', 'left of the week', readPercent)
    .option('--json', 'answer as JSON')
    .action(async (provider: string, { fiveHour, week, ...options }: Left) =>
      finish(
        await change(
          parts,
          options,
          [{ type: 'headroom', provider, fiveHourPercent: fiveHour ?? null, weekPercent: week ?? null }],
          fiveHour === undefined && week === undefined ? 'Nothing is kept of it any more.' : 'Kept.',
        ),
      ),
    );
}

function readPercent(text: string): number {
  const percent = Number(text);
  if (text.trim() === '' || !(percent >= 0 && percent <= 100)) throw new InvalidArgumentError('Expected 0 to 100.');
  return percent;
}
