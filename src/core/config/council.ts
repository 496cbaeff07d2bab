import type { ModelId, ScopeConfig } from '../../engine';
import { PRESETS, vendorOf } from '../../engine/tools';
import { mergeObjects } from './merge';
import type { ConfigFile } from './schema';
import { ownOf } from './tighten';

const COUNCIL: keyof typeof PRESETS = 'council';
const LOCK: readonly string[] = ['defaults', 'vendorLock'];
const EVERY_OTHER = '*';

type SetValue = Readonly<{ path: readonly string[]; value: unknown }>;

export function isCouncil({ policies = {} }: ConfigFile, name: string, seen: readonly string[] = []): boolean {
  if (Object.hasOwn(PRESETS, name) || seen.includes(name)) return name === COUNCIL;
  const parent = Object.hasOwn(policies, name) ? policies[name]?.extends : undefined;
  return parent !== undefined && isCouncil({ policies }, parent, [...seen, name]);
}

function hasCouncil(config: ConfigFile): boolean {
  const { policyOf } = ownOf(config);
  return [EVERY_OTHER, ...Object.keys(config.agents ?? {})].some((agent) => isCouncil(config, policyOf(agent).name));
}

/** Applies with `vendorLock`, and by default with policy `council`. */
export function keepsToVendor(config: ConfigFile, agent: string): boolean {
  return config.defaults?.vendorLock ?? isCouncil(config, ownOf(config).policyOf(agent).name);
}

export function otherVendors({ agents, backupModel, models }: ScopeConfig, agent: string): readonly ModelId[] {
  const [lead, ...others] = (Object.hasOwn(agents, agent) && agents[agent]?.chain) || [];
  if (lead === undefined) return [];
  const all = backupModel === null || backupModel === undefined ? others : [...others, backupModel];
  return [...new Set(all)].filter((model) => vendorOf(models, model) !== vendorOf(models, lead));
}

/**
 * A first policy `council` adds `vendorLock`, or `false` if a chain has other vendors, so that they stay in use. Null
 * for none. @param leaves only called if needed.
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
