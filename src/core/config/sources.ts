import type { Ability, ModelFacts, ModelId } from '../../engine';
import type { Offers } from '../base/offers';
import type { ModelCost } from './model-cost';
import type { ConfigProblem, KeyPath, Position } from './problem';
import type { ConfigFile } from './schema';

export type DefinedModel = Pick<ModelFacts, 'vendor' | 'priceIn' | 'priceOut'> &
  Readonly<{
    cost?: ModelCost;
    asks?: string;
  }>;
export type DefinedModels = Readonly<Record<ModelId, DefinedModel>>;

export type ParsedConfig = Readonly<{
  /** The valid part; null if the file is malformed. */
  config: ConfigFile | null;
  problems: readonly ConfigProblem[];
  positions: ReadonlyMap<string, Position>;
  providers?: readonly string[];
  defines?: DefinedModels;
}>;

export type ConfigSource = ParsedConfig &
  Readonly<{
    path: string;
    /** Our own file is `project` in {@link ConfigSources}. */
    isProjects?: boolean;
  }>;

export type ConfigSources = Readonly<{
  global: ConfigSource | null;
  project: ConfigSource | null;
  /** The strongest first; our files win over all of them. */
  foreign?: readonly ConfigSource[];
  trusted?: readonly string[];
  /** A project that is too slow to read; its last content counts, at first none. */
  late?: Readonly<{ project: string; isFirst: boolean }>;
}>;

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
  catalogue?: Offers['catalogue'];
  /** Only providers with several, the active account first; absent if the host has one of each. */
  accounts?: Readonly<Record<string, readonly string[]>>;
  /** Because a project's file configures them; `*` for all. */
  withheld?: readonly string[];
  abilities?: readonly Ability[];
  /** No turn waits for an answer, as under `opencode run`. */
  isUnattended?: boolean;
}>;

/** Chains are as written, without an added primary or expanded patterns. */
export const NO_HOST: HostModels = { leads: {}, defaultModel: null };

export function ownSources({ global, foreign = [] }: ConfigSources): readonly ConfigSource[] {
  return [global, ...foreign.filter(({ isProjects }) => isProjects !== true)].filter((source) => source !== null);
}

export type Complain = (code: ConfigProblem['code'], path: KeyPath, message: string) => void;
