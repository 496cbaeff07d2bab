import { type Command, InvalidArgumentError, Option } from 'commander';
import { command } from '../../../cli/command';
import { addScope } from '../../../cli/commands/place';
import { type SuggestOptions, suggestChains } from '../../../cli/commands/suggest';
import type { CliParts, Finish } from '../../../cli/parts';
import { checkUse, readArgument, type Use } from '../../../cli/uses';
import { ASKED_PHASES, isRole, ROLES, type Role } from '../contract/ranking';
import { type Applying, applyTiers } from './apply';
import { change } from './change';
import { type Proposing, readPhases, suggestTiers } from './propose';
import { placeModel, type Ranking, showRanking } from './ranking';
import { research, type Searching } from './research';
import { type Reviewing, review } from './review';
import { readWeights, type Weighing, weights } from './weights';

type Modes = Readonly<{
  ranking?: boolean;
  tiers?: boolean;
  review?: boolean;
  research?: boolean;
  weights?: boolean;
  position?: number;
  setRole?: string;
  planLeft?: string;
  fiveHour?: number;
  week?: number;
}>;
type Options = SuggestOptions & Ranking & Proposing & Applying & Reviewing & Searching & Weighing & Modes;

export function addSuggest(chains: Command, parts: CliParts, finish: Finish): void {
  const suggest = command(
    chains,
    'suggest [agent]',
    'suggest a chain for each agent from the connected providers, or in tiers from benchmarks',
  )
    .argument('[model]', 'with --review or --position')
    .option('--apply', 'write the suggestion: of the agent, or of all agents without a chain')
    .option('--ranking', 'show the models of the agent, ranked by benchmarks')
    .option('--tiers', 'suggest a chain in tiers from the ranking; with --apply write it');
  addRankingOptions(suggest);
  addInputs(suggest);
  addScope(suggest)
    .option('--no-depth', 'with --tiers --apply: do not change defaults.maxFallbackDepth')
    .option('--dry-run', 'with --apply: show the exact difference and change nothing')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', EXAMPLES)
    .action(async (agent: string | undefined, model: string | undefined, options: Options) => {
      const mode = modeOf(options);
      const given = [agent, model].filter((one) => one !== undefined);
      checkUse(suggest, mode === 'quick' ? 'suggest' : `--${MODES[mode].flag}`, MODES[mode], given);
      finish(
        await run(mode, { parts, suggest, options, agent: agent ?? 'build', model: model ?? null }, agent ?? null),
      );
    });
}

function addRankingOptions(suggest: Command): void {
  suggest
    .addOption(new Option('--role <role>', 'rank for this role, or change its weights').choices(ROLES))
    .option('--formula <text>', 'rank by this formula, or save it with --weights')
    .option('--live', 'include the history of this machine')
    .option('--all', 'with --ranking: include models without a rank, with the reason')
    .option('--strict', 'with --ranking: fail if a benchmark value is missing')
    .option(
      '--with <phases>',
      `with --tiers: also request ${ASKED_PHASES.join(', ')}; shows the cost first`,
      readPhases,
    )
    .option('--again', 'with --tiers: start again')
    .option('--review', 'show the next model of the tiers to decide on')
    .option('--approve', 'use the model at its suggested place')
    .addOption(new Option('--not-now', 'omit the model from this suggestion').conflicts('approve'))
    .addOption(new Option('--never', 'never suggest the model for this agent here').conflicts(['approve', 'notNow']))
    .addOption(new Option('--undo', 'undo a decision').conflicts(['approve', 'notNow', 'never']))
    .option(
      '--position <number>',
      'fix the model at this place of the tiers; 1 is the primary, "anywhere" ends it',
      readPosition,
    );
}

function addInputs(suggest: Command): void {
  suggest
    .option('--set-role <role>', `set the role of the agent: ${ROLES.join(', ')}, or by-name`)
    .option('--research', 'list official pages for missing benchmark values')
    .option('--ask <model>', 'with --research: let this model search, in one restricted session of OpenCode')
    .option('--tool <names>', 'with --research: search tools of your own servers, such as exa_*', (text: string) =>
      text.split(','),
    )
    .option('--weights', 'show or change the weight of each benchmark, in the format of bench_calc.json')
    .option('--set <weights>', 'with --weights: such as gpqa=0.3,hle=0.1; scales the others', readWeights)
    .addOption(new Option('--published', 'with --weights: restore the published formula').conflicts(['set', 'formula']))
    .addOption(
      new Option('--import <file>', 'with --weights: import formulas').conflicts(['set', 'formula', 'published']),
    )
    .option('--plan-left <provider>', 'enter the rest of a plan, as its own page shows it; without a value: remove it')
    .option('--five-hour <percent>', 'with --plan-left: rest of the five hours', readPercent)
    .option('--week <percent>', 'with --plan-left: rest of the week', readPercent);
}

