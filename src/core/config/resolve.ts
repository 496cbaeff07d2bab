import { INTERNAL_AGENTS } from '../../contract/opencode-agents';
import { writtenModel } from '../../contract/written-model';
import type { AgentPlan, Catalogue, ModelId, Policy, ScopeConfig } from '../../engine';
import { AGENTS_MAX, CATALOGUE_MAX, ModelFacts } from '../../protocol';
import type { UserPhrase } from '../base/kind-reader';
import { tellNoAccounts, withAccounts } from './accounts';
import type { AgentOrigin } from './agents';
import { doubtedText, resolveAgents } from './agents';
import { apartIn, EVERY_PROVIDER } from './apart';
import { isOfProject, PLACES } from './confine';
import { type Doubts, doubtsIn, ownPrices, type Repriced, repricedIn, unpricedIn } from './defined-models';
import { unknownModel } from './leading';
import { tellUnknownNames, tellUnpriced } from './limit-names';
import { mergeConfigs, ownAgent } from './merge';
import { type Defaults, headroomOf, healthOf, limitsOf } from './numbers';
import type { NamedPolicy } from './policies';
import type { ConfigProblem } from './problem';
import type { ConfigFile } from './schema';
import { DEFAULTS } from './schema';
import { soundHost } from './sound-host';
import {
  type Complain,
  type ConfigSource,
  type ConfigSources,
  type HostModels,
  ownSources,
  sourcesInOrder,
} from './sources';
import { createTelling, keptProblem, lateProblem, offProblem } from './telling';
import {
  askingRows,
  asksIn,
  type Loosening,
  loosensAs,
  measuredBy,
  type OwnConfig,
  ownOf,
  type Tightened,
  tightened,
} from './tighten';
import { type Triage, triageOf } from './triage';
import { withheldFrom } from './withheld';

export type ResolvedScope = Readonly<{
  config: ScopeConfig;
  firstTokenTimeoutMs: number;
  stallTimeoutMs: number;
  patterns: readonly UserPhrase[];
  /** `path` is null for the default; a confined one was set by a project and must stay inside. */
  logging: Readonly<{ isEnabled: boolean; path: string | null; isConfined: boolean }>;
  triage: Triage;
  /** The user's own file allows session titles, and no project's denies them. */
  showsTitles: boolean;
  kept: readonly Loosening[];
  apart: readonly string[];
  /** Only the user may name failures here, because the user wants questions. */
  ownWordsOnly: boolean;
  repriced: Repriced | null;
  problems: readonly ConfigProblem[];
  sources: Readonly<{
    files: readonly string[];
    agents: Readonly<Record<string, AgentOrigin>>;
  }>;
}>;

/** Pure; never throws. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: field by field
export function resolveScope(sources: ConfigSources, hostModels: HostModels): ResolvedScope {
  const found = sourcesInOrder(sources);
  const own = ownConfig(sources);
  const trusted: ReadonlySet<string> = new Set(sources.trusted);
  const { merged, kept: loosenings } = tightened(own, together(found), trusted);
  const held: Loosening[] = [...loosenings];
  const inForce = found.filter((source) => source.config !== null);
  const isTheirs = (source: ConfigSource): boolean => source === sources.project || isOfProjects(source);
  const { complain, told: allProblems } = createTelling(found, isTheirs);
  const host = withAccounts(withheldFrom(soundHost(hostModels, complain), sources));
  const defaults = merged.defaults ?? {};
  const keep = (loosening: Loosening): boolean => {
    if (trusted.has(loosensAs(loosening))) return false;
    if (!held.some((existing) => loosensAs(existing) === loosensAs(loosening))) held.push(loosening);
    return true;
  };
  const hold = (name: string, policy: NamedPolicy): Policy => askingRows(own, name, policy, keep);
  const isLate = sources.late?.isFirst === true;
  const defined = { projects: found.filter(isOfProjects), users: ownSources(sources), isLate };
  const [doubts, repriced] = [doubtsIn({ own: own.config, merged }, defined), repricedIn(defined)];
  const counted = merged.budget === undefined ? null : repriced;
  const isLimited = limitedIn(own, merged);
  const ownRows = (agent: string): Policy | null =>
    agent === '*' || ownAgent(own.config, agent) !== undefined ? own.policyOf(agent).rows : null;
  const believed = { ...host, ...catalogueOf(ownPrices(doubts.believed(host.catalogue), counted)) };
  const left = new Set<ModelId>();
  const { agents, origins } = resolveAgents({
    merged,
    own: own.config,
    inForce,
    host: believed,
    complain,
    doubts,
    leave: (model) => void left.add(model),
    hold,
    keep,
    isLimited,
    ownRows,
  });
  const backupModel = backupOf(defaults, { host, complain, doubts });
  const models = factsOf(believed.catalogue, agents, [...(backupModel === null ? [] : [backupModel]), ...left]);
  tellNoAccounts(merged, host, complain);
  tellUnknownNames({ merged, host, complain });
  tellUnpriced({ merged, complain }, repriced, agents);
  // However a project loosens a limit, its file is the source.
  const theirs = inForce.filter(isTheirs);
  const isOff = merged.enabled === false && own.config.enabled !== false;
  const first = [...held.map((each) => keptProblem(theirs, each)), ...(isOff ? [offProblem(theirs)] : [])];
  return {
    config: {
      enabled: merged.enabled ?? true,
      health: healthOf(defaults),
      headroom: headroomOf(merged, host.isUnattended),
      ...limitsOf(defaults),
      backupModel,
      agents,
      ...unplannedIn(host, agents),
      ...(host.abilities === undefined ? {} : { abilities: host.abilities }),
      ...(models === null ? {} : { models }),
      ...(counted === null ? {} : { unpriced: unpricedIn(counted) }),
    },
    repriced,
    firstTokenTimeoutMs: defaults.firstTokenTimeoutMs ?? DEFAULTS.firstTokenTimeoutMs,
    stallTimeoutMs: defaults.stallTimeoutMs ?? DEFAULTS.stallTimeoutMs,
    patterns: (merged.patterns ?? []).map((pattern) => asPattern(pattern)),
    // Without a file of ours no log is configured.
    logging: {
      isEnabled: merged.logging ?? hasOwnFile(sources),
      path: merged.logPath ?? null,
      isConfined: isOfProject(sources, PLACES.log),
    },
    triage: triageOf(merged, sources),
    showsTitles: areTitlesShown(own, merged, sources),
    kept: held,
    // Files that are still being read may contain anything.
    apart: isLate
      ? [EVERY_PROVIDER]
      : apartIn({ own: own.config, merged }, (config) => healthOf(config.defaults ?? {}), found.filter(isOfProjects)),
    ownWordsOnly: own.asks,
    problems: allProblems([...(sources.late ? [lateProblem(sources.late)] : []), ...first]),
    sources: { files: inForce.map((source) => source.path), agents: origins },
  };
}

function limitedIn(own: OwnConfig, merged: ConfigFile): (agent: string, rows: Policy) => boolean {
  const { isVendorHeld, isPriceHeld } = measuredBy(own.config, merged);
  return (agent, rows) => isVendorHeld || isPriceHeld || (asksIn(own.policyOf(agent).rows) && asksIn(rows));
}

/** A project that is still being read may deny it. */
const areTitlesShown = (own: OwnConfig, merged: ConfigFile, { late }: ConfigSources): boolean =>
  own.config.sessions?.titles === true && merged.sessions?.titles === true && late?.isFirst !== true;

