import type { Ability, AgentPlan, Catalogue, HealthNumbers, ModelId, Policy, ScopeConfig } from '../../engine';
import { DEFAULT_HEALTH } from '../../engine';
import { CATALOGUE_MAX, ModelFacts } from '../../protocol';
import type { UserPhrase } from '../kind-reader';
import type { Offers } from '../offers';
import type { AgentOrigin } from './agents';
import { doubtedText, resolveAgents, unknownModel } from './agents';
import { apartIn, EVERY_PROVIDER } from './apart';
import { isOfProject, PLACES } from './confine';
import { doubtsIn } from './defined-models';
import { mergeConfigs } from './merge';
import type { ParsedConfig } from './parse';
import type { NamedPolicy } from './policies';
import type { ConfigProblem, KeyPath, Position } from './problem';
import { MAX_PROBLEMS, pathKey, pathText, safeMessage } from './problem';
import type { ConfigFile } from './schema';
import { DEFAULTS } from './schema';
import { askingRows, type Loosening, loosensAs, type OwnConfig, ownOf, type Tightened, tightened } from './tighten';
import { type Triage, triageOf } from './triage';

/** One file as it stands in force. */
export type ConfigSource = ParsedConfig &
  Readonly<{
    path: string;
    /** A file of the project's that is not ours; our own is where it stands in {@link ConfigSources}. */
    isProjects?: boolean;
  }>;

/** The files of one directory; null where there is none. */
export type ConfigSources = Readonly<{
  global: ConfigSource | null;
  project: ConfigSource | null;
  /** Files that are not ours and name chains as well, the strongest first; ours win over all of them. */
  foreign?: readonly ConfigSource[];
  /** What the user has said yes to, of what this project loosens: see `loosensAs`. */
  trusted?: readonly string[];
  /** The project takes longer to read than anybody waits; what it said last is what counts here, at first nothing. */
  late?: Readonly<{ project: string; isFirst: boolean }>;
}>;

/** Every file there is, the strongest first. */
export function sourcesInOrder(sources: ConfigSources): readonly ConfigSource[] {
  return [sources.project, sources.global, ...(sources.foreign ?? [])].filter((source) => source !== null);
}

/** What OpenCode itself knows of agents and models. */
export type HostModels = Readonly<{
  /** Each agent OpenCode knows, with the model it is configured to use; null when it uses the default model. */
  leads: Readonly<Record<string, string | null>>;
  defaultModel: string | null;
  /** Every model OpenCode could use, for entries such as `lmstudio-local/*`; absent when nobody asked. */
  models?: readonly string[];
  /** What OpenCode knows of its models; only those of chains are kept. */
  catalogue?: Offers['catalogue'];
  /** What the host can do beyond the plain actions. */
  abilities?: readonly Ability[];
}>;

/** Where OpenCode's own models are not at hand: a chain is what is written, no lead is added and no pattern filled in. */
export const NO_HOST: HostModels = { leads: {}, defaultModel: null };

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
  /** Limits of the user's own that the project would loosen, and that stand. */
  kept: readonly Loosening[];
  /** Providers whose health this directory keeps apart; `*` for all. */
  apart: readonly string[];
  /** What failures are called is the user's to say: they want to be asked, and a failure by another name is another row. */
  ownWordsOnly: boolean;
  /** Everything wrong in the files and in what they ask for, in order. */
  problems: readonly ConfigProblem[];
  sources: Readonly<{
    /** The files in force, the strongest first. */
    files: readonly string[];
    /** Where each agent's chain and policy come from. */
    agents: Readonly<Record<string, AgentOrigin>>;
  }>;
}>;

/** Says of one value where it stands and what is wrong with it. */
export type Complain = (code: ConfigProblem['code'], path: KeyPath, message: string) => void;

