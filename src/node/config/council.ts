import type { ConfigChange } from '../../contract/config';
import {
  type ConfigSources,
  isCouncil,
  lockBeside,
  mergedConfig,
  NO_HOST,
  otherVendors,
  resolveScope,
} from '../../core/config';
import { ownValue } from '../../engine/tools';
import { type KeptModels, keptModels, latestModels } from '../base/kept-models';
import type { Environment } from '../base/state-home';
import { configPaths } from './config-files';
import { loadConfig } from './config-reader';

type Place = Readonly<{ directory: string | null; env: Environment; home: string }>;

/** `isSaid`: the files allow it explicitly. */
export type LeavingCouncil = Readonly<{ agent: string; others: readonly string[]; isSaid: boolean }>;

export async function leavingCouncils(
  { directory, env }: Pick<Place, 'directory' | 'env'>,
  stored: KeptModels | null,
  agents: readonly string[],
): Promise<readonly LeavingCouncil[]> {
  const { sources } = await loadConfig(configPaths(directory, env));
  const merged = mergedConfig(sources);
  const lock = merged.defaults?.vendorLock;
  if (lock === true) return [];
  const { config, sources: from } = resolveScope(sources, stored ?? NO_HOST);
  return agents.flatMap((agent) => {
    const others = otherVendors(config, agent);
    if (others.length === 0 || !isCouncil(merged, ownValue(from.agents, agent)?.policy ?? '')) return [];
    return [{ agent, others, isSaid: lock === false }];
  });
}

/** New agents under `council` keep to one vendor; existing ones are unchanged. */
export async function withLock(place: Place, changes: readonly ConfigChange[]): Promise<ConfigChange[]> {
  const { sources } = await loadConfig(configPaths(place.directory, place.env));
  const set = changes.filter((change) => change.type === 'set');
  const lock = await lockBeside(mergedConfig(sources), set, () => leavesVendor(place, sources));
  return lock === null ? [...changes] : [...changes, { type: 'set', ...lock }];
}

async function leavesVendor({ directory, home }: Place, sources: ConfigSources): Promise<boolean> {
  const stored = (directory && (await keptModels(home, directory))) || (await latestModels(home));
  const { config } = resolveScope(sources, stored ?? NO_HOST);
  const agents = Object.keys(config.agents);
  if (stored !== null) return agents.some((agent) => otherVendors(config, agent).length > 0);
  // Without OpenCode's list, any model may be of another vendor.
  return config.backupModel !== null || agents.some((agent) => ownValue(config.agents, agent)?.chain.length !== 0);
}
