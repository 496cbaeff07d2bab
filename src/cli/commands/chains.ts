import { type Command, InvalidArgumentError } from 'commander';
import { openCodeConfig, openCodeConfigText, theseusConfig, theseusConfigText } from '../../contract/opencode-config';
import { writtenModel } from '../../contract/written-model';
import { doubtsOf } from '../../core/providers/model-doubts';
import { keptModels } from '../../node/base/kept-models';
import { stateHome } from '../../node/base/state-home';
import { exportedChains } from '../../node/config/chain-export';
import {
  type ChainChange,
  type ConfiguredChain,
  chainRequest,
  planChain,
  readConfigured,
  type WantedChain,
} from '../../node/config/chains';
import { leadsBefore, remainingWithout } from '../../node/config/leads';
import { remainingPhrase } from '../../wording/chain-words';
import { asArgument, plain, table } from '../../wording/status-text';
import { painter } from '../paint';
import { type CliParts, EXIT, type JsonOption, refuse, show, showLines } from '../parts';
import { sayLeads } from './leads';
import { addScope, fileScope, type ScopeFlags, setupPlace } from './place';
import { addPropose } from './propose';
import { confirmAndWrite, editAndShow } from './write';

type SetOptions = JsonOption & ScopeFlags & Readonly<{ create?: boolean; dryRun?: boolean }>;
type Finish = (code: number) => void;

/** Adds the commands that show and change chains; they need no running core. */
export function addChains(program: Command, parts: CliParts, finish: Finish): void {
  const chains = program.command('chains').description('show and change the chains of this project’s agents');
  chains
    .command('get', { isDefault: true })
    .description('show each agent’s chain, and the file and line it stands in')
    .argument('[agent]')
    .option('--json', 'answer as JSON')
    .action(async (agent: string | undefined, options: JsonOption) => finish(await get(parts, agent, options)));
  writing(chains.command('set'))
    .description('write the chain of an agent; "*" is for every agent without one')
    .argument('<agent>')
    .argument('[models...]', 'in order, as "provider/model" or "provider/model#variant"; none means "no fallback"')
    .addHelpText('after', SET_EXAMPLES)
    .action(async (agent: string, models: string[], options: SetOptions) =>
      finish(await set(parts, { agent, models, isExact: true }, options)),
    );
  writing(chains.command('move'))
    .description('move a model within the chain of an agent')
    .argument('<agent>')
    .argument('<model>')
    .argument('<position>', '1 is the primary; or "up" or "down"', position)
    .addHelpText(
      'after',
      '\nExamples:\n  understudy chains move build openai/gpt-5 1\n  understudy chains move build openai/gpt-5 up',
    )
    .action(async (agent: string, model: string, to: Position, options: SetOptions) =>
      finish(await move(parts, { agent, model, to }, options)),
    );
  removing(chains.command('remove'))
    .description('take the chain of an agent out of its file; the one for every other agent stands in then, or nobody')
    .argument('<agent>')
    .addHelpText(
      'after',
      '\nExamples:\n  understudy chains remove review --dry-run\n  understudy chains remove review --yes',
    )
    .action(async (agent: string, options: RemoveOptions) => finish(await remove(parts, agent, options)));
  chains
    .command('export')
    .description('print each agent’s chain as OpenCode would have it, in the shape its issue 7602 asks for')
    .argument('[agent]')
    .option('--theseus', 'in the shape of oh-my-opencode-theseus.json instead')
    .option('--json', 'answer as JSON')
    .action(async (agent: string | undefined, options: ExportOptions) =>
      finish(await exportAll(parts, agent, options)),
    );
  addPropose(chains, parts, finish);
}

const SET_EXAMPLES = `
Examples:
  understudy chains set build anthropic/claude-sonnet-4-5 openai/gpt-5
  understudy chains set "*" google/gemini-3-flash --global --create
  understudy chains set build --dry-run`;

const removing = (command: Command): Command =>
  addScope(command)
    .option('--dry-run', 'show the exact difference and change nothing')
    .option('--yes', 'do not ask')
    .option('--json', 'answer as JSON');

const writing = (command: Command): Command =>
  addScope(command)
    .option('--create', 'make the file where there is none')
    .option('--dry-run', 'show the exact difference and change nothing')
    .option('--json', 'answer as JSON');

type ExportOptions = JsonOption & Readonly<{ theseus?: boolean }>;

async function exportAll(parts: CliParts, agent: string | undefined, options: ExportOptions): Promise<number> {
  const { directory, env } = parts;
  const chains = await exportedChains(directory, env);
  const wanted = chains.filter((row) => agent === undefined || row.agent === agent);
  const who = agent ?? 'This project';
  if (wanted.length === 0) return refuse(parts, options, `${who} has no chain with a model to fall back to.`);
  if (options.theseus) show(parts, options, theseusConfig(wanted), () => theseusConfigText(wanted).trimEnd());
  else show(parts, options, openCodeConfig(wanted), () => openCodeConfigText(wanted).trimEnd());
  return EXIT.done;
}

type Position = number | 'up' | 'down';

