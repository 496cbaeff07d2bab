import { writtenModel } from '../../contract/written-model';
import { accountIn, type ModelId } from '../../engine';
import { asAsked } from './accounts';
import { isGlob, matchesGlob } from './glob';
import { hasChain, ownAgent } from './merge';
import type { KeyPath } from './problem';
import type { AgentEntry, ConfigFile } from './schema';
import { MAX_CHAIN } from './schema';
import type { Complain, HostModels } from './sources';
import { PLAIN_VARIANT, unknownVariant, variantsOf } from './variants';

export const EVERY_OTHER = '*';
const MAX_EXPANDED = 2_000;

type Inputs = Readonly<{ merged: ConfigFile; host: HostModels; complain: Complain }>;
type Entry = Readonly<{ model: string; path: KeyPath }>;

export type WrittenList = Readonly<{ models: readonly ModelId[]; variants: ReadonlyMap<ModelId, string> }>;

/** Tiers after single models, globs expanded; null without an entry. */
export function writtenList(inputs: Inputs, name: string): WrittenList | null {
  const entry = ownAgent(inputs.merged, name);
  return entry === undefined || !hasChain(entry) ? null : expandedIn(inputs, name, entriesOf(entry, ['agents', name]));
}

export const tooLong = ({ complain }: Pick<Inputs, 'complain'>, name: string, count: number): void =>
  complain(
    'chain.too_long',
    ['agents', name],
    `The chain of ${name} has ${count} models; the first ${MAX_CHAIN} are used.`,
  );

/** Limits entries before expansion: a pattern may match a thousand models. */
function expandedIn(inputs: Inputs, name: string, entries: readonly Entry[]): WrittenList {
  if (entries.length > MAX_CHAIN) tooLong(inputs, name, entries.length);
  const models = new Set<ModelId>();
  const variants = new Map<ModelId, string>();
  for (const { model: written, path } of entries.slice(0, MAX_CHAIN)) {
    const { model, variant } = writtenModel(written, inputs.host.models);
    for (const expanded of expand(inputs, asAsked(inputs.host, model), path)) {
      const fitting = asAsked(inputs.host, expanded);
      if (variant !== null && !models.has(fitting) && hasVariant(inputs, { model: fitting, variant }, path))
        variants.set(fitting, variant);
      models.add(fitting);
    }
    if (models.size >= MAX_EXPANDED) break;
  }
  return { models: [...models].slice(0, MAX_EXPANDED), variants };
}

/** OpenCode 2 ends a turn whose model has no such variant. */
function hasVariant(
  { host, complain }: Inputs,
  written: Readonly<{ model: ModelId; variant: string }>,
  path: KeyPath,
): boolean {
  const variants = variantsOf(host.catalogue, written.model);
  if (variants === null || written.variant === PLAIN_VARIANT || variants.includes(written.variant)) return true;
  complain('variant.unknown', path, `${unknownVariant(written, variants)}.`);
  return false;
}

export function entriesOf(entry: AgentEntry, path: KeyPath): Entry[] {
  const single = (entry.fallbackModels ?? []).map((model, index) => ({
    model,
    path: [...path, 'fallbackModels', index],
  }));
  const tiered = (entry.tiers ?? []).flatMap((tier, at) =>
    tier.models.map((model, index) => ({ model, path: [...path, 'tiers', at, 'models', index] })),
  );
  return [...single, ...tiered];
}

function expand({ host, complain }: Inputs, model: string, path: KeyPath): readonly ModelId[] {
  if (!isGlob(model)) return [model];
  // A pattern without an account only matches the account in use.
  const isPlain = (candidate: ModelId): boolean => accountIn(candidate) === null || accountIn(model) !== null;
  const fitting = (host.models ?? []).filter((candidate) => isPlain(candidate) && matchesGlob(model, candidate));
  if (fitting.length === 0) {
    complain('glob.empty', path, `No model of OpenCode matches ${JSON.stringify(model)}. The entry is skipped.`);
  }
  return fitting;
}
