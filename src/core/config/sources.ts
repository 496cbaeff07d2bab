import type { Ability, ModelFacts, ModelId } from '../../engine';
import type { Offers } from '../base/offers';
import type { ModelCost } from './model-cost';
import type { ConfigProblem, KeyPath, Position } from './problem';
import type { ConfigFile } from './schema';

/** Cost and vendor of a model by an OpenCode file; a missing field is not set there. */
export type DefinedModel = Pick<ModelFacts, 'vendor' | 'priceIn' | 'priceOut'> &
  Readonly<{
    cost?: ModelCost;
    /** The model id that the provider gets, if it is another model's name. */
    asks?: string;
  }>;
export type DefinedModels = Readonly<Record<ModelId, DefinedModel>>;

/** One parsed file. */
export type ParsedConfig = Readonly<{
  /** Its valid part; null if the file is malformed. */
  config: ConfigFile | null;
  problems: readonly ConfigProblem[];
  /** Position of each value of `config`, by `pathKey`. */
  positions: ReadonlyMap<string, Position>;
  /** Providers that an OpenCode file defines. */
  providers?: readonly string[];
  /** Models whose cost and vendor it defines. */
  defines?: DefinedModels;
}>;

/** One file in force. */
export type ConfigSource = ParsedConfig &
  Readonly<{
    path: string;
    /** A foreign file of the project; our own one is `project` in {@link ConfigSources}. */
    isProjects?: boolean;
  }>;

/** The files of one directory; null for a missing one. */
export type ConfigSources = Readonly<{
  global: ConfigSource | null;
  project: ConfigSource | null;
  /** Foreign files with chains, the strongest first; our files win over all of them. */
  foreign?: readonly ConfigSource[];
  /** The project's loosenings that the user approved: see `loosensAs`. */
  trusted?: readonly string[];
  /** The project takes too long to read; its last content counts, at first none. */
  late?: Readonly<{ project: string; isFirst: boolean }>;
}>;

/** Returns all files, the strongest first. */
export function sourcesInOrder(sources: ConfigSources): readonly ConfigSource[] {
  return [sources.project, sources.global, ...(sources.foreign ?? [])].filter((source) => source !== null);
}

export type HostModels = Readonly<{
  /** Each agent of OpenCode with its configured model; null for the default model. */
  leads: Readonly<Record<string, string | null>>;
  defaultModel: string | null;
  /** Further agents, without a reported model; some may be in `leads` as well. */
  others?: readonly string[];
  /** All models of OpenCode, for entries such as `lmstudio-local/*`; absent if not requested. */
  models?: readonly string[];
  /** OpenCode's facts about its models; only those in chains are stored. */
  catalogue?: Offers['catalogue'];
  /**
   * Providers with several usable accounts of the user, by label, the one in use first; absent if the host has one of
   * each.
   */
  accounts?: Readonly<Record<string, readonly string[]>>;
  /** Providers whose accounts are withheld here, because a project's file configures them; `*` for all. */
  withheld?: readonly string[];
  abilities?: readonly Ability[];
  /** No user is at this host, as under `opencode run`: no turn waits for an answer that would only delay it. */
  isUnattended?: boolean;
}>;

/** For use without OpenCode's models: a chain is as written, without an added primary or expanded patterns. */
export const NO_HOST: HostModels = { leads: {}, defaultModel: null };

/** Returns the user's own files, the strongest first. */
export function ownSources({ global, foreign = [] }: ConfigSources): readonly ConfigSource[] {
  return [global, ...foreign.filter(({ isProjects }) => isProjects !== true)].filter((source) => source !== null);
}

/** Reports a problem of one value at its path. */
export type Complain = (code: ConfigProblem['code'], path: KeyPath, message: string) => void;
