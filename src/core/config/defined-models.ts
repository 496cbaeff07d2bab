import type { Catalogue, ModelFacts, ModelId } from '../../engine';
import { offeredFacts } from '../base/offers';
import { EVERY_PROVIDER } from './apart';
import { isObject } from './at-path';
import type { ConfigFile } from './schema';
import type { ConfigSource, DefinedModels } from './sources';
import { measuredBy } from './tighten';

/** Keys of a model and of a provider that leave it what it is, what it costs and who made it. */
const PLAIN_MODEL: ReadonlySet<string> = new Set([
  ...['options', 'headers', 'variants', 'limit', 'modalities', 'attachment', 'reasoning', 'temperature', 'tool_call'],
  ...['status', 'disabled', 'release_date'],
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
  const { family, cost } = isObject(model) ? model : {};
  const prices = isObject(cost) ? { input: asPrice(cost.input), output: asPrice(cost.output) } : {};
  const { vendor, priceIn, priceOut } = offeredFacts(name, {
    ...(typeof family === 'string' ? { family } : {}),
    cost: prices,
  });
  return {
    ...(vendor === undefined ? {} : { vendor }),
    ...(priceIn === undefined || priceOut === undefined ? {} : { priceIn, priceOut }),
  };
}

const asPrice = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;

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

/**
 * What a project says of models is not believed for limits of the user's own: a model that is free by a project's word, or of
 * another vendor, would pass them. The user's own files say otherwise where they define the same model. Source: ADR 0043.
 *
 * @param own what the user's own files say together. @param merged what is in force.
 * @param isLate the project's files are still to be read, and may define any model.
 */
export function doubtsIn(
  { own, merged }: Readonly<{ own: ConfigFile; merged: ConfigFile }>,
  files: Readonly<{ projects: readonly ConfigSource[]; users: readonly ConfigSource[]; isLate: boolean }>,
): Doubts {
  const { isVendorHeld, isPriceHeld } = measuredBy(own, merged);
  if (!isVendorHeld && !isPriceHeld) return NO_DOUBTS;
  const theirs = new Set(files.projects.flatMap(({ defines = {} }) => Object.keys(defines)));
  const isEvery = files.isLate || files.projects.some(({ providers }) => providers?.includes(EVERY_PROVIDER));
  if (theirs.size === 0 && !isEvery) return NO_DOUBTS;
  // The strongest file last: it wins.
  const users = new Map(files.users.toReversed().flatMap(({ defines = {} }) => Object.entries(defines)));
  const isDoubted = (model: ModelId): boolean => {
    if (!isEvery && !theirs.has(model)) return false;
    const said = users.get(model);
    return said === undefined || (isPriceHeld && said.priceIn === undefined);
  };
  const believedOf = (model: ModelId, { vendor: _, priceIn: _in, priceOut: _out, ...facts }: ModelFacts): ModelFacts =>
    // A vendor that is nobody else's.
    isDoubted(model) ? { ...facts, vendor: model.toLowerCase(), ...NO_PRICE } : { ...facts, ...users.get(model) };
  return {
    isDoubted,
    isVendorHeld,
    believed(catalogue) {
      const models = new Set([...Object.keys(catalogue ?? {}), ...theirs]);
      const changed = [...models].map((model) => {
        const facts = (catalogue && Object.hasOwn(catalogue, model) ? catalogue[model] : undefined) ?? {};
        return [model, isEvery || theirs.has(model) ? believedOf(model, facts) : facts] as const;
      });
      return Object.fromEntries(changed);
    },
  };
}