const EXAMPLES = `
Sends no request without --with or --ask. Steps from a ranking to a chain:
  understudy chains suggest build --ranking
  understudy chains suggest build --tiers
  understudy chains suggest build openai/gpt-5 --approve
  understudy chains suggest build --tiers --apply --dry-run`;

const AGENT = 'agent';
const APPLY = ['apply', 'depth', 'dryRun', 'global', 'project'];
const MODES = {
  position: { flag: 'position', options: ['position', 'json'], args: [AGENT, 'model'] },
  setRole: { flag: 'set-role', options: ['setRole', 'json'], args: [AGENT] },
  planLeft: { flag: 'plan-left', options: ['planLeft', 'fiveHour', 'week', 'json'] },
  weights: { flag: 'weights', options: ['weights', 'role', 'set', 'formula', 'published', 'import', 'json'] },
  research: { flag: 'research', options: ['research', 'ask', 'tool', 'yes', 'json'], args: [AGENT] },
  review: {
    flag: 'review',
    options: ['review', 'approve', 'notNow', 'never', 'undo', 'json'],
    args: [AGENT, '[model]'],
  },
  tiers: { flag: 'tiers', options: ['tiers', 'role', 'live', 'with', 'again', 'yes', 'json', ...APPLY], args: [AGENT] },
  ranking: {
    flag: 'ranking',
    options: ['ranking', 'role', 'formula', 'live', 'all', 'strict', 'json'],
    args: ['[agent]'],
  },
  quick: { flag: '', options: ['apply', 'dryRun', 'global', 'project', 'yes', 'json'], args: ['[agent]'] },
} as const satisfies Readonly<Record<string, Use & Readonly<{ flag: string }>>>;
type Mode = keyof typeof MODES;

const isDecision = ({ review: isReview, approve, notNow, never, undo }: Options): boolean =>
  [isReview, approve, notNow, never, undo].includes(true);

function modeOf(options: Options): Mode {
  if (isDecision(options)) return 'review';
  const modes = Object.keys(MODES) as Mode[];
  return modes.find((mode) => Object.hasOwn(options, mode)) ?? 'quick';
}

type Call = Readonly<{ parts: CliParts; suggest: Command; options: Options; agent: string; model: string | null }>;

function run(mode: Mode, { parts, suggest, options, agent, model }: Call, named: string | null): Promise<number> {
  switch (mode) {
    case 'position':
      return placeModel(parts, { agent, model: model ?? '', position: options.position || null }, options);
    case 'setRole': {
      const role = readArgument(suggest, readRole, options.setRole);
      const text = role === null ? 'The role follows the name again.' : 'The role is saved.';
      return change(parts, options, [{ type: 'role', agent, role }], text);
    }
    case 'planLeft': {
      const { planLeft: provider = '', fiveHour: fiveHourPercent = null, week: weekPercent = null } = options;
      const text = fiveHourPercent === null && weekPercent === null ? 'Forgotten.' : 'Saved.';
      return change(parts, options, [{ type: 'headroom', provider, fiveHourPercent, weekPercent }], text);
    }
    case 'weights':
      return weights(parts, options);
    case 'research':
      return research(parts, agent, options);
    case 'review':
      return review(parts, agent, model, options);
    case 'tiers':
      return options.apply ? applyTiers(parts, agent, options) : suggestTiers(parts, agent, options);
    case 'ranking':
      return showRanking(parts, agent, options);
    case 'quick':
      return suggestChains(parts, named, options);
  }
}

function readRole(text: string): Role | null {
  if (text === 'by-name') return null;
  if (!isRole(text)) throw new InvalidArgumentError(`Expected one of ${ROLES.join(', ')}, or by-name.`);
  return text;
}

/** Commander turns null into a text. */
const ANYWHERE = 0;

function readPosition(text: string): number {
  if (text === 'anywhere') return ANYWHERE;
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('Expected a position such as 1, or "anywhere".');
  return Number(text);
}

function readPercent(text: string): number {
  const percent = Number(text);
  if (text.trim() === '' || !(percent >= 0 && percent <= 100)) throw new InvalidArgumentError('Expected 0 to 100.');
  return percent;
}
