import type { ProposedChains, ProposedModel } from '../../contract/proposal';
import { planChain } from '../../node/config/chains';
import { proposeFor } from '../../node/setup/propose';
import { contextPhrase, pricePhrase } from '../../wording/model-words';
import { proposalPhrase, proposalProblemSentence } from '../../wording/proposal-words';
import { asArgument, dayAndMinute, plain, table } from '../../wording/status-text';
import { painter } from '../paint';
import { type CliParts, EXIT, refuse, show, showLines } from '../parts';
import { sayLeads } from './chains';
import { lookAtCore } from './core';
import { fileScope, type ScopeFlags, setupPlace } from './place';
import { confirmAndWrite, type WriteOptions } from './write';

export type SuggestOptions = WriteOptions & ScopeFlags & Readonly<{ apply?: boolean }>;

const APPLY = 'understudy chains suggest --apply';

/** Uses the providers connected in OpenCode; needs neither a running core nor OpenCode. */
export async function suggestChains(parts: CliParts, agent: string | null, options: SuggestOptions): Promise<number> {
  const proposed = await proposalFor(parts, agent);
  if (proposed.proposals.length === 0)
    return refuse(
      parts,
      options,
      proposed.problems.map(proposalProblemSentence).join('\n') || 'There is no suggestion.',
    );
  if (!options.apply) {
    showLines(parts, options, proposed, (answer) => proposalText(answer, agent, parts.hasColour));
    return EXIT.done;
  }
  const [first, ...others] = proposed.proposals
    .filter(({ existing }) => agent !== null || existing === null)
    .map((row) => ({ agent: row.agent, models: row.models.map(({ model }) => model) }));
  if (first === undefined) {
    const hint =
      'Every agent has a chain. Nothing was changed. To replace one, name it: understudy chains suggest build --apply';
    show(parts, options, { ok: true, changed: false }, () => hint);
    return EXIT.done;
  }
  await sayLeads(parts, [first, ...others]);
  const change = { ...first, others, scope: fileScope(options), create: true, actor: 'cli' };
  const planned = await planChain(parts.directory, parts.env, change);
  return planned.ok ? await confirmAndWrite(parts, options, planned.plan) : refuse(parts, options, planned.reason);
}

export async function printSuggestions(parts: CliParts): Promise<void> {
  const proposed = await proposalFor(parts, null);
  const fresh = proposed.proposals.filter(({ existing }) => existing === null);
  if (proposed.listed === null)
    parts.print('Run OpenCode once. Then "understudy chains suggest" suggests a chain for each agent.');
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
    const current = row.existing === null ? '' : `  has ${row.existing.join(' → ') || 'no fallback'}`;
    return [
      `${paint('bold', plain(row.agent))}${paint('dim', plain(current))}`,
      ...table(row.models.map(cellsOf)),
    ].join('\n');
  });
  const accept = `To write ${agent === null ? 'the missing chains' : 'it'}: ${agent === null ? APPLY : `understudy chains suggest ${asArgument(agent)} --apply`}`;
  return [from, ...blocks, ...problems.map(proposalProblemSentence).map(plain), accept].join('\n\n');
}

function cellsOf({ model, code, abilities }: ProposedModel, at: number): string[] {
  const context = abilities.context === null ? '' : contextPhrase(abilities.context);
  return [`${at + 1}`, model, context, pricePhrase(abilities) ?? '', proposalPhrase(code)];
}
