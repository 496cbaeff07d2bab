import type { ConfigFile } from '../../../core/config/schema';
import { nearest } from '../../../core/config/suggest';
import { accountIn, type Catalogue, type ModelId, providerOf, unaccounted } from '../../../engine';
import { vendorOf } from '../../../engine/tools';
import {
  DEFAULT_MAX_COST,
  DEFAULT_PARALLEL,
  RETRIES,
  type Settings,
  type Speaker,
  speakerProblems,
} from '../rules/base/settings';
import type { Hero } from '../rules/cast/heroes';

/** A project can only tighten it. */
export type CouncilSection = NonNullable<ConfigFile['council']>;

export type KnownModels = Readonly<{
  catalogue: Catalogue;
  /** Null or empty before OpenCode has reported its list. */
  models: readonly ModelId[] | null;
  defaultModel: ModelId | null;
  chains: readonly ModelId[];
}>;

export type CouncilSettings =
  | Readonly<{ settings: Settings; heroes: readonly Hero[] }>
  | Readonly<{ problems: readonly string[] }>;

const NOBODY =
  'No speaker is available: no agent has a model, and OpenCode has no default model. Add speakers to model-fallback.json, such as "council": { "speakers": { "claude": { "model": "anthropic/claude-sonnet-4" } } }.';
const NOT_TOLD =
  'No speaker is available yet: OpenCode reports its models when it runs with the companion, which understudy install adds. Or add speakers to model-fallback.json, such as "council": { "speakers": { "claude": { "model": "anthropic/claude-sonnet-4" } } }.';
const ALL_OFF = 'Every speaker in council.speakers is disabled. Set "enabled": true for one of them.';
/** Means every speaker in commands. */
const RESERVED = 'all';

/**
 * Selects configured speakers, else `council.models.heroes`, else one per vendor of the user's chains, else OpenCode's
 * default model.
 */
export function councilSettings(section: CouncilSection | undefined, hostModels: KnownModels): CouncilSettings {
  const { speakers: cast, oracle, players } = castOf(section ?? {}, hostModels);
  const speakers = cast.map((speaker) => withFallbackVendor(speaker, hostModels.catalogue));
  const [first] = speakers;
  if (first === undefined)
    return {
      problems: [
        Object.keys(section?.speakers ?? {}).length > 0 ? ALL_OFF : hostModels.models === null ? NOT_TOLD : NOBODY,
      ],
    };
  const problems = speakers.flatMap((speaker) => problemsOf(speaker, hostModels));
  if (problems.length > 0) return { problems };
  const nameOf = (model: ModelId): string => speakers.find((speaker) => speaker.model === model)?.name ?? first.name;
  const { parallel = DEFAULT_PARALLEL, maxCost = DEFAULT_MAX_COST, heroes = [] } = section ?? {};
  return {
    settings: {
      speakers,
      oracle: oracle === null ? first.name : nameOf(oracle),
      heroes: players.length > 0 ? players.map(nameOf) : speakers.map(({ name }) => name),
      parallel,
      maxCost,
      retries: RETRIES,
    },
    heroes,
  };
}

type WrittenSpeaker = NonNullable<CouncilSection['speakers']>[string];

export const speakerAs = (name: string, speaker: WrittenSpeaker, catalogue: Catalogue): Speaker =>
  withFallbackVendor(named(name, speaker, catalogue), catalogue);

const named = (name: string, { model, fallback = null, vendor }: WrittenSpeaker, catalogue: Catalogue): Speaker => ({
  name,
  model,
  fallback,
  vendor: vendor?.toLowerCase() ?? vendorOf(catalogue, model),
});

/** A vendor named by the user also covers a fallback model of the same catalogue vendor. */
function withFallbackVendor(speaker: Speaker, catalogue: Catalogue): Speaker {
  const { model, fallback, vendor } = speaker;
  if (fallback === null) return speaker;
  const other = vendorOf(catalogue, fallback);
  return { ...speaker, fallbackVendor: other === vendorOf(catalogue, model) ? vendor : other };
}

type Cast = Readonly<{
  speakers: readonly Speaker[];
  oracle: ModelId | null;
  /** Empty if every speaker plays heroes. */
  players: readonly ModelId[];
}>;

