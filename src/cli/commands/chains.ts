import { type Command, InvalidArgumentError, Option } from 'commander';
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
import { leadChanges, leadsBefore, remainingWithout } from '../../node/config/leads';
import { leadChangeSentence, remainingPhrase } from '../../wording/chain-words';
import { asArgument, plain, table } from '../../wording/status-text';
import { asking, command } from '../command';
import { painter } from '../paint';
import { type CliParts, EXIT, type Finish, type JsonOption, refuse, show, showLines } from '../parts';
import { addScope, fileScope, type ScopeFlags, setupPlace } from './place';
import { confirmAndWrite, editAndShow } from './write';

type SetOptions = JsonOption & ScopeFlags & Readonly<{ create?: boolean; dryRun?: boolean }>;
/** They need no running core. */
export function addChains(chains: Command, parts: CliParts, finish: Finish): void {
  command(chains, 'get [agent]', 'show the chain of each agent, with its file and line', { isDefault: true })
    .addOption(
      new Option(
        '--format <format>',
        'print chains as OpenCode issue 7602 or oh-my-opencode-theseus.json has them',
      ).choices(['opencode', 'theseus']),
    )
    .action(async (agent: string | undefined, options: GetOptions) =>
      finish(await (options.format ? exportAll : get)(parts, agent, options)),
    );
  writing(command(chains, 'set <agent>', 'write the chain of an agent; "*" is the default chain'))
    .argument('[models...]', 'in order, as "provider/model" or "provider/model#variant"; none: no fallback')
    .addHelpText('after', SET_EXAMPLES)
    .action(async (agent: string, models: string[], options: SetOptions) =>
      finish(await set(parts, { agent, models, isExact: true }, options)),
    );
  writing(command(chains, 'move <agent> <model>', 'move a model within the chain of an agent'))
    .argument('<position>', '1 is the primary; or "up" or "down"', position)
    .addHelpText('after', '\nExample:\n  understudy chains move build openai/gpt-5 1')
    .action(async (agent: string, model: string, to: Position, options: SetOptions) =>
      finish(await move(parts, { agent, model, to }, options)),
    );
  addScope(asking(chains, 'remove <agent>', 'remove the chain of an agent; the default chain then applies, if any'))
    .addHelpText('after', '\nExample:\n  understudy chains remove review --dry-run')
    .action(async (agent: string, options: RemoveOptions) => finish(await remove(parts, agent, options)));
}

const SET_EXAMPLES = `
Examples:
  understudy chains set build anthropic/claude-sonnet-4-5 openai/gpt-5
  understudy chains set "*" google/gemini-3-flash --global --create
  understudy chains set build --dry-run`;

const writing = (to: Command): Command =>
  addScope(to)
    .option('--create', 'create the file if it is missing')
    .option('--dry-run', 'show the exact difference and change nothing');

type GetOptions = JsonOption & Readonly<{ format?: 'opencode' | 'theseus' }>;

async function exportAll(parts: CliParts, agent: string | undefined, options: GetOptions): Promise<number> {
  const { directory, env } = parts;
  const chains = await exportedChains(directory, env);
  const wanted = chains.filter((row) => agent === undefined || row.agent === agent);
  if (wanted.length === 0)
    return refuse(parts, options, `${agent ?? 'This project'} has no chain with a fallback model.`);
  if (options.format === 'theseus')
    show(parts, options, theseusConfig(wanted), () => theseusConfigText(wanted).trimEnd());
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
    return 'No chain is set: no agent is protected. Run "understudy chains suggest" for a suggestion.';
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
  await warn(parts, wanted);
  if (!options.dryRun) return await editAndShow(parts, options, await chainRequest(directory, env, change));
  const planned = await planChain(directory, env, change);
  return planned.ok ? await confirmAndWrite(parts, options, planned.plan) : refuse(parts, options, planned.reason);
}

async function warn(parts: CliParts, wanted: WantedChain): Promise<void> {
  const listed = await keptModels(stateHome(parts.env), parts.directory);
  for (const { says, fix } of listed === null ? [] : doubtsOf(wanted.models, listed))
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

export async function sayLeads(parts: CliParts, chains: readonly WantedChain[]): Promise<void> {
  for (const change of await leadChanges(setupPlace(parts), chains))
    parts.printError(plain(`New primary. ${leadChangeSentence(change)}`));
}
