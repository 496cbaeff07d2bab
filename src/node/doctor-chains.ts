import { asArgument, dayAndMinute } from '../contract/status-text';
import { accountOf } from '../core/accounts';
import { doubtsOf } from '../core/model-doubts';
import { type ConfiguredChain, effectiveChains } from './chains';
import { type Finding, fail, ok, warn } from './finding';
import type { SetupPlace } from './install';
import type { KeptModels } from './kept-models';

/** What OpenCode said when it was asked for its models; null when it was not asked. */
export type Asked = readonly string[] | 'silent' | null;
/** The models there are, as OpenCode listed them last and just now. */
type Known = Readonly<{ kept: KeptModels | null; asked: Asked }>;

/** What can be said of the chains: whether there are any, what they come to, and whether one failure takes all of one. */
export async function ofChains(
  { directory, env }: SetupPlace,
  chains: readonly ConfiguredChain[],
  known: Known,
): Promise<Finding[]> {
  if (chains.every(({ models }) => models.length === 0))
    return [
      fail(
        'chains.set',
        'No chain is set: nothing is protected.',
        'understudy chains propose --apply, or understudy chains set build provider/model … --create',
      ),
    ];
  const { kept } = known;
  const effective = kept === null ? {} : await effectiveChains(directory, env, kept);
  const isLed = (agent: string): boolean => (kept?.leads[agent] ?? kept?.defaultModel ?? null) !== null;
  return [
    ...chains.map((row) => ofChain(row, effective[row.agent] ?? row.models, isLed(row.agent))),
    ...(directory === null ? [] : ofModels(chains, known)),
  ];
}

/** @param whole the chain with its lead, where `isLed` that is known, and without what OpenCode does not have. */
function ofChain({ agent, models, path, line }: ConfiguredChain, whole: readonly string[], isLed: boolean): Finding {
  const from = path === null ? '' : ` (${path}${line === null ? '' : `:${line}`})`;
  const propose = `understudy chains propose ${asArgument(agent)}`;
  const says = `${agent}: ${whole.join(' → ') || 'no fallback'}${from}`;
  if (isLed && models.length > 0 && whole.length < 2)
    return fail('chains.alone', `${says}. Nobody takes over: that is all of its chain.`, propose);
  const accounts = new Set(whole.map(accountOf));
  if (whole.length < 2 || accounts.size > 1) return ok('chains.set', says);
  const fate = `${says}. Shared fate: all ${whole.length} are ${[...accounts][0]}’s.`;
  return warn('chains.shared_fate', fate, `Add a model of another provider: ${propose}`);
}

function ofModels(chains: readonly ConfiguredChain[], { kept, asked }: Known): Finding[] {
  const isFresh = asked !== null && asked !== 'silent';
  const offers = isFresh ? { models: asked, catalogue: {} } : kept;
  if (offers === null)
    return asked === 'silent'
      ? [warn('chains.models', 'OpenCode does not list its models.', 'Run "opencode models".')]
      : [];
  const when = isFresh || kept === null ? '' : ` (as listed ${dayAndMinute(kept.at)})`;
  const doubts = chains.flatMap(({ agent, models }) =>
    doubtsOf(models, offers).map(({ says, fix }) => warn('chains.models', `${agent}: ${says}${when}.`, fix)),
  );
  return doubts.length > 0 ? doubts : [ok('chains.models', `OpenCode has every model of the chains${when}.`)];
}
