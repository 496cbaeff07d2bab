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

/** Keys that change neither identity nor cost or vendor. */
const PLAIN_MODEL: ReadonlySet<string> = new Set([
  ...['options', 'headers', 'variants', 'limit', 'modalities', 'attachment', 'reasoning', 'temperature', 'tool_call'],
  ...['status', 'disabled', 'release_date', 'name'],
]);
const PLAIN_PROVIDER: ReadonlySet<string> = new Set(['models', 'options', 'whitelist', 'blacklist']);

/** An entry that only tunes a catalogue model defines none. */
export function definedModels(section: unknown): DefinedModels {
  if (!isObject(section)) return {};
  const models = Object.entries(section).flatMap(([provider, definition]) => {
    if (!isObject(definition) || !isObject(definition.models)) return [];
    const isNew =
      Object.keys(definition).some((key) => !PLAIN_PROVIDER.has(key)) ||
      (isObject(definition.options) && 'baseURL' in definition.options);
    return Object.entries(definition.models)
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

export type Doubts = Readonly<{
  /** Only the project gives cost or vendor, and a limit of the user depends on it. */
  isDoubted(model: ModelId): boolean;
  isVendorHeld: boolean;
  believed(catalogue: Catalogue | undefined): Catalogue | undefined;
}>;

const NO_DOUBTS: Doubts = { isDoubted: () => false, isVendorHeld: false, believed: (catalogue) => catalogue };

/** Selected as the primary, nothing may cost more than it; as a fallback model it is in no chain. */
const NO_PRICE = { priceIn: 0, priceOut: 0 };

type Said = Readonly<{ projects: readonly ConfigSource[]; users: readonly ConfigSource[]; isLate: boolean }>;

/** @param isLate the project's files are still being read and may define any model. */
function definitionsIn({ projects, users, isLate }: Said) {
  const named = projects.flatMap(({ defines = {} }) => Object.entries(defines));
  const theirs: ReadonlySet<ModelId> = new Set(named.map(([model]) => model));
  const isEvery = isLate || projects.some(({ providers }) => providers?.includes(EVERY_PROVIDER));
  // The strongest file last: it wins.
  const own = new Map(users.toReversed().flatMap(({ defines = {} }) => Object.entries(defines)));
  // The user's definition does not apply if the project gave another model this name.
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
 * A project's definition could pass the user's limits as free or of another vendor. Source: ADR 0043. @param own the
 * user's own files merged. @param merged the configuration in force.
 */
export function doubtsIn({ own, merged }: Readonly<{ own: ConfigFile; merged: ConfigFile }>, files: Said): Doubts {
  const { isVendorHeld, isPriceHeld } = measuredBy(own, merged);
  if (!isVendorHeld && !isPriceHeld) return NO_DOUBTS;
  const { theirs, isTheirs, isEvery, ownWord } = definitionsIn(files);
  if (theirs.size === 0 && !isEvery) return NO_DOUBTS;
  const isDoubted = (model: ModelId): boolean => {
    if (!isTheirs(model)) return false;
    const facts = ownWord(model);
    return facts === undefined || (isPriceHeld && facts.priceIn === undefined);
  };
  const believedOf = (model: ModelId, { vendor: _, priceIn: _in, priceOut: _out, ...facts }: ModelFacts): ModelFacts =>
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

export type Repriced = Readonly<{
  models: Readonly<Record<ModelId, ModelCost | null>>;
  /** The project may define any model. */
  isEvery: boolean;
}>;

/** Replaces a project's prices in budgets; null if the project defines no model. Source: ADR 0074. */
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

export function unpricedIn({ models, isEvery }: Repriced): Unpriced {
  // An invalid name would make the app reject the whole message.
  const named = Object.entries(models).filter(([model]) => isModelRef(model));
  const priced = named.flatMap(([model, cost]) => (cost === null ? [] : [model]));
  const unknown = named.flatMap(([model, cost]) => (cost === null ? [model] : []));
  const isAllBut = isEvery || unknown.length > CATALOGUE_MAX;
  return { isAllBut, models: (isAllBut ? priced : unknown).slice(0, CATALOGUE_MAX) };
}

/** Undefined unless the project defines the model, null without another source. */
export function costBy({ models, isEvery }: Repriced, model: ModelId): ModelCost | null | undefined {
  const name = unaccounted(model);
  return Object.hasOwn(models, name) ? (models[name] ?? null) : isEvery ? null : undefined;
}
