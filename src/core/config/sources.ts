import type { Ability, ModelFacts, ModelId } from '../../engine';
import type { Offers } from '../base/offers';
import type { ModelCost } from './model-cost';
import type { ConfigProblem, KeyPath, Position } from './problem';
import type { ConfigFile } from './schema';

/** A missing field is not set in that file. */
export type DefinedModel = Pick<ModelFacts, 'vendor' | 'priceIn' | 'priceOut'> &
  Readonly<{
    cost?: ModelCost;
    /** The model id that the provider gets, if it is another model's name. */
    asks?: string;
  }>;
export type DefinedModels = Readonly<Record<ModelId, DefinedModel>>;

export type ParsedConfig = Readonly<{
  /** The valid part; null if the file is malformed. */
  config: ConfigFile | null;
  problems: readonly ConfigProblem[];
  /** By `pathKey`. */
  positions: ReadonlyMap<string, Position>;
  providers?: readonly string[];
  defines?: DefinedModels;
}>;

export type ConfigSource = ParsedConfig &
  Readonly<{
    path: string;
    /** A foreign file of the project; our own one is `project` in {@link ConfigSources}. */
    isProjects?: boolean;
  }>;

/** Null for a missing file. */
export type ConfigSources = Readonly<{
  global: ConfigSource | null;
  project: ConfigSource | null;
  /** The strongest first; our files win over all of them. */
  foreign?: readonly ConfigSource[];
  /** Loosenings that the user approved: see `loosensAs`. */
  trusted?: readonly string[];
  /** The project takes too long to read; its last content counts, at first none. */
  late?: Readonly<{ project: string; isFirst: boolean }>;
}>;

/** The strongest first. */
export function sourcesInOrder(sources: ConfigSources): readonly ConfigSource[] {
  return [sources.project, sources.global, ...(sources.foreign ?? [])].filter((source) => source !== null);
}

export type HostModels = Readonly<{
  /** Configured model of each agent; null for the default model. */
  leads: Readonly<Record<string, string | null>>;
  defaultModel: string | null;
  /** Agents without a reported model; some may be in `leads` as well. */
  others?: readonly string[];
  /** For entries such as `lmstudio-local/*`; absent if not requested. */
  models?: readonly string[];
  /** Only facts about models in chains are stored. */
  catalogue?: Offers['catalogue'];
  /** Only providers with several, the active account first; absent if the host has one of each. */
  accounts?: Readonly<Record<string, readonly string[]>>;
  /** Because a project's file configures them; `*` for all. */
  withheld?: readonly string[];
  abilities?: readonly Ability[];
  /** No turn waits for an answer, as under `opencode run`. */
  isUnattended?: boolean;
}>;

/** The chain is as written, without an added primary or expanded patterns. */
export const NO_HOST: HostModels = { leads: {}, defaultModel: null };

/** The strongest first. */
export function ownSources({ global, foreign = [] }: ConfigSources): readonly ConfigSource[] {
  return [global, ...foreign.filter(({ isProjects }) => isProjects !== true)].filter((source) => source !== null);
}

export type Complain = (code: ConfigProblem['code'], path: KeyPath, message: string) => void;
