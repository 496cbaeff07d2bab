import type { ProposedChains, Snapshot } from '../../contract';
import { BUILT_IN_AGENTS, INTERNAL_AGENTS } from '../../contract/opencode-agents';
import { keepsToVendor, mergedConfig } from '../../core/config';
import { type Chainless, proposeChains } from '../../core/providers/propose';
import { type KeptModels, keptModels, latestModels } from '../base/kept-models';
import { type ConfiguredChain, readConfigured } from '../config/chains';
import { configPaths } from '../config/config-files';
import { loadConfig } from '../config/config-reader';
import type { SetupPlace } from './install';

const EVERY_OTHER = '*';

/**
 * Proposes first chains for a directory, of the models OpenCode listed there last, else of those it listed last anywhere.
 *
 * @param snapshot what the running core knows: which models agents use that are configured with none; null when none runs.
 * @param only the one agent to propose a chain for; null for all that want one.
 */
export async function proposeFor(
  place: SetupPlace,
  snapshot: Snapshot | null,
  only: string | null = null,
): Promise<ProposedChains> {
  const { directory, env, home } = place;
  const own = directory === null ? null : await keptModels(home, directory);
  const kept = own ?? (await latestModels(home));
  if (kept === null)
    return { listed: null, proposals: [], problems: [{ code: 'models.unlisted', agent: null, model: null }] };
  const [{ chains }, { sources }] = await Promise.all([
    readConfigured(directory, env),
    loadConfig(configPaths(directory, env)),
  ]);
  const merged = mergedConfig(sources);
  const leadOf = leads(own, kept, seenLeads(snapshot, directory));
  const names = only === null ? agentsOf(own, chains) : [only];
  const agents = names.map(
    (agent): Chainless => ({
      agent,
      lead: leadOf(agent),
      existing: chains.find((row) => row.agent === agent)?.models ?? null,
      isOneVendor: keepsToVendor(merged, agent),
    }),
  );
  const { proposals, problems } = proposeChains(kept, agents);
  return {
    listed: { at: kept.at, directory: kept.directory },
    proposals: proposals.map(({ agent, lead, models, existing }) => ({
      ...{ agent, lead, models: [...models] },
      existing: existing && [...existing],
    })),
    problems: [...problems],
  };
}

/**
 * Who wants a chain: the built-in agents, who has a model or a chain of their own, and `*` for all others. Where `*` has
 * one, nobody else needs another.
 */
export function agentsOf(own: KeptModels | null, chains: readonly ConfiguredChain[]): readonly string[] {
  const written = chains.map(({ agent }) => agent);
  if (written.includes(EVERY_OTHER)) return written;
  const led = Object.entries(own?.leads ?? {}).flatMap(([agent, lead]) => (lead === null ? [] : [agent]));
  const named = [...led.toSorted((one, other) => one.localeCompare(other, 'en')), ...written];
  const all = new Set([...BUILT_IN_AGENTS, ...named.filter((agent) => !INTERNAL_AGENTS.has(agent))]);
  return [...all, EVERY_OTHER];
}

/** The model an agent uses: the one it is configured with, else the one it was last seen with, else the default. */
function leads(
  own: KeptModels | null,
  kept: KeptModels,
  seen: ReadonlyMap<string, string>,
): (agent: string) => string | null {
  const configured = new Map(Object.entries(own?.leads ?? {}));
  return (agent) => configured.get(agent) ?? seen.get(agent) ?? kept.defaultModel;
}

/** What agents last began their turns with in a directory; anywhere without one. */
function seenLeads(snapshot: Snapshot | null, directory: string | null): ReadonlyMap<string, string> {
  const sessions = (snapshot?.sessions ?? []).filter((row) => directory === null || row.directory === directory);
  const oldestFirst = sessions.toSorted((one, other) => one.at - other.at);
  return new Map(oldestFirst.flatMap(({ agents }) => agents.map(({ agent, lead }) => [agent, lead] as const)));
}
