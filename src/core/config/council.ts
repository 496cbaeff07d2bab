import type { ModelId, ScopeConfig } from '../../engine';
import { PRESETS, vendorOf } from '../../engine/tools';
import { mergeObjects } from './merge';
import type { ConfigFile } from './schema';
import { ownOf } from './tighten';

const COUNCIL: keyof typeof PRESETS = 'council';
const LOCK: readonly string[] = ['defaults', 'vendorLock'];
const EVERY_OTHER = '*';

/** A value that is written to its place. */
type SetValue = Readonly<{ path: readonly string[]; value: unknown }>;

/** Whether a policy is `council`, or one that comes from it. */
export function isCouncil({ policies = {} }: ConfigFile, name: string, seen: readonly string[] = []): boolean {
  if (Object.hasOwn(PRESETS, name) || seen.includes(name)) return name === COUNCIL;
  const parent = Object.hasOwn(policies, name) ? policies[name]?.extends : undefined;
  return parent !== undefined && isCouncil({ policies }, parent, [...seen, name]);
}

function hasCouncil(config: ConfigFile): boolean {
  const { policyOf } = ownOf(config);
  return [EVERY_OTHER, ...Object.keys(config.agents ?? {})].some((agent) => isCouncil(config, policyOf(agent).name));
}

/** Whether an agent's stand-ins keep to its lead's vendor: as `vendorLock` says, and under `council` where nothing is said. */
export function keepsToVendor(config: ConfigFile, agent: string): boolean {
  return config.defaults?.vendorLock ?? isCouncil(config, ownOf(config).policyOf(agent).name);
}

/** The models of other vendors than the lead's that may take over for an agent, the one of last resort included. */
export function otherVendors({ agents, backupModel, models }: ScopeConfig, agent: string): readonly ModelId[] {
  const [lead, ...others] = (Object.hasOwn(agents, agent) && agents[agent]?.chain) || [];
  if (lead === undefined) return [];
  const all = backupModel === null || backupModel === undefined ? others : [...others, backupModel];
  return [...new Set(all)].filter((model) => vendorOf(models, model) !== vendorOf(models, lead));
}

/**
 * What is written along when changes bring the first policy `council` into files that do not speak of vendors: `vendorLock`,
 * and `false` where a chain has models of other vendors already, which then go on as they were. Null where nothing is.
 *
 * @param leaves whether a chain in force leaves its lead's vendor; only asked where it counts.
 */
export async function lockBeside(
  config: ConfigFile,
  changes: readonly SetValue[],
  leaves: () => Promise<boolean>,
): Promise<Readonly<{ path: string[]; value: boolean }> | null> {
  const isSaid = changes.some(({ path }) => path.join('\n') === LOCK.join('\n'));
  if (isSaid || config.defaults?.vendorLock !== undefined || hasCouncil(config)) return null;
  const after = changes.reduce(withChange, config);
  return hasCouncil(after) ? { path: [...LOCK], value: !(await leaves()) } : null;
}

function withChange(config: ConfigFile, { path, value }: SetValue): ConfigFile {
  const file = path.reduceRight<unknown>((held, key) => Object.fromEntries([[key, held]]), value);
  return mergeObjects(config, file as ConfigFile);
}
