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

/** One directory's configuration, ready for the engine and for whoever shows it. */
export type ResolvedScope = Readonly<{
  config: ScopeConfig;
  firstTokenTimeoutMs: number;
  stallTimeoutMs: number;
  /** Phrases of failures, in addition to the built-in ones. */
  patterns: readonly UserPhrase[];
  /** `path` as it is written, `~` included; null for the default place. Confined: a project named it, and it stays inside. */
  logging: Readonly<{ isEnabled: boolean; path: string | null; isConfined: boolean }>;
  triage: Triage;
  /** OpenCode's own titles of sessions may be shown: the user's own file says so, and no project's says otherwise. */
  showsTitles: boolean;
  /** Limits of the user's own that the project would loosen, and that stand. */
  kept: readonly Loosening[];
  /** Providers whose health this directory keeps apart; `*` for all. */
  apart: readonly string[];
  /** What failures are called is the user's to say: they want to be asked, and a failure by another name is another row. */
  ownWordsOnly: boolean;
  /** What budgets reckon with in place of a project's prices; null where OpenCode's hold. */
  repriced: Repriced | null;
  /** Everything wrong in the files and in what they ask for, in order. */
  problems: readonly ConfigProblem[];
  sources: Readonly<{
    /** The files in force, the strongest first. */
    files: readonly string[];
    /** Where each agent's chain and policy come from. */
    agents: Readonly<Record<string, AgentOrigin>>;
  }>;
}>;

/** Resolves the configuration of one directory. The same input gives the same result; nothing is read or thrown. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: field by field
export function resolveScope(sources: ConfigSources, said: HostModels): ResolvedScope {
  const found = sourcesInOrder(sources);
  const own = ownConfig(sources);
  const trusted: ReadonlySet<string> = new Set(sources.trusted);
  const { merged, kept } = tightened(own, together(found), trusted);
  const held: Loosening[] = [...kept];
  const inForce = found.filter((source) => source.config !== null);
  const isTheirs = (source: ConfigSource): boolean => source === sources.project || isOfProjects(source);
  const { complain, told } = createTelling(found, isTheirs);
  const host = withAccounts(withheldFrom(soundHost(said, complain), sources));
  const defaults = merged.defaults ?? {};
  const keep = (loosening: Loosening): boolean => {
    if (trusted.has(loosensAs(loosening))) return false;
    if (!held.some((known) => loosensAs(known) === loosensAs(loosening))) held.push(loosening);
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
  // By whatever detour a project loosens: it is the project's file that says so.
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
    // Without a file of ours nobody has asked for a log.
    logging: {
      isEnabled: merged.logging ?? hasOwnFile(sources),
      path: merged.logPath ?? null,
      isConfined: isOfProject(sources, PLACES.log),
    },
    triage: triageOf(merged, sources),
    showsTitles: areTitlesShown(own, merged, sources),
    kept: held,
    // Files that are still to be read may say anything.
    apart: isLate
      ? [EVERY_PROVIDER]
      : apartIn({ own: own.config, merged }, (config) => healthOf(config.defaults ?? {}), found.filter(isOfProjects)),
    ownWordsOnly: own.asks,
    problems: told([...(sources.late ? [lateProblem(sources.late)] : []), ...first]),
    sources: { files: inForce.map((source) => source.path), agents: origins },
  };
}

/** Tells whether limits of the user's own hold for an agent by whom it is led. */
function limitedIn(own: OwnConfig, merged: ConfigFile): (agent: string, rows: Policy) => boolean {
  const { isVendorHeld, isPriceHeld } = measuredBy(own.config, merged);
  return (agent, rows) => isVendorHeld || isPriceHeld || (asksIn(own.policyOf(agent).rows) && asksIn(rows));
}

/** A project that is still to be read may say no. */
const areTitlesShown = (own: OwnConfig, merged: ConfigFile, { late }: ConfigSources): boolean =>
  own.config.sessions?.titles === true && merged.sessions?.titles === true && late?.isFirst !== true;

const catalogueOf = (catalogue: Catalogue | undefined) => (catalogue === undefined ? {} : { catalogue });

const isOfProjects = ({ isProjects }: ConfigSource): boolean => isProjects === true;
const hasOwnFile = ({ project, global }: ConfigSources): boolean =>
  (project?.config ?? global?.config ?? null) !== null;

const ownConfig = (sources: ConfigSources): OwnConfig => ownOf(together(ownSources(sources)));

const together = (sources: readonly ConfigSource[]): ConfigFile =>
  sources.map(({ config }) => config).reduceRight<ConfigFile>((below, above) => mergeConfigs(below, above), {});

/** The same, with what a project would have loosened. */
export function tightenedConfig(sources: ConfigSources): Tightened {
  return tightened(ownConfig(sources), together(sourcesInOrder(sources)), new Set(sources.trusted));
}

/** What all files of a directory say together; a project loosens no limit of the user's without their yes. */
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

/** The agents OpenCode has that have no plan of their own, with the models it asks for them. */
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

/** What is known of the models a turn may come to; null when nothing is known at all. */
function factsOf(
  catalogue: Catalogue | undefined,
  agents: Readonly<Record<string, AgentPlan>>,
  others: Iterable<ModelId>,
): Catalogue | null {
  if (catalogue === undefined) return null;
  const inUse = new Set([...Object.values(agents).flatMap(({ chain }) => chain), ...others]);
  const known = [...inUse].flatMap((model) => {
    // What OpenCode says of a model is data from outside; what the wire would refuse is as good as not known.
    const facts = Object.hasOwn(catalogue, model) ? ModelFacts.safeParse(catalogue[model]).data : undefined;
    return facts === undefined ? [] : [[model, facts] as const];
  });
  return Object.fromEntries(known.slice(0, CATALOGUE_MAX)) as Catalogue;
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
