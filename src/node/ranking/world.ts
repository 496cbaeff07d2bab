import { keepsToVendor, mergedConfig } from '../../core/config';
import { DEFAULTS } from '../../core/config/schema';
import type { RankingWorld } from '../../core/ports/ranking';
import { keptModels, latestModels } from '../base/kept-models';
import { readConfigured } from '../config/chains';
import { configPaths } from '../config/config-files';
import { loadConfig } from '../config/config-reader';
import type { SetupPlace } from '../setup/install';
import { agentsOf } from '../setup/propose';

const NO_OFFERS: RankingWorld['offers'] = { models: [], catalogue: {} };

/** What there is to rank for an agent: the models OpenCode listed in a directory last, else anywhere, and the chain as it is written. */
export async function rankingWorld({ directory, env, home }: SetupPlace, agent: string): Promise<RankingWorld> {
  const own = directory === null ? null : await keptModels(home, directory);
  const kept = own ?? (await latestModels(home));
  const [{ chains }, { sources }] = await Promise.all([
    readConfigured(directory, env),
    loadConfig(configPaths(directory, env)),
  ]);
  const merged = mergedConfig(sources);
  const written = chains.find((row) => row.agent === agent)?.models;
  const leads = new Map(Object.entries(own?.leads ?? {}));
  const lead = leads.get(agent) ?? kept?.defaultModel ?? null;
  return {
    listed: kept && { at: kept.at, directory: kept.directory },
    offers: kept ?? NO_OFFERS,
    agents: agentsOf(own, chains),
    present: written ?? (lead === null ? [] : [lead]),
    isOneVendor: keepsToVendor(merged, agent),
    maxPriceRatio: merged.defaults?.maxPriceRatio ?? DEFAULTS.maxPriceRatio,
    depth: merged.defaults?.maxFallbackDepth ?? DEFAULTS.maxFallbackDepth,
  };
}