function position(text: string): Position {
  if (text === 'up' || text === 'down') return text;
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError('Expected a position such as 1, or "up" or "down".');
  return Number(text);
}

async function get(parts: CliParts, agent: string | undefined, options: JsonOption): Promise<number> {
  const { chains } = await readConfigured(parts.directory, parts.env);
  const wanted = chains.filter((row) => agent === undefined || row.agent === agent);
  if (agent !== undefined && wanted.length === 0)
    return refuse(
      parts,
      options,
      `${agent} has no chain of its own. Write one: understudy chains set ${asArgument(agent)} provider/model …`,
    );
  const leadOf = await leadsBefore(setupPlace(parts));
  const led = wanted.map((row) => {
    const primary = leadOf(row);
    return primary === null ? row : { ...row, primary };
  });
  showLines(parts, options, led, (rows) => chainsText(rows, parts.hasColour));
  return EXIT.done;
}

type LedChain = ConfiguredChain & Readonly<{ primary?: string }>;

function chainsText(rows: readonly LedChain[], hasColour: boolean): string {
  if (rows.length === 0)
    return 'No chain is set: nothing is protected. "understudy chains propose" shows chains worth having.';
  const paint = painter(hasColour);
  const blocks = rows.map(({ agent, models, path, line, policy, primary }) => {
    const from = path === null ? '' : `${path}${line === null ? '' : `:${line}`}`;
    const before = primary === undefined ? [] : [`${primary}  (primary, not in the list)`];
    const listed = [...before, ...models].map((model, index) => [`${index + 1}`, model]);
    const chain = models.length === 0 ? ['  no fallback'] : table(listed);
    return [`${paint('bold', plain(agent))} (${plain(policy)})  ${paint('dim', plain(from))}`, ...chain].join('\n');
  });
  return blocks.join('\n\n');
}

async function set(
  parts: CliParts,
  wanted: WantedChain & Pick<ChainChange, 'isExact'>,
  options: SetOptions,
): Promise<number> {
  const change: ChainChange = {
    ...wanted,
    scope: fileScope(options),
    create: options.create ?? false,
    actor: 'cli',
  };
  const { directory, env } = parts;
  await warnOf(parts, wanted);
  if (!options.dryRun) return await editAndShow(parts, options, await chainRequest(directory, env, change));
  const planned = await planChain(directory, env, change);
  return planned.ok ? await confirmAndWrite(parts, options, planned.plan) : refuse(parts, options, planned.reason);
}

/** Says on the error output which models OpenCode would not use, and who would lead; the chain is written all the same. */
async function warnOf(parts: CliParts, wanted: WantedChain): Promise<void> {
  const kept = await keptModels(stateHome(parts.env), parts.directory);
  for (const { says, fix } of kept === null ? [] : doubtsOf(wanted.models, kept))
    parts.printError(plain(`Warning: ${says}. ${fix}`));
  await sayLeads(parts, [wanted]);
}

type RemoveOptions = SetOptions & Readonly<{ yes?: boolean }>;

async function remove(parts: CliParts, agent: string, options: RemoveOptions): Promise<number> {
  const { directory, env } = parts;
  const change: ChainChange = {
    agent,
    models: [],
    isRemoval: true,
    create: false,
    scope: fileScope(options),
    actor: 'cli',
  };
  const planned = await planChain(directory, env, change);
  if (!planned.ok) return refuse(parts, options, planned.reason);
  const { by, models } = await remainingWithout({ directory, env, home: stateHome(env) }, agent, planned.plan.path);
  // Whoever reads JSON asks for the chains themselves.
  if (!options.json) parts.printError(plain(remainingPhrase(agent, { by, models: [...models] })));
  return await confirmAndWrite(parts, options, planned.plan);
}

async function move(
  parts: CliParts,
  { agent, model, to }: Readonly<{ agent: string; model: string; to: Position }>,
  options: SetOptions,
): Promise<number> {
  const { chains } = await readConfigured(parts.directory, parts.env);
  const models = chains.find((row) => row.agent === agent)?.models ?? [];
  const at = models.findIndex((written) => written === model || writtenModel(written).model === model);
  if (at < 0) return refuse(parts, options, `${model} is not in the chain of ${agent}.`);
  const lead = (await leadsBefore(setupPlace(parts)))({ agent, models });
  const offset = lead === null ? 0 : 1;
  const target = to === 'up' ? at - 1 : to === 'down' ? at + 1 : to - 1 - offset;
  const last = models.length;
  if (target < 0 && lead !== null)
    return refuse(parts, options, `${lead} is the primary of ${agent}, and not in its list: it stays first.`);
  if (target < 0) return refuse(parts, options, `${model} is the primary of ${agent} already.`);
  if (target >= last)
    return refuse(
      parts,
      options,
      to === 'down'
        ? `${model} is the last of ${agent} already.`
        : `The chain of ${agent} ends at ${last + offset}, not at ${to}.`,
    );
  const [moved = model] = models.slice(at, at + 1);
  return await set(parts, { agent, models: models.toSpliced(at, 1).toSpliced(target, 0, moved) }, options);
}
