import type { Offers } from '../../core/base/offers';
import type { EffectiveValue } from '../../core/config';
import { accountOf } from '../../core/providers/accounts';
import { doubtsOf } from '../../core/providers/model-doubts';
import { ownValue } from '../../engine/tools';
import { leadChangeSentence, priceRatio } from '../../wording/chain-words';
import { asArgument, dayAndMinute } from '../../wording/status-text';
import type { KeptModels } from '../base/kept-models';
import { type Configured, type ConfiguredChain, effectiveChains } from '../config/chains';
import { type LeavingCouncil, leavingCouncils } from '../config/council';
import { leadAgainst } from '../config/leads';
import { type Finding, fail, ok, warn } from './finding';
import type { SetupPlace } from './install';

/** Null if OpenCode was not called. */
export type AskedModels = readonly string[] | 'silent' | null;
type ModelLists = Readonly<{ kept: KeptModels | null; asked: AskedModels }>;

const BACKUP = 'defaults.backupModel';

export async function ofChains(
  { directory, env }: SetupPlace,
  { chains, values }: Pick<Configured, 'chains' | 'values'>,
  lists: ModelLists,
): Promise<Finding[]> {
  const off = values.find(({ key, value }) => key === 'enabled' && value === false);
  if (off !== undefined) return [ofOff(off)];
  if (chains.every(({ models }) => models.length === 0))
    return [
      fail(
        'chains.set',
        'No chain is set: nothing is protected.',
        `${lists.kept === null ? 'start OpenCode once, then ' : ''}understudy chains suggest --apply, or understudy chains set build provider/model … --create`,
      ),
    ];
  const { kept: stored } = lists;
  const effective = stored === null ? {} : await effectiveChains(directory, env, stored);
  const agents = chains.map(({ agent }) => agent);
  const councils = await leavingCouncils({ directory, env }, stored, agents);
  const isLed = ({ agent, currentModel }: ConfiguredChain): boolean =>
    (ownValue(stored?.leads, agent) ?? currentModel ?? stored?.defaultModel ?? null) !== null;
  return [
    ...chains.map((row) => ofChain(row, ownValue(effective, row.agent) ?? row.models, isLed(row))),
    ...chains.flatMap((row) => [
      ...ofNamed(row, ownValue(stored?.leads, row.agent) ?? null),
      ...ofLead(row, stored, ownValue(effective, row.agent) ?? []),
    ]),
    ...councils.map(ofCouncil),
    ...(directory === null ? [] : ofModels({ chains, values }, lists)),
  ];
}

/** @param whole the effective chain; `isLed`: with a certain primary. */
function ofChain({ agent, models, path, line }: ConfiguredChain, whole: readonly string[], isLed: boolean): Finding {
  const propose = `understudy chains suggest ${asArgument(agent)}`;
  const says = `${agent}: ${whole.join(' → ') || 'no fallback'}${lineIn(path, line)}`;
  if (isLed && models.length > 0 && whole.length < 2)
    return fail('chains.alone', `${says}. The chain has no fallback model.`, propose);
  const accounts = new Set(whole.map(accountOf));
  if (whole.length < 2 || accounts.size > 1) return ok('chains.set', says);
  const fate = `${says}. Shared fate: all ${whole.length} models use ${[...accounts][0]}.`;
  return warn('chains.shared_fate', fate, `Add a model of another provider: ${propose}`);
}

/** OpenCode's primary takes precedence. */
function ofNamed({ agent, currentModel }: ConfiguredChain, lead: string | null): Finding[] {
  if (currentModel === undefined || lead === null || lead === currentModel.value) return [];
  const { value, path, line } = currentModel;
  const says = `${agent} uses ${lead} from OpenCode’s configuration; currentModel ${value}${lineIn(path, line)} is ignored.`;
  return [
    warn('chains.lead', says, 'Set the agent’s model in OpenCode and currentModel to the same model, or remove one.'),
  ];
}