const catalogueOf = (catalogue: Catalogue | undefined) => (catalogue === undefined ? {} : { catalogue });

const isOfProjects = ({ isProjects }: ConfigSource): boolean => isProjects === true;
const hasOwnFile = ({ project, global }: ConfigSources): boolean =>
  (project?.config ?? global?.config ?? null) !== null;

const ownConfig = (sources: ConfigSources): OwnConfig => ownOf(together(ownSources(sources)));

const together = (sources: readonly ConfigSource[]): ConfigFile =>
  sources.map(({ config }) => config).reduceRight<ConfigFile>((below, above) => mergeConfigs(below, above), {});

export function tightenedConfig(sources: ConfigSources): Tightened {
  return tightened(ownConfig(sources), together(sourcesInOrder(sources)), new Set(sources.trusted));
}

export const mergedConfig = (sources: ConfigSources): ConfigFile => tightenedConfig(sources).merged;

function backupOf(
  defaults: Defaults,
  { host, complain, doubts }: Readonly<{ host: HostModels; complain: Complain; doubts: Doubts }>,
): ModelId | null {
  const written = defaults.backupModel ?? DEFAULTS.backupModel;
  const model = written === null ? null : writtenModel(written, host.models).model;
  if (model === null) return null;
  const isKnown = !host.models?.length || host.models.includes(model);
  if (isKnown && !doubts.isDoubted(model)) return model;
  const [code, text] = isKnown
    ? (['model.doubted', doubtedText(model)] as const)
    : (['model.unknown', unknownModel(model)] as const);
  complain(code, ['defaults', 'backupModel'], text);
  return null;
}

function unplannedIn(
  { leads, others = [], defaultModel }: HostModels,
  agents: Readonly<Record<string, AgentPlan>>,
): Pick<ScopeConfig, 'unplanned'> {
  const planned = Object.keys(agents);
  const names = [...new Set([...Object.keys(leads), ...others])].filter(
    (name) => !INTERNAL_AGENTS.has(name) && !planned.includes(name),
  );
  if (names.length === 0) return {};
  const leadOf = (name: string): ModelId | null => (Object.hasOwn(leads, name) ? leads[name] : null) ?? defaultModel;
  return { unplanned: Object.fromEntries(names.slice(0, AGENTS_MAX).map((name) => [name, leadOf(name)])) };
}

function factsOf(
  catalogue: Catalogue | undefined,
  agents: Readonly<Record<string, AgentPlan>>,
  others: Iterable<ModelId>,
): Catalogue | null {
  if (catalogue === undefined) return null;
  const inUse = new Set([...Object.values(agents).flatMap(({ chain }) => chain), ...others]);
  const entries = [...inUse].flatMap((model) => {
    // Facts that the protocol would reject count as unknown.
    const facts = Object.hasOwn(catalogue, model) ? ModelFacts.safeParse(catalogue[model]).data : undefined;
    return facts === undefined ? [] : [[model, facts] as const];
  });
  return Object.fromEntries(entries.slice(0, CATALOGUE_MAX)) as Catalogue;
}

function asPattern(pattern: NonNullable<ConfigFile['patterns']>[number]): UserPhrase {
  if (typeof pattern === 'string') return { phrase: pattern };
  const { phrase, kind, provider, agent } = pattern;
  return {
    phrase,
    ...(kind === undefined ? {} : { kind }),
    ...(provider === undefined ? {} : { provider }),
    ...(agent === undefined || agent === '*' ? {} : { agent }),
  };
}