/** Resolves the configuration of one directory. The same input gives the same result; nothing is read or thrown. */
export function resolveScope(sources: ConfigSources, host: HostModels): ResolvedScope {
  const found = sourcesInOrder(sources);
  const own = ownConfig(sources);
  const trusted: ReadonlySet<string> = new Set(sources.trusted);
  const { merged, kept } = tightened(own, together(found), trusted);
  const held: Loosening[] = [...kept];
  const inForce = found.filter((source) => source.config !== null);
  const late = sources.late === undefined ? [] : [lateProblem(sources.late)];
  const problems: ConfigProblem[] = [...late, ...found.flatMap((source) => source.problems)].slice(0, MAX_PROBLEMS);
  const complain: Complain = (code, path, message) => {
    if (problems.length < MAX_PROBLEMS) problems.push(problemAt(inForce, { code, path, message }));
  };
  const defaults = merged.defaults ?? {};
  const hold = (name: string, policy: NamedPolicy): Policy => {
    const { rows, kept } = askingRows(own, name, policy, trusted);
    if (kept && !held.some((known) => loosensAs(known) === loosensAs(kept))) held.push(kept);
    return rows;
  };
  const doubts = doubtsIn(
    { own: own.config, merged },
    { projects: found.filter(isOfProjects), users: ownSources(sources), isLate: sources.late?.isFirst === true },
  );
  const believed = { ...host, ...catalogueOf(doubts.believed(host.catalogue)) };
  const left = new Set<ModelId>();
  const leave = (model: ModelId): void => void left.add(model);
  const { agents, origins } = resolveAgents({ merged, inForce, host: believed, complain, hold, doubts, leave });
  // By whatever detour a project loosens: it is the project's file that says so.
  const theirs = inForce.filter((source) => source === sources.project || isOfProjects(source));
  for (const loosening of held.slice(0, MAX_PROBLEMS - problems.length)) problems.push(keptProblem(theirs, loosening));
  const spare = backupOf(defaults, host, complain);
  const backupModel = spare !== null && doubts.isDoubted(spare) ? null : spare;
  if (spare !== backupModel) complain('model.doubted', ['defaults', 'backupModel'], doubtedText(String(spare)));
  const models = factsOf(believed.catalogue, agents, backupModel === null ? left : left.add(backupModel));
  return {
    config: {
      enabled: merged.enabled ?? true,
      health: healthOf(defaults),
      ...limitsOf(defaults),
      backupModel,
      agents,
      ...(host.abilities === undefined ? {} : { abilities: host.abilities }),
      ...(models === null ? {} : { models }),
    },
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
    kept: held,
    // Files that are still to be read may say anything.
    apart: sources.late?.isFirst
      ? [EVERY_PROVIDER]
      : apartIn({ own: own.config, merged }, (config) => healthOf(config.defaults ?? {}), found.filter(isOfProjects)),
    ownWordsOnly: own.asks,
    problems,
    sources: { files: inForce.map((source) => source.path), agents: origins },
  };
}

const catalogueOf = (catalogue: Catalogue | undefined) => (catalogue === undefined ? {} : { catalogue });

const isOfProjects = ({ isProjects }: ConfigSource): boolean => isProjects === true;
function lateProblem({ project, isFirst }: NonNullable<ConfigSources['late']>): ConfigProblem {
  const stands = isFirst ? 'your own configuration counts without it' : 'what they said last counts';
  const message = `The files of this project are slow to read. Until they are read, ${stands}.`;
  return { severity: 'warning', code: 'project.late', message, path: project, line: null, column: null };
}

const hasOwnFile = ({ project, global }: ConfigSources): boolean =>
  (project?.config ?? global?.config ?? null) !== null;

/** The user's own files, the strongest first. */
export function ownSources({ global, foreign = [] }: ConfigSources): readonly ConfigSource[] {
  return [global, ...foreign.filter(({ isProjects }) => isProjects !== true)].filter((source) => source !== null);
}

const ownConfig = (sources: ConfigSources): OwnConfig => ownOf(together(ownSources(sources)));

const together = (sources: readonly ConfigSource[]): ConfigFile =>
  sources.map(({ config }) => config).reduceRight<ConfigFile>((below, above) => mergeConfigs(below, above), {});

/** The same, with what a project would have loosened. */
export function tightenedConfig(sources: ConfigSources): Tightened {
  return tightened(ownConfig(sources), together(sourcesInOrder(sources)), new Set(sources.trusted));
}

/** What all files of a directory say together; a project loosens no limit of the user's without their yes. */
export const mergedConfig = (sources: ConfigSources): ConfigFile => tightenedConfig(sources).merged;

function keptProblem(files: readonly ConfigSource[], loosening: Loosening): ConfigProblem {
  const about = { code: 'limit.kept', path: loosening.path, message: keptText(loosening) } as const;
  const problem = problemAt(files, about);
  return { ...problem, path: problem.path ?? files[0]?.path ?? null };
}

