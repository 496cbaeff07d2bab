import { type Catalogue, type ModelFacts, type ModelId, nameOf, type Unpriced, unaccounted } from '../../engine';
import { factsOf } from '../../engine/tools';
import { CATALOGUE_MAX, isModelRef } from '../../protocol';
import { offeredFacts } from '../base/offers';
import { EVERY_PROVIDER } from './apart';
import { isObject } from './at-path';
import { costIn, type ModelCost } from './model-cost';
import type { ConfigFile } from './schema';
import type { ConfigSource, DefinedModel, DefinedModels } from './sources';
import { measuredBy } from './tighten';

/** Keys of a model and of a provider that leave it what it is, what it costs and who made it. */
const PLAIN_MODEL: ReadonlySet<string> = new Set([
  ...['options', 'headers', 'variants', 'limit', 'modalities', 'attachment', 'reasoning', 'temperature', 'tool_call'],
  ...['status', 'disabled', 'release_date', 'name'],
]);
const PLAIN_PROVIDER: ReadonlySet<string> = new Set(['models', 'options', 'whitelist', 'blacklist']);

/**
 * The models that a section of providers defines. One that only tunes a model of the catalogue defines none: without a word
 * on how a provider is asked, there is no provider but the catalogue's.
 */
export function definedModels(section: unknown): DefinedModels {
  if (!isObject(section)) return {};
  const models = Object.entries(section).flatMap(([provider, said]) => {
    if (!isObject(said) || !isObject(said.models)) return [];
    const isNew =
      Object.keys(said).some((key) => !PLAIN_PROVIDER.has(key)) ||
      (isObject(said.options) && 'baseURL' in said.options);
    return Object.entries(said.models)
      .filter(([, model]) => isNew || !isObject(model) || Object.keys(model).some((key) => !PLAIN_MODEL.has(key)))
      .map(([name, model]) => [`${provider}/${name}`, saidOf(name, model)] as const);
  });
  return Object.fromEntries(models);
}

function saidOf(name: string, model: unknown): DefinedModels[ModelId] {
  const { family, cost: written, id, modelID: asks = id } = isObject(model) ? model : {};
  const cost = costIn(written);
  const { vendor, priceIn, priceOut } = offeredFacts(name, {
    ...(typeof family === 'string' ? { family } : {}),
    ...(cost ? { cost } : {}),
  });
  return {
    ...(vendor === undefined ? {} : { vendor }),
    ...(priceIn === undefined || priceOut === undefined ? {} : { priceIn, priceOut }),
    ...(cost ? { cost } : {}),
    ...(typeof asks === 'string' ? { asks } : {}),
  };
}

/** Which limits of the user's own are in force, and what is doubted for them. */
export type Doubts = Readonly<{
  /** Nobody but the project says what the model costs or whose it is, and a limit of the user's asks for that. */
  isDoubted(model: ModelId): boolean;
  /** The user's own `vendorLock` is in force. */
  isVendorHeld: boolean;
  /** What the user's limits may believe: their own word in place of the project's. */
  believed(catalogue: Catalogue | undefined): Catalogue | undefined;
}>;

const NO_DOUBTS: Doubts = { isDoubted: () => false, isVendorHeld: false, believed: (catalogue) => catalogue };

/** As the lead that somebody chose, nothing may be dearer; as an understudy it is in no chain. */
const NO_PRICE = { priceIn: 0, priceOut: 0 };

/** What the files of OpenCode in force say of models: the project's, and the user's. */
type Said = Readonly<{ projects: readonly ConfigSource[]; users: readonly ConfigSource[]; isLate: boolean }>;

/**
 * Which models the project says something of, and the user's word on them.
 *
 * @param isLate the project's files are still to be read, and may define any model.
 */
function definitionsIn({ projects, users, isLate }: Said) {
  const named = projects.flatMap(({ defines = {} }) => Object.entries(defines));
  const theirs: ReadonlySet<ModelId> = new Set(named.map(([model]) => model));
  const isEvery = isLate || projects.some(({ providers }) => providers?.includes(EVERY_PROVIDER));
  // The strongest file last: it wins.
  const own = new Map(users.toReversed().flatMap(({ defines = {} }) => Object.entries(defines)));
  // By a name that the project gave another model, the user has said nothing.
  const renamed = new Set(
    named.flatMap(([model, { asks }]) =>
      asks === undefined || asks === (own.get(model)?.asks ?? nameOf(model)) ? [] : [model],
    ),
  );
  return {
    theirs,
    isTheirs: (model: ModelId): boolean => isEvery || theirs.has(model),
    isEvery,
    own,
    ownWord: (model: ModelId): DefinedModel | undefined => (renamed.has(model) ? undefined : own.get(model)),
  };
}

