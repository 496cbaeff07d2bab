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

/** A directory, or null for the user alone, and the state home that keeps what OpenCode listed. */
type Place = Readonly<{ directory: string | null; env: Environment; home: string }>;

/** An agent under `council` whose chain leaves its lead's vendor, and whether the files say that it shall. */
export type LeavingCouncil = Readonly<{ agent: string; others: readonly string[]; isSaid: boolean }>;

/** The agents, of those named, that are under `council` and may be taken over by another vendor's model. */
export async function leavingCouncils(
  { directory, env }: Pick<Place, 'directory' | 'env'>,
  kept: KeptModels | null,
  agents: readonly string[],
): Promise<readonly LeavingCouncil[]> {
  const { sources } = await loadConfig(configPaths(directory, env));
  const merged = mergedConfig(sources);
  const lock = merged.defaults?.vendorLock;
  if (lock === true) return [];
  const { config, sources: from } = resolveScope(sources, kept ?? NO_HOST);
  return agents.flatMap((agent) => {
    const others = otherVendors(config, agent);
    if (others.length === 0 || !isCouncil(merged, ownValue(from.agents, agent)?.policy ?? '')) return [];
    return [{ agent, others, isSaid: lock === false }];
  });
}

/** The changes, with `vendorLock` where they bring the first `council`: what is in force goes on, and what is new keeps to a vendor. */
export async function withLock(place: Place, changes: readonly ConfigChange[]): Promise<ConfigChange[]> {
  const { sources } = await loadConfig(configPaths(place.directory, place.env));
  const set = changes.filter((change) => change.type === 'set');
  const lock = await lockBeside(mergedConfig(sources), set, () => leavesVendor(place, sources));
  return lock === null ? [...changes] : [...changes, { type: 'set', ...lock }];
}

/** Whether anybody of another vendor than a lead's may take over, or may as far as is known. */
async function leavesVendor({ directory, home }: Place, sources: ConfigSources): Promise<boolean> {
  const kept = (directory && (await keptModels(home, directory))) || (await latestModels(home));
  const { config } = resolveScope(sources, kept ?? NO_HOST);
  const agents = Object.keys(config.agents);
  if (kept !== null) return agents.some((agent) => otherVendors(config, agent).length > 0);
  // Whose the lead is nobody knows without OpenCode's word: then anybody may be of another vendor.
  return config.backupModel !== null || agents.some((agent) => ownValue(config.agents, agent)?.chain.length !== 0);
}