function ofCouncil({ agent, others, isSaid }: LeavingCouncil): Finding {
  const says = `${agent} asks you first (council), and its chain has models of other vendors than its primary’s: ${others.join(', ')}.`;
  if (isSaid) return ok('chains.vendor', `${says} vendorLock is false.`);
  return warn(
    'chains.vendor',
    `${says} The configuration does not decide whether they may take over: new chains under council keep to one vendor.`,
    'Set "vendorLock" under "defaults": true keeps to the primary’s vendor, false keeps the current behaviour.',
  );
}

function ofOff({ path, line }: EffectiveValue): Finding {
  const says = `Understudy is disabled here${path === null ? '' : ` by ${path}${line === null ? '' : `:${line}`}`}: it moves no turn and protects nothing.`;
  return fail('chains.off', says, 'Remove "enabled": false there, or set it to true.');
}

const lineIn = (path: string | null, line: number | null): string =>
  path === null ? '' : ` (${path}${line === null ? '' : `:${line}`})`;

/** A more expensive primary is a surprise. */
function ofLead(row: ConfiguredChain, stored: KeptModels | null, inForce: readonly string[]): Finding[] {
  const { agent, path, line, currentModel: named } = row;
  const change = leadAgainst(stored, row, inForce);
  if (change === null) return [];
  const { from: usual, to } = change;
  const isNamed = named?.value === to.model;
  const says = isNamed
    ? `${leadChangeSentence(change)} This project’s currentModel sets it${lineIn(named.path, named.line)}.`
    : `${leadChangeSentence(change)}${path === null ? '' : ` Its own chain sets it${lineIn(path, line)}.`}`;
  const fix = isNamed
    ? 'To use OpenCode’s own model first, remove currentModel there, or set one in your own file and a limit such as maxPriceRatio.'
    : `To use OpenCode’s own model first: understudy chains move ${asArgument(agent)} ${usual.model} 1`;
  return [priceRatio(usual.abilities, to.abilities) > 1 ? warn('chains.lead', says, fix) : ok('chains.lead', says)];
}

function ofModels(
  { chains, values }: Pick<Configured, 'chains' | 'values'>,
  { kept: stored, asked: requested }: ModelLists,
): Finding[] {
  const isFresh = requested !== null && requested !== 'silent';
  const offers = isFresh ? { ...accountsIn(stored), models: requested, catalogue: {} } : stored;
  if (offers === null)
    return requested === 'silent'
      ? [warn('chains.models', 'OpenCode does not list its models.', 'Run "opencode models".')]
      : [];
  const when = isFresh || stored === null ? '' : ` (as listed ${dayAndMinute(stored.at)})`;
  const doubts = namedIn(chains, values, stored).flatMap(({ by, models }) =>
    doubtsOf(models, offers).map(({ says, fix }) => warn('chains.models', `${by}: ${says}${when}.`, fix)),
  );
  return doubts.length > 0 ? doubts : [ok('chains.models', `OpenCode has every model of the chains${when}.`)];
}

const accountsIn = (stored: KeptModels | null): Pick<Offers, 'accounts' | 'tellsAccounts'> => ({
  ...(stored?.accounts === undefined ? {} : { accounts: stored.accounts }),
  tellsAccounts: stored?.tellsAccounts === true,
});

function namedIn(
  chains: readonly ConfiguredChain[],
  values: readonly EffectiveValue[],
  stored: KeptModels | null,
): readonly Readonly<{ by: string; models: readonly string[] }>[] {
  const spare = values.find(({ key }) => key === BACKUP)?.value;
  return [
    ...chains.map(({ agent, models, currentModel }) => {
      const named = (ownValue(stored?.leads, agent) ?? null) === null ? currentModel?.value : undefined;
      return { by: agent, models: typeof named === 'string' ? [...new Set([named, ...models])] : models };
    }),
    ...(typeof spare === 'string' ? [{ by: BACKUP, models: [spare] }] : []),
  ];
}