/**
 * What a project says of models is not believed for limits of the user's own: a model that is free by a project's word, or of
 * another vendor, would pass them. The user's own files say otherwise where they define the same model. Source: ADR 0043.
 *
 * @param own what the user's own files say together. @param merged what is in force.
 */
export function doubtsIn({ own, merged }: Readonly<{ own: ConfigFile; merged: ConfigFile }>, files: Said): Doubts {
  const { isVendorHeld, isPriceHeld } = measuredBy(own, merged);
  if (!isVendorHeld && !isPriceHeld) return NO_DOUBTS;
  const { theirs, isTheirs, isEvery, ownWord } = definitionsIn(files);
  if (theirs.size === 0 && !isEvery) return NO_DOUBTS;
  const isDoubted = (model: ModelId): boolean => {
    if (!isTheirs(model)) return false;
    const said = ownWord(model);
    return said === undefined || (isPriceHeld && said.priceIn === undefined);
  };
  const believedOf = (model: ModelId, { vendor: _, priceIn: _in, priceOut: _out, ...facts }: ModelFacts): ModelFacts =>
    // A vendor that is nobody else's.
    isDoubted(model)
      ? { ...facts, vendor: model.toLowerCase(), ...NO_PRICE }
      : { ...facts, ...factsSaid(ownWord(model) ?? {}) };
  return {
    isDoubted,
    isVendorHeld,
    believed(catalogue) {
      const models = new Set([...Object.keys(catalogue ?? {}), ...theirs]);
      const changed = [...models].map((model) => {
        const facts = (catalogue && Object.hasOwn(catalogue, model) ? catalogue[model] : undefined) ?? {};
        return [model, isTheirs(model) ? believedOf(model, facts) : facts] as const;
      });
      return Object.fromEntries(changed);
    },
  };
}

const factsSaid = ({ cost: _, asks: __, ...facts }: DefinedModel): ModelFacts => facts;

/** What models cost by the user's own word, where a project says something of them; null by nobody's but the project's. */
export type Repriced = Readonly<{
  models: Readonly<Record<ModelId, ModelCost | null>>;
  /** The project may say something of any model: of all others nobody but it says what they cost. */
  isEvery: boolean;
}>;

/**
 * What is reckoned with in place of a project's prices, by the user's budgets, by those that they set later, and by those of other
 * machines; null where the project says nothing of any model. Source: ADR 0074.
 */
export function repricedIn(files: Said): Repriced | null {
  const { theirs, isEvery, own, ownWord } = definitionsIn(files);
  if (theirs.size === 0 && !isEvery) return null;
  const models = [...(isEvery ? new Set([...theirs, ...own.keys()]) : theirs)];
  return { isEvery, models: Object.fromEntries(models.map((model) => [model, ownWord(model)?.cost ?? null])) };
}

export function ownPrices(catalogue: Catalogue | undefined, repriced: Repriced | null): Catalogue | undefined {
  if (catalogue === undefined || repriced === null) return catalogue;
  const priced = Object.entries(repriced.models).flatMap(([model, cost]) =>
    cost === null
      ? []
      : [[model, { ...factsOf(catalogue, model), priceIn: cost.input, priceOut: cost.output }] as const],
  );
  return { ...catalogue, ...Object.fromEntries(priced) };
}

/** The same for the engine, which only has to know of which models nobody can say what they cost. */
export function unpricedIn({ models, isEvery }: Repriced): Unpriced {
  // What is no name of a model is in no chain, and would keep an app from hearing any of it.
  const named = Object.entries(models).filter(([model]) => isModelRef(model));
  const known = named.flatMap(([model, cost]) => (cost === null ? [] : [model]));
  const unknown = named.flatMap(([model, cost]) => (cost === null ? [model] : []));
  const isAllBut = isEvery || unknown.length > CATALOGUE_MAX;
  return { isAllBut, models: (isAllBut ? known : unknown).slice(0, CATALOGUE_MAX) };
}

/** What a model costs that a project says something of; undefined where it says nothing, null where nobody else does. */
export function costBy({ models, isEvery }: Repriced, model: ModelId): ModelCost | null | undefined {
  const name = unaccounted(model);
  return Object.hasOwn(models, name) ? (models[name] ?? null) : isEvery ? null : undefined;
}