function keptText({ path, theirs, own }: Loosening): string {
  const wish = `This project asks for ${shortened(theirs)}, which is looser than ${shortened(own)} of your own file. Yours stands.`;
  return `${pathText(path)}: ${wish} \`understudy trust\` and the panel's settings list what a project would loosen, and allow it.`;
}

const shortened = (text: string): string => (text.length <= 120 ? text : `${text.slice(0, 119)}…`);

type Defaults = NonNullable<ConfigFile['defaults']>;

/** What one turn and one session may cost, and who may stand in. */
function limitsOf(defaults: Defaults) {
  const { retryBudget = {}, backoff = {} } = defaults;
  const perSession = retryBudget.perSession ?? DEFAULTS.retryBudget.perSession;
  return {
    maxFallbackDepth: defaults.maxFallbackDepth ?? DEFAULTS.maxFallbackDepth,
    maxRetries: defaults.maxRetries ?? DEFAULTS.maxRetries,
    // A small budget is warned of at its end at the latest.
    retryBudget: { perSession, warnAt: retryBudget.warnAt ?? Math.min(perSession, DEFAULTS.retryBudget.warnAt) },
    backoff: {
      baseMs: backoff.baseMs ?? DEFAULTS.backoff.baseMs,
      capMs: backoff.capMs ?? DEFAULTS.backoff.capMs,
      jitter: backoff.jitter ?? DEFAULTS.backoff.jitter,
    },
    vendorLock: defaults.vendorLock ?? DEFAULTS.vendorLock,
    maxPriceRatio: defaults.maxPriceRatio ?? DEFAULTS.maxPriceRatio,
    panicProbe: defaults.panicProbe ?? DEFAULTS.panicProbe,
    guessProbe: defaults.guessProbe ?? DEFAULTS.guessProbe,
    onExhausted: defaults.onExhausted ?? DEFAULTS.onExhausted,
  };
}

function backupOf(defaults: Defaults, host: HostModels, complain: Complain): ModelId | null {
  const model = defaults.backupModel ?? DEFAULTS.backupModel;
  if (model === null || !host.models?.length || host.models.includes(model)) return model;
  complain('model.unknown', ['defaults', 'backupModel'], unknownModel(model));
  return null;
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

function healthOf(defaults: Defaults): HealthNumbers {
  const breaker = defaults.circuitBreaker ?? {};
  const network = defaults.networkBreaker ?? {};
  return {
    cooldownMs: defaults.cooldownMs ?? DEFAULT_HEALTH.cooldownMs,
    quotaCooldownMs: defaults.quotaCooldownMs ?? DEFAULT_HEALTH.quotaCooldownMs,
    retryOriginalAfterMs: defaults.retryOriginalAfterMs ?? DEFAULT_HEALTH.retryOriginalAfterMs,
    restMs: defaults.restMs ?? DEFAULT_HEALTH.restMs,
    breaker: {
      failureThreshold: breaker.failureThreshold ?? DEFAULT_HEALTH.breaker.failureThreshold,
      windowMs: breaker.windowMs ?? DEFAULT_HEALTH.breaker.windowMs,
      cooldownMs: breaker.cooldownMs ?? DEFAULT_HEALTH.breaker.cooldownMs,
      growth: breaker.growth ?? DEFAULT_HEALTH.breaker.growth,
      maxCooldownMs: breaker.maxCooldownMs ?? DEFAULT_HEALTH.breaker.maxCooldownMs,
    },
    ...(breaker.shadow ? { shadow: true } : {}),
    network: {
      failureThreshold: network.failureThreshold ?? DEFAULT_HEALTH.network.failureThreshold,
      cooldownMs: network.cooldownMs ?? DEFAULT_HEALTH.network.cooldownMs,
    },
  };
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

function problemAt(
  inForce: readonly ConfigSource[],
  about: { code: ConfigProblem['code']; path: KeyPath; message: string },
): ConfigProblem {
  const owner = inForce.find((source) => source.positions.has(pathKey(about.path)));
  const position: Position | undefined = owner?.positions.get(pathKey(about.path));
  return {
    severity: 'warning',
    code: about.code,
    message: safeMessage(about.message),
    path: owner?.path ?? null,
    line: position?.line ?? null,
    column: position?.column ?? null,
  };
}
