import type { Ability, ModelFacts, ModelId } from '../../engine';
import type { Offers } from '../base/offers';
import type { ModelCost } from './model-cost';
import type { ConfigProblem, KeyPath, Position } from './problem';
import type { ConfigFile } from './schema';

/** What a file of OpenCode's says of what a model costs and whose it is; a missing field is not said. */
export type DefinedModel = Pick<ModelFacts, 'vendor' | 'priceIn' | 'priceOut'> &
  Readonly<{
    cost?: ModelCost;
    /** What its provider is asked for by this name, where that is another model's name. */
    asks?: string;
  }>;
export type DefinedModels = Readonly<Record<ModelId, DefinedModel>>;

/** One file, read. */
export type ParsedConfig = Readonly<{
  /** What is right in it; null when the file is malformed. */
  config: ConfigFile | null;
  problems: readonly ConfigProblem[];
  /** Where each value of `config` stands, by `pathKey`. */
  positions: ReadonlyMap<string, Position>;
  /** Providers that a file of OpenCode's defines. */
  providers?: readonly string[];
  /** Models of which it says what they cost and whose they are. */
  defines?: DefinedModels;
}>;

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

export type HostModels = Readonly<{
  /** Each agent OpenCode knows, with the model it is configured to use; null when it uses the default model. */
  leads: Readonly<Record<string, string | null>>;
  defaultModel: string | null;
  /** Agents it has, of which it does not say there what they are configured to use; some may be in `leads` as well. */
  others?: readonly string[];
  /** Every model OpenCode could use, for entries such as `lmstudio-local/*`; absent when nobody asked. */
  models?: readonly string[];
  /** What OpenCode knows of its models; only those of chains are kept. */
  catalogue?: Offers['catalogue'];
  /** Providers of which the user has several accounts that can be asked, each by its label, the one in use first; absent where the host keeps one of each. */
  accounts?: Readonly<Record<string, readonly string[]>>;
  /** Providers of which accounts are withheld here, because a project's file says something of them; `*` for all. */
  withheld?: readonly string[];
  abilities?: readonly Ability[];
  /** Nobody sits before this host, as under `opencode run`: no turn waits there for an answer that only delays it. */
  isUnattended?: boolean;
}>;

/** Where OpenCode's own models are not at hand: a chain is what is written, no lead is added and no pattern filled in. */
export const NO_HOST: HostModels = { leads: {}, defaultModel: null };

/** The user's own files, the strongest first. */
export function ownSources({ global, foreign = [] }: ConfigSources): readonly ConfigSource[] {
  return [global, ...foreign.filter(({ isProjects }) => isProjects !== true)].filter((source) => source !== null);
}

/** Says of one value where it stands and what is wrong with it. */
export type Complain = (code: ConfigProblem['code'], path: KeyPath, message: string) => void;
