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

/** The section `council` of the files in force, as `mergedConfig` gives it: a project has only tightened it. */
export type CouncilSection = NonNullable<ConfigFile['council']>;

export type KnownModels = Readonly<{
  catalogue: Catalogue;
  /** Every model that OpenCode lists; null, or none at all, where it has not said. */
  models: readonly ModelId[] | null;
  defaultModel: ModelId | null;
  /** The models of the user's agents, in order; one may stand there more than once. */
  chains: readonly ModelId[];
}>;

/** Who takes part in a run, or why nobody can, in sentences for people. */
export type CouncilSettings =
  | Readonly<{ settings: Settings; heroes: readonly Hero[] }>
  | Readonly<{ problems: readonly string[] }>;

const NOBODY =
  'Nobody can take part: no agent of yours has a model, and OpenCode has no default model. Write who speaks into model-fallback.json, such as "council": { "speakers": { "claude": { "model": "anthropic/claude-sonnet-4" } } }.';
const NOT_TOLD =
  'It is not known yet who could take part: OpenCode tells of its models when it is opened with the companion, which understudy install adds. Or write who speaks into model-fallback.json, such as "council": { "speakers": { "claude": { "model": "anthropic/claude-sonnet-4" } } }.';
const ALL_OFF = 'Every speaker of council.speakers is switched off. Write "enabled": true for one of them.';
/** Stands for every speaker in commands. */
const RESERVED = 'all';

/**
 * What a council runs with: speakers as they are written, else one for each model of `council.models.heroes`, else one for
 * each vendor of the user's chains, else OpenCode's default model alone. `heroes` are those that the file adds.
 *
 * @param section undefined where no file says anything of a council.
 */
export function councilSettings(section: CouncilSection | undefined, known: KnownModels): CouncilSettings {
  const { speakers: cast, oracle, players } = castOf(section ?? {}, known);
  const speakers = cast.map((speaker) => withFallbackVendor(speaker, known.catalogue));
  const [first] = speakers;
  if (first === undefined)
    return {
      problems: [Object.keys(section?.speakers ?? {}).length > 0 ? ALL_OFF : known.models === null ? NOT_TOLD : NOBODY],
    };
  const problems = speakers.flatMap((speaker) => problemsOf(speaker, known));
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

/** A vendor that the user names holds for what is known to be of the same as the speaker's own model. */
function withFallbackVendor(speaker: Speaker, catalogue: Catalogue): Speaker {
  const { model, fallback, vendor } = speaker;
  if (fallback === null) return speaker;
  const other = vendorOf(catalogue, fallback);
  return { ...speaker, fallbackVendor: other === vendorOf(catalogue, model) ? vendor : other };
}

type Cast = Readonly<{
  speakers: readonly Speaker[];
  oracle: ModelId | null;
  /** Those that are written for heroes; none where every speaker plays. */
  players: readonly ModelId[];
}>;

function castOf({ speakers = {}, models = {} }: CouncilSection, known: KnownModels): Cast {
  const written = Object.entries(speakers);
  const on = written.filter(([, { enabled }]) => enabled !== false);
  // Who is switched off does not come back by another key.
  const isOff = (model: ModelId): boolean =>
    written.some(([, speaker]) => speaker.model === model) && !on.some(([, speaker]) => speaker.model === model);
  const players = [...new Set(models.heroes)].filter((model) => !isOff(model));
  const oracle = models.oracle === undefined || isOff(models.oracle) ? null : models.oracle;
  const ofFile = on.map(([name, speaker]) => named(name, speaker, known.catalogue));
  const isSaid = written.length > 0 || players.length > 0;
  const all = [...players, ...(oracle === null ? [] : [oracle])].reduce<readonly Speaker[]>(
    (list, model) => withModel(list, model, known),
    isSaid ? ofFile : ofChains(known),
  );
  return { speakers: all, oracle, players };
}

/** One speaker for each vendor of the user's chains, with the next model of that vendor as its fallback. */
function ofChains(known: KnownModels): readonly Speaker[] {
  const { catalogue, chains, defaultModel } = known;
  // Nobody has written these for a council: what OpenCode does not have is left out and refuses nothing.
  const chain = [...new Set(chains)].filter((model) => isListed(known, model) && !isByAccount(known, model));
  if (chain.length === 0) return defaultModel === null ? [] : withModel([], defaultModel, known);
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

/** The short name of a model, with a number behind it where that is taken. */
function freeName(model: ModelId, taken: readonly string[]): string {
  const short = (model.split('/').findLast((part) => part !== '') ?? model).replaceAll(/\s+/g, '-');
  for (let at = 1; ; at += 1) {
    const name = at === 1 ? short : `${short}-${at}`;
    if (!taken.includes(name)) return name;
  }
}

const isListed = ({ models }: Pick<KnownModels, 'models'>, model: ModelId): boolean =>
  !models?.length || models.includes(model);

/** A model by one of the user's accounts: whoever takes part is asked by the one in use, and nobody by another than is written. */
const isByAccount = ({ models }: Pick<KnownModels, 'models'>, model: ModelId): boolean =>
  accountIn(model) !== null && models?.includes(model) !== true;

/** Why a speaker cannot take part, in words. */
function problemsOf(speaker: Speaker, known: KnownModels): readonly string[] {
  const unlisted = unlistedOf(speaker, known);
  // Whose model it is shows once it is written as the one that is asked.
  const isAccounts = modelsOf(speaker).some((model) => isByAccount(known, model));
  return isAccounts ? unlisted : [...unlisted, ...speakerProblems([speaker], known.catalogue)];
}

const modelsOf = ({ model, fallback }: Speaker): readonly ModelId[] => [...new Set([model, fallback ?? model])];

/**
 * What of a speaker's models OpenCode does not list, or a council does not ask, in sentences; nothing of the first where it has
 * not said what it lists.
 */
export function unlistedOf(speaker: Speaker, known: Pick<KnownModels, 'models'>): readonly string[] {
  const { name } = speaker;
  return modelsOf(speaker).flatMap((model) => {
    if (isByAccount(known, model)) return [`${name}: ${plainlyText(model)}`];
    if (isListed(known, model)) return [];
    return [`${name}: OpenCode has no model ${JSON.stringify(model)}.${hintFor(model, known)}`];
  });
}

function plainlyText(model: ModelId): string {
  const plain = unaccounted(model);
  return `a council asks whichever account of ${providerOf(plain)} is in use. Write ${JSON.stringify(plain)} in place of ${JSON.stringify(model)}.`;
}

function hintFor(model: ModelId, { models }: Pick<KnownModels, 'models'>): string {
  const near = nearest(model, models ?? []);
  return near === null ? '' : ` Did you mean ${JSON.stringify(near)}?`;
}
