import { isObject } from './at-path';
import type { AgentEntry, ConfigFile } from './schema';

/** The project wins key by key. Lists and an agent's chain are replaced as a whole. */
export function mergeConfigs(global: ConfigFile | null, project: ConfigFile | null): ConfigFile {
  if (global === null || project === null) return project ?? global ?? {};
  const merged = mergeObjects(global, project);
  const names = new Set([...Object.keys(global.agents ?? {}), ...Object.keys(project.agents ?? {})]);
  if (names.size === 0) return merged;
  const entries = [...names].map(
    (name) => [name, mergeAgent(ownAgent(global, name), ownAgent(project, name))] as const,
  );
  return { ...merged, agents: Object.fromEntries(entries) };
}

export function ownAgent(config: ConfigFile, name: string): AgentEntry | undefined {
  const agents = config.agents ?? {};
  return Object.hasOwn(agents, name) ? agents[name] : undefined;
}

export function hasChain(entry: AgentEntry | undefined): boolean {
  return entry?.fallbackModels !== undefined || entry?.tiers !== undefined;
}

function mergeAgent(global: AgentEntry = {}, project: AgentEntry = {}): AgentEntry {
  const { fallbackModels: _models, tiers: _tiers, ...others } = global;
  return mergeObjects(hasChain(project) ? others : global, project);
}

export function mergeObjects<T extends object>(base: T, over: T): T {
  const entries = new Map<string, unknown>(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    const below = entries.get(key);
    entries.set(key, isObject(below) && isObject(value) ? mergeObjects(below, value) : value);
  }
  // A merge of two valid values is valid.
  return Object.fromEntries(entries) as T;
}
