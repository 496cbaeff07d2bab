import { keepsToVendor, mergedConfig } from '../../../core/config';
import { isGlob, matchesGlob } from '../../../core/config/glob';
import { DEFAULTS, MAX_CHAIN, ModelName } from '../../../core/config/schema';
import { keptModels, latestModels } from '../../../node/base/kept-models';
import { type ConfiguredChain, readConfigured } from '../../../node/config/chains';
import { configPaths } from '../../../node/config/config-files';
import { loadConfig } from '../../../node/config/config-reader';
import type { SetupPlace } from '../../../node/setup/install';
import { agentsOf } from '../../../node/setup/propose';
import type { RankingWorld } from '../core/port';

const NO_OFFERS: RankingWorld['offers'] = { models: [], catalogue: {} };
const EVERY_OTHER = '*';
/** Limit of names in our files. */
const AGENT_MAX_CHARS = 100;

/** Uses OpenCode's latest list in the directory, else of any directory. */
export async function rankingWorld({ directory, env, home }: SetupPlace, agent: string): Promise<RankingWorld> {
  const own = directory === null ? null : await keptModels(home, directory);
  const stored = own ?? (await latestModels(home));
  const [{ chains }, { sources }] = await Promise.all([
    readConfigured(directory, env),
    loadConfig(configPaths(directory, env)),
  ]);
  const merged = mergedConfig(sources);
  const leads = new Map(Object.entries(own?.leads ?? {}));
  const configured = leads.get(agent) ?? stored?.defaultModel ?? null;
  const lead = configured !== null && isWritable(configured) ? configured : null;
  return {
    listed: stored && { at: stored.at, directory: stored.directory },
    offers: stored ? { ...stored, models: stored.models.filter(isWritable) } : NO_OFFERS,
    agents: agentsOf(own, chains).filter(({ length }) => length > 0 && length <= AGENT_MAX_CHARS),
    present: presentOf(chains, agent, lead),
    lead: agent === EVERY_OTHER ? null : lead,
    written: ownChain(chains, agent)?.models ?? [],
    isOneVendor: keepsToVendor(merged, agent),
    maxPriceRatio: merged.defaults?.maxPriceRatio ?? DEFAULTS.maxPriceRatio,
    depth: merged.defaults?.maxFallbackDepth ?? MAX_CHAIN,
  };
}

/** Projects supply names: one that a chain cannot contain could never be written. */
const isWritable = (model: string): boolean => ModelName.safeParse(model).success;

const ownChain = (chains: readonly ConfiguredChain[], agent: string): ConfiguredChain | undefined =>
  chains.find((row) => row.agent === agent && (row.chain === 'own' || agent === EVERY_OTHER));

function presentOf(chains: readonly ConfiguredChain[], agent: string, lead: string | null): readonly string[] {
  const own = ownChain(chains, agent);
  const listed = (own ?? ownChain(chains, EVERY_OTHER))?.models ?? [];
  if (lead === null || (agent === EVERY_OTHER && listed.length > 0)) return listed;
  const isPlaced = listed.some((entry) => entry === lead || (isGlob(entry) && matchesGlob(entry, lead)));
  return own !== undefined && isPlaced ? listed : [...new Set([lead, ...listed])];
}
