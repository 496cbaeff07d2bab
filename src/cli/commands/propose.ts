import type { Command } from 'commander';
import type { ProposedChains, ProposedModel } from '../../contract/proposal';
import { planChain } from '../../node/config/chains';
import { proposeFor } from '../../node/setup/propose';
import { contextPhrase, pricePhrase } from '../../wording/model-words';
import { proposalPhrase, proposalProblemSentence } from '../../wording/proposal-words';
import { asArgument, dayAndMinute, plain, table } from '../../wording/status-text';
import { painter } from '../paint';
import { type CliParts, EXIT, refuse, show, showLines } from '../parts';
import { lookAtCore } from './core';
import { sayLeads } from './leads';
import { addScope, fileScope, type ScopeFlags, setupPlace } from './place';
import { confirmAndWrite, type WriteOptions } from './write';

type Finish = (code: number) => void;
type Flags = WriteOptions & ScopeFlags & Readonly<{ apply?: boolean }>;

const APPLY = 'understudy chains propose --apply';

/** Adds the command that proposes first chains; it needs neither a running core nor OpenCode. */
export function addPropose(chains: Command, parts: CliParts, finish: Finish): void {
  addScope(chains.command('propose'))
    .description('propose a chain for each agent, from the providers you have connected in OpenCode')
    .argument('[agent]')
    .option('--apply', 'write the proposal: that of the agent, else of every agent without a chain')
    .option('--dry-run', 'show the exact difference and change nothing')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'answer as JSON; asks nothing')
    .addHelpText('after', EXAMPLES)
    .action(async (agent: string | undefined, options: Flags) => finish(await propose(parts, agent ?? null, options)));
}

const EXAMPLES = `
Goes by the models OpenCode listed when it ran here last, and works while it is closed.

Examples:
  understudy chains propose
  understudy chains propose build --apply
  understudy chains propose --apply --dry-run`;

async function propose(parts: CliParts, agent: string | null, options: Flags): Promise<number> {
  const proposed = await proposalFor(parts, agent);
  if (proposed.proposals.length === 0)
    return refuse(parts, options, proposed.problems.map(proposalProblemSentence).join('\n') || 'Nothing to propose.');
  if (!options.apply) {
    showLines(parts, options, proposed, (answer) => proposalText(answer, agent, parts.hasColour));
    return EXIT.done;
  }
  const [first, ...others] = proposed.proposals
    .filter(({ existing }) => agent !== null || existing === null)
    .map((row) => ({ agent: row.agent, models: row.models.map(({ model }) => model) }));
  if (first === undefined) {
    const hint =
      'Every agent has a chain. Nothing was changed. To replace one, name it: understudy chains propose build --apply';
    show(parts, options, { ok: true, changed: false }, () => hint);
    return EXIT.done;
  }
  await sayLeads(parts, [first, ...others]);
  const change = { ...first, others, scope: fileScope(options), create: true, actor: 'cli' };
  const planned = await planChain(parts.directory, parts.env, change);
  return planned.ok ? await confirmAndWrite(parts, options, planned.plan) : refuse(parts, options, planned.reason);
}

/** Says what may be written, and how, where agents have no chain yet. */
export async function sayProposal(parts: CliParts): Promise<void> {
  const proposed = await proposalFor(parts, null);
  const fresh = proposed.proposals.filter(({ existing }) => existing === null);
  if (proposed.listed === null)
    parts.print('Once OpenCode has run with it, "understudy chains propose" proposes a chain for each agent.');
  else if (fresh.length > 0) parts.print(`\n${proposalText({ ...proposed, proposals: fresh }, null, parts.hasColour)}`);
}

async function proposalFor(parts: CliParts, agent: string | null): Promise<ProposedChains> {
  const core = await lookAtCore(parts);
  return await proposeFor(setupPlace(parts), core !== null && 'problem' in core ? null : core, agent);
}

function proposalText(
  { listed, proposals, problems }: ProposedChains,
  agent: string | null,
  hasColour: boolean,
): string {
  const paint = painter(hasColour);
  const from =
    listed === null ? '' : `From the models OpenCode listed in ${listed.directory}, ${dayAndMinute(listed.at)}.`;
  const blocks = proposals.map((row) => {
    const has = row.existing === null ? '' : `  has ${row.existing.join(' → ') || 'no fallback'}`;
    return [`${paint('bold', plain(row.agent))}${paint('dim', plain(has))}`, ...table(row.models.map(cellsOf))].join(
      '\n',
    );
  });
  const accept = `To write ${agent === null ? 'what has no chain yet' : 'it'}: ${agent === null ? APPLY : `understudy chains propose ${asArgument(agent)} --apply`}`;
  return [from, ...blocks, ...problems.map(proposalProblemSentence).map(plain), accept].join('\n\n');
}

function cellsOf({ model, code, abilities }: ProposedModel, at: number): string[] {
  const context = abilities.context === null ? '' : contextPhrase(abilities.context);
  return [`${at + 1}`, model, context, pricePhrase(abilities) ?? '', proposalPhrase(code)];
}
