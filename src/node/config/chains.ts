import {
  type AgentOrigin,
  type ConfigProblem,
  type EffectiveValue,
  effectiveValues,
  type HostModels,
  NO_HOST,
  ownSources,
  pathText,
  resolveScope,
} from '../../core/config';
import { hasChain, ownAgent } from '../../core/config/merge';
import { type Edited, removeChain, setChain, type TierSize } from '../../core/edits';
import type { AgentPlan, ScopeConfig } from '../../engine';
import { ownValue } from '../../engine/tools';
import type { Outcome } from '../base/failure';
import { allKept, type KeptModels } from '../base/kept-models';
import { type Environment, stateHome } from '../base/state-home';
import { boundsOf, type ConfigPaths, type ConfigScope, configPaths, configTarget } from './config-files';
import { loadConfig, openConfig } from './config-reader';
import { planWrite, type WritePlan, type WriteRequest } from './config-write';
import { judgedBy, shownProblems } from './shown-problems';

export type ConfiguredChain = Readonly<{
  agent: string;
  /** Used if OpenCode has no primary; `isProjects`: only a project names it. */
  currentModel?: EffectiveValue & Readonly<{ isProjects?: boolean }>;
}> &
  WrittenModels &
  AgentOrigin;

type WrittenModels = Readonly<{
  models: readonly string[];
  tiers: readonly Readonly<{ name: string | null; size: number }>[];
}>;

export type Configured = Readonly<{
  chains: readonly ConfiguredChain[];
  values: readonly EffectiveValue[];
  /** OpenCode then uses the file's last valid content, which is missing here. */
  isUnread: boolean;
  problems: readonly ConfigProblem[];
  kept: KeptModels | null;
}>;

export async function readConfigured(directory: string | null, env: Environment): Promise<Configured> {
  const [reader, all] = await Promise.all([openConfig(configPaths(directory, env)), allKept(stateHome(env))]);
  const stored = directory === null ? null : all.in(directory);
  const { sources } = reader.loaded();
  const { config, sources: from, problems } = resolveScope(sources, NO_HOST);
  const users = new Set(ownSources(sources).map(({ path }) => path));
  const values = effectiveValues(sources);
  // Patterns and tiers cannot be expanded here.
  const chains = Object.entries(config.agents).flatMap(([agent, plan]) => {
    const origin = ownValue(from.agents, agent);
    if (origin === undefined) return [];
    const value = inForce(values, agent, 'currentModel');
    const named = value && { ...value, isProjects: value.path !== null && !users.has(value.path) };
    const written = writtenModels(values, agent) ?? { models: writtenChain(plan), tiers: [] };
    return [{ agent, ...(named ? { currentModel: named } : {}), ...written, ...origin }];
  });
  const shown = shownProblems(problems, sources, judgedBy(all, directory));
  const isUnread = [sources.project, sources.global].some((source) => source?.config === null);
  return { chains: chains.toSorted(byAgent), values, isUnread, problems: shown, kept: stored };
}

/** Patterns expanded, unlisted models removed. */
export async function effectiveChains(
  directory: string | null,
  env: Environment,
  host: HostModels,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const { agents } = await effectiveScope(directory, env, host);
  return Object.fromEntries(Object.entries(agents).map(([agent, { chain }]) => [agent, chain]));
}

/** With variants, in the notation of the files. */
export async function effectiveWritten(
  directory: string | null,
  env: Environment,
  host: HostModels,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const { agents } = await effectiveScope(directory, env, host);
  return Object.fromEntries(Object.entries(agents).map(([agent, plan]) => [agent, writtenChain(plan)]));
}

async function effectiveScope(directory: string | null, env: Environment, host: HostModels): Promise<ScopeConfig> {
  const { sources } = (await openConfig(configPaths(directory, env))).loaded();
  return resolveScope(sources, host).config;
}

const writtenChain = ({ chain, variants = {} }: AgentPlan): readonly string[] =>
  chain.map((model) => (Object.hasOwn(variants, model) ? `${model}#${variants[model]}` : model));

const byAgent = ({ agent: one }: ConfiguredChain, { agent: other }: ConfiguredChain): number =>
  Number(one === '*') - Number(other === '*') || one.localeCompare(other, 'en');

function inForce(values: readonly EffectiveValue[], agent: string, key: string): EffectiveValue | undefined {
  const wanted = pathText(['agents', agent, key]);
  return values.find((value) => value.key === wanted);
}

function writtenModels(values: readonly EffectiveValue[], agent: string): WrittenModels | null {
  const of = (key: string) => inForce(values, agent, key)?.value;
  const single = of('fallbackModels') as readonly string[] | undefined;
  const tiers = of('tiers') as readonly Readonly<{ name?: string; models: readonly string[] }>[] | undefined;
  if (single === undefined && tiers === undefined) return null;
  return {
    models: [...(single ?? []), ...(tiers ?? []).flatMap(({ models }) => models)],
    tiers: (tiers ?? []).map(({ name, models }) => ({ name: name ?? null, size: models.length })),
  };
}

export type WantedChain = Readonly<{ agent: string; models: readonly string[] }>;

export type ChainChange = WantedChain &
  Readonly<{
    /** Null keeps the lists of the file. */
    tiers?: readonly TierSize[] | null;
    /** A model without a variant loses its current one. */
    isExact?: boolean;
    isRemoval?: boolean;
    others?: readonly WantedChain[];
    /** Null: the file with the chain, else the project's existing file, else the user's own. */
    scope: ConfigScope | null;
    create: boolean;
    actor: string;
  }>;

export async function chainRequest(
  directory: string | null,
  env: Environment,
  change: ChainChange,
): Promise<WriteRequest> {
  const { others = [], actor } = change;
  const paths = configPaths(directory, env);
  const path = await chainFile(paths, change);
  const request = {
    path,
    ...boundsOf(paths, path),
    edit: (text: string) => setChains(text, [change, ...others]),
    actor,
    deed: deedOf(change),
  };
  return change.create && change.isRemoval !== true ? { ...request, create: '{}\n' } : request;
}

function deedOf({ agent, models, others = [], isRemoval }: ChainChange): string {
  if (isRemoval === true) return `remove the chain of ${agent}`;
  if (others.length > 0) return `set the chains of ${[agent, ...others.map((one) => one.agent)].join(', ')}`;
  return `set the chain of ${agent} to ${models.join(', ') || 'nothing'}`;
}

type OneChain = WantedChain & Pick<ChainChange, 'tiers' | 'isExact' | 'isRemoval'>;

function setChains(text: string, [first, ...others]: readonly OneChain[]): Edited {
  if (first === undefined) return { ok: true, text };
  const { agent, models, isRemoval } = first;
  const edited = isRemoval === true ? removeChain(text, agent) : setChain(text, agent, models, first);
  return edited.ok ? setChains(edited.text, others) : edited;
}

export async function planChain(
  directory: string | null,
  env: Environment,
  change: ChainChange,
): Promise<Outcome<{ plan: WritePlan }>> {
  return await planWrite(await chainRequest(directory, env, change));
}

async function chainFile(paths: ConfigPaths, { agent, scope }: ChainChange): Promise<string> {
  const wanted = scope === 'project' && paths.project.length === 0 ? 'global' : scope;
  if (wanted !== null) return await configTarget(paths[wanted]);
  const { sources } = await loadConfig(paths);
  const ours = [sources.project, sources.global].filter((source) => source !== null);
  // An agent's chain may be in another file than its settings.
  const { path } = ours.find(({ config }) => hasChain(ownAgent(config ?? {}, agent))) ?? ours[0] ?? {};
  return path ?? (await configTarget(paths.global));
}
