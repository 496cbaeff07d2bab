import { BUILT_IN_AGENTS, INTERNAL_AGENTS } from '../../contract/opencode-agents';
import type { ProposedChains } from '../../contract/proposal';
import type { Snapshot } from '../../contract/snapshot';
import { keepsToVendor, mergedConfig } from '../../core/config';
import { type Chainless, proposeChains } from '../../core/providers/propose';
import { allKept, type CommonLeads, type KeptModels } from '../base/kept-models';
import { type ConfiguredChain, readConfigured } from '../config/chains';
import { configPaths } from '../config/config-files';
import { loadConfig } from '../config/config-reader';
import type { SetupPlace } from './install';

const EVERY_OTHER = '*';

/**
 * @param snapshot has the models that agents use without a configured one.
 * @param only null for all agents that need a chain.
 */
export async function proposeFor(
  place: SetupPlace,
  snapshot: Snapshot | null,
  only: string | null = null,
): Promise<ProposedChains> {
  const { directory, env, home } = place;
  const all = await allKept(home);
  const here = directory === null ? null : all.in(directory);
  const stored = here ?? all.latest();
  if (stored === null)
    return { listed: null, proposals: [], problems: [{ code: 'models.unlisted', agent: null, model: null }] };
  const [{ chains }, { sources }] = await Promise.all([
    readConfigured(directory, env),
    loadConfig(configPaths(directory, env)),
  ]);
  const merged = mergedConfig(sources);
  // Without a directory, the primaries are those that all projects share.
  const own: CommonLeads | null = directory === null ? all.commonLeads() : here && { ...here, differing: new Set() };
  const leadOf = leads(own, stored, seenLeads(snapshot, directory));
  const names = only === null ? agentsOf(own, chains) : [only];
  const agents = names.map(
    (agent): Chainless => ({
      agent,
      lead: leadOf(agent),
      existing: chains.find((row) => row.agent === agent)?.models ?? null,
      isOneVendor: keepsToVendor(merged, agent),
    }),
  );
  const { proposals, problems } = proposeChains(stored, agents);
  return {
    listed: { at: stored.at, directory: stored.directory },
    proposals: proposals.map(({ agent, lead, models, existing }) => ({
      agent,
      lead,
      models: [...models],
      existing: existing && [...existing],
    })),
    problems: [...problems],
  };
}

/** If `*` has a chain, no other agent needs one. */
export function agentsOf(
  own: Pick<CommonLeads, 'leads'> | null,
  chains: readonly ConfiguredChain[],
): readonly string[] {
  const written = chains.map(({ agent }) => agent);
  if (written.includes(EVERY_OTHER)) return written;
  const led = Object.entries(own?.leads ?? {}).flatMap(([agent, lead]) => (lead === null ? [] : [agent]));
  const named = [...led.toSorted((one, other) => one.localeCompare(other, 'en')), ...written];
  const all = new Set([...BUILT_IN_AGENTS, ...named.filter((agent) => !INTERNAL_AGENTS.has(agent))]);
  return [...all, EVERY_OTHER];
}

/** Null if projects differ. */
function leads(
  own: CommonLeads | null,
  stored: KeptModels,
  seen: ReadonlyMap<string, string>,
): (agent: string) => string | null {
  const configured = new Map(Object.entries(own?.leads ?? {}));
  const { defaultModel } = own ?? stored;
  // With different defaults, a model used in one project does not apply to others.
  const isOneDefault = own === null || own.defaultModel !== null || stored.defaultModel === null;
  const usual = (agent: string): string | null => (isOneDefault ? (seen.get(agent) ?? defaultModel) : null);
  return (agent) => (own?.differing.has(agent) ? null : (configured.get(agent) ?? usual(agent)));
}

function seenLeads(snapshot: Snapshot | null, directory: string | null): ReadonlyMap<string, string> {
  const sessions = (snapshot?.sessions ?? []).filter((row) => directory === null || row.directory === directory);
  const oldestFirst = sessions.toSorted((one, other) => one.at - other.at);
  return new Map(oldestFirst.flatMap(({ agents }) => agents.map(({ agent, lead }) => [agent, lead] as const)));
}