function castOf({ speakers = {}, models = {} }: CouncilSection, hostModels: KnownModels): Cast {
  const written = Object.entries(speakers);
  const on = written.filter(([, { enabled }]) => enabled !== false);
  // A disabled speaker must not return through another key.
  const isOff = (model: ModelId): boolean =>
    written.some(([, speaker]) => speaker.model === model) && !on.some(([, speaker]) => speaker.model === model);
  const players = [...new Set(models.heroes)].filter((model) => !isOff(model));
  const oracle = models.oracle === undefined || isOff(models.oracle) ? null : models.oracle;
  const ofFile = on.map(([name, speaker]) => named(name, speaker, hostModels.catalogue));
  const isSaid = written.length > 0 || players.length > 0;
  const all = [...players, ...(oracle === null ? [] : [oracle])].reduce<readonly Speaker[]>(
    (list, model) => withModel(list, model, hostModels),
    isSaid ? ofFile : ofChains(hostModels),
  );
  return { speakers: all, oracle, players };
}

/** The next model of a vendor is its fallback. */
function ofChains(hostModels: KnownModels): readonly Speaker[] {
  const { catalogue, chains, defaultModel } = hostModels;
  // Chains were not written for councils, so unlisted models are no problem.
  const chain = [...new Set(chains)].filter((model) => isListed(hostModels, model) && !isByAccount(hostModels, model));
  if (chain.length === 0) return defaultModel === null ? [] : withModel([], defaultModel, hostModels);
  const vendors = new Set(chain.map((model) => vendorOf(catalogue, model)));
  return [...vendors].flatMap((vendor) => {
    const [model, fallback = null] = chain.filter((each) => vendorOf(catalogue, each) === vendor);
    return model === undefined ? [] : [{ name: vendor, model, fallback, vendor }];
  });
}

function withModel(speakers: readonly Speaker[], model: ModelId, { catalogue }: KnownModels): readonly Speaker[] {
  if (speakers.some((speaker) => speaker.model === model)) return speakers;
  const name = freeName(model, [RESERVED, ...speakers.map((speaker) => speaker.name)]);
  return [...speakers, { name, model, fallback: null, vendor: vendorOf(catalogue, model) }];
}

function freeName(model: ModelId, taken: readonly string[]): string {
  const short = (model.split('/').findLast((part) => part !== '') ?? model).replaceAll(/\s+/g, '-');
  for (let at = 1; ; at += 1) {
    const name = at === 1 ? short : `${short}-${at}`;
    if (!taken.includes(name)) return name;
  }
}

const isListed = ({ models }: Pick<KnownModels, 'models'>, model: ModelId): boolean =>
  !models?.length || models.includes(model);

/** A council always uses the active account. */
const isByAccount = ({ models }: Pick<KnownModels, 'models'>, model: ModelId): boolean =>
  accountIn(model) !== null && models?.includes(model) !== true;

function problemsOf(speaker: Speaker, hostModels: KnownModels): readonly string[] {
  const unlisted = unlistedOf(speaker, hostModels);
  // The vendor check needs a model ID without an account.
  const isAccounts = modelsOf(speaker).some((model) => isByAccount(hostModels, model));
  return isAccounts ? unlisted : [...unlisted, ...speakerProblems([speaker], hostModels.catalogue)];
}

const modelsOf = ({ model, fallback }: Speaker): readonly ModelId[] => [...new Set([model, fallback ?? model])];

export function unlistedOf(speaker: Speaker, hostModels: Pick<KnownModels, 'models'>): readonly string[] {
  const { name } = speaker;
  return modelsOf(speaker).flatMap((model) => {
    if (isByAccount(hostModels, model)) return [`${name}: ${plainlyText(model)}`];
    if (isListed(hostModels, model)) return [];
    return [`${name}: OpenCode has no model ${JSON.stringify(model)}.${hintFor(model, hostModels)}`];
  });
}

function plainlyText(model: ModelId): string {
  const plain = unaccounted(model);
  return `a council uses the active account of ${providerOf(plain)}. Write ${JSON.stringify(plain)} instead of ${JSON.stringify(model)}.`;
}

function hintFor(model: ModelId, { models }: Pick<KnownModels, 'models'>): string {
  const near = nearest(model, models ?? []);
  return near === null ? '' : ` Did you mean ${JSON.stringify(near)}?`;
}
