import type { LeadChange } from '../../contract/setup';
import { isNamedIn } from '../../contract/written-model';
import { asAbilities, factsIn } from '../../core/base/offers';
import { type ConfigSource, type ConfigSources, mergedConfig, NO_HOST, resolveScope } from '../../core/config';
import { valueAt } from '../../core/config/at-path';
import type { AgentPlan } from '../../engine';
import { ownValue } from '../../engine/tools';
import { type KeptModels, keptModels } from '../base/kept-models';
import type { Environment } from '../base/state-home';
import type { ConfiguredChain, WantedChain } from './chains';
import { configPaths } from './config-files';
import { loadConfig } from './config-reader';

const EVERY_OTHER = '*';

type LeadPlace = Readonly<{ directory: string | null; env: Environment; home: string }>;

const hostLead = ({ leads, defaultModel }: KeptModels, agent: string): string | null =>
  ownValue(leads, agent) ?? defaultModel;

/** Null if the user's own `currentModel` names the primary: no surprise. @param inForce the effective chain. */
export function leadAgainst(
  stored: KeptModels | null,
  { agent, chain, currentModel }: ConfiguredChain,
  inForce: readonly string[],
): LeadChange | null {
  if (stored === null) return null;
  const isNamed = currentModel !== undefined && currentModel.value === inForce[0];
  // The chain for all agents changes no primary, unless it names one.
  if (isNamed ? !currentModel.isProjects : chain !== 'own') return null;
  return changeOf(stored, { agent, from: hostLead(stored, agent), to: inForce[0] ?? null }, isNamed);
}

/** Null for a list that names its primary. */
export async function leadsBefore({ directory, env, home }: LeadPlace): Promise<(chain: WantedChain) => string | null> {
  const stored = directory === null ? null : await keptModels(home, directory);
  if (stored === null) return () => null;
  const { agents } = resolveScope((await loadConfig(configPaths(directory, env))).sources, stored).config;
  return ({ agent, models }) => {
    const lead = agent === EVERY_OTHER || models.length === 0 ? undefined : ownValue(agents, agent)?.chain[0];
    return lead === undefined || isNamedIn(models, lead) ? null : lead;
  };
}

export async function leadChanges(
  { directory, env, home }: LeadPlace,
  chains: readonly WantedChain[],
): Promise<LeadChange[]> {
  const stored = directory === null ? null : await keptModels(home, directory);
  if (stored === null) return [];
  const { sources } = await loadConfig(configPaths(directory, env));
  const now = resolveScope(sources, stored).config.agents;
  const merged = mergedConfig(sources);
  return chains.flatMap((chain) => {
    const usual = hostLead(stored, chain.agent);
    if (usual === null) return [];
    const from = ownValue(now, chain.agent)?.chain[0] ?? usual;
    // `currentModel` stays the primary, whatever the chain begins with.
    const currentModel = valueAt(merged, ['agents', chain.agent, 'currentModel']);
    const to = planOf(stored, { ...chain, currentModel })?.chain[0] ?? null;
    return changeOf(stored, { agent: chain.agent, from, to }) ?? [];
  });
}

function planOf(
  stored: KeptModels,
  { agent, models, currentModel }: WantedChain & Readonly<{ currentModel: unknown }>,
): AgentPlan | undefined {
  const named = typeof currentModel === 'string' ? { currentModel } : {};
  const config = { agents: { [agent]: { fallbackModels: [...models], ...named } } };
  const global = { path: '', config, positions: new Map(), problems: [] };
  const sources: ConfigSources = { global, project: null };
  return ownValue(resolveScope(sources, stored).config.agents, agent);
}

export type Remaining = Readonly<{
  /** `own`: another file has a chain; `rest`: the chain for all others; `nobody`: no fallback. */
  by: 'own' | 'rest' | 'nobody';
  models: readonly string[];
  leads: LeadChange | null;
}>;

export async function remainingWithout(
  { directory, env, home }: LeadPlace,
  agent: string,
  path: string,
): Promise<Remaining> {
  const stored = directory === null ? null : await keptModels(home, directory);
  const { sources } = await loadConfig(configPaths(directory, env));
  const { global, project } = sources;
  const without = (source: typeof global) => (source?.path === path ? withoutChain(source, agent) : source);
  const host = stored ?? NO_HOST;
  const left = resolveScope({ ...sources, global: without(global), project: without(project) }, host);
  const origin = (
    ownValue(left.sources.agents, agent) ?? (agent === EVERY_OTHER ? null : left.sources.agents[EVERY_OTHER])
  )?.chain;
  const plan = ownValue(left.config.agents, agent) ?? left.config.agents[EVERY_OTHER];
  const by =
    origin === 'wildcard' || (origin === 'own' && ownValue(left.config.agents, agent) === undefined) ? 'rest' : origin;
  const from = ownValue(resolveScope(sources, host).config.agents, agent)?.chain[0] ?? null;
  const to = ownValue(left.config.agents, agent)?.chain[0] ?? (stored && hostLead(stored, agent));
  return {
    by: by === 'own' || by === 'rest' ? by : 'nobody',
    models: by === 'own' || by === 'rest' ? (plan?.chain ?? []) : [],
    leads: stored && changeOf(stored, { agent, from, to }),
  };
}

function withoutChain(source: ConfigSource, agent: string): ConfigSource {
  const { fallbackModels: _models, tiers: _tiers, ...entry } = ownValue(source.config?.agents, agent) ?? {};
  const agents = { ...source.config?.agents, [agent]: entry };
  return { ...source, config: { ...source.config, agents } };
}

type Leads = Readonly<{ agent: string; from: string | null; to: string | null }>;

function changeOf({ catalogue }: KeptModels, { agent, from, to }: Leads, isNamed = false): LeadChange | null {
  if ((agent === EVERY_OTHER && !isNamed) || from === null || to === null || from === to) return null;
  const withAbilities = (model: string) => ({ model, abilities: asAbilities(factsIn(catalogue, model)) });
  return { agent, from: withAbilities(from), to: withAbilities(to) };
}
