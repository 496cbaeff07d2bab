import { FAILURE_KINDS, type FailureKind, type Policy } from '../../engine';
import { DEFAULT_MAX_COST, DEFAULT_PARALLEL } from '../../features/council/contract/defaults';
import { valueAt } from './at-path';
import { hasChain, ownAgent } from './merge';
import { createPolicies, type NamedPolicy } from './policies';
import type { KeyPath } from './problem';
import { pathText } from './problem';
import { type ConfigFile, DEFAULTS } from './schema';

/**
 * A limit of the user's own that a project would loosen. What it asks for is known by its key and its very value: another
 * value is another question. Source: ADR 0026.
 */
export type Loosening = Readonly<{
  path: KeyPath;
  /** Both as JSON. */
  theirs: string;
  own: string;
  /** `own` stands in no file of the user's: it is the default. */
  isDefault?: true;
}>;

/** How a yes to a loosening is kept: the key and the value it was said to. */
export const loosensAs = ({ path, theirs }: Loosening): string => `${pathText(path)} = ${theirs}`;

/** The keys of an agent by which a project would have another model lead it. */
const LEAD_KEYS: readonly unknown[] = ['fallbackModels', 'tiers', 'currentModel'];
/** Whether a loosening is of the model that leads an agent: then `own` is whoever leads it without. */
export const isOfLead = ({ path }: Pick<Loosening, 'path'>): boolean => LEAD_KEYS.includes(path[2]);

type Limit = Readonly<{
  path: KeyPath;
  /** Whether a value allows what the user's forbids. */
  isLooser: (theirs: unknown, own: unknown) => boolean;
  /** What a project may not loosen where the user's own file says nothing; absent where that is no limit. */
  standard?: number;
}>;

const isMore = (theirs: unknown, own: unknown): boolean =>
  typeof own === 'number' && (theirs === null || (typeof theirs === 'number' && theirs > own));

/** The limits that protect; each allows no more than the user's own file does, where that has one, else than its default. */
const LIMITS: readonly Limit[] = [
  { path: ['defaults', 'vendorLock'], isLooser: (theirs, own) => own === true && theirs !== true },
  { path: ['defaults', 'maxPriceRatio'], isLooser: isMore },
  { path: ['defaults', 'maxFallbackDepth'], isLooser: isMore },
  { path: ['defaults', 'retryBudget', 'perSession'], isLooser: isMore },
  { path: ['defaults', 'retryBudget', 'failingTurns'], isLooser: isMore, standard: DEFAULTS.retryBudget.failingTurns },
  { path: ['council', 'parallel'], isLooser: isMore, standard: DEFAULT_PARALLEL },
  { path: ['council', 'maxCost'], isLooser: isMore, standard: DEFAULT_MAX_COST },
];

/** What the user's own files say together, and what that means for whoever is asked. */
export type OwnConfig = Readonly<{
  config: ConfigFile;
  policyOf: (agent: string) => NamedPolicy;
  /** Whether any policy in force by them asks before it moves a turn. */
  asks: boolean;
}>;

/** Reads the user's own files once for all that is compared with them. */
export function ownOf(config: ConfigFile): OwnConfig {
  const find = createPolicies(config, () => undefined);
  const policyOf = (agent: string): NamedPolicy => find(agent, hasChain(ownAgent(config, agent)));
  const asks = ['*', ...Object.keys(config.agents ?? {})].some((agent) => asksIn(policyOf(agent).rows));
  return { config, policyOf, asks };
}

/**
 * The limits of the user's own in force that go by whose a lead is, and by what it costs; one that the user has let a project
 * loosen is none.
 */
export function measuredBy(
  own: ConfigFile,
  merged: ConfigFile,
): Readonly<{ isVendorHeld: boolean; isPriceHeld: boolean }> {
  const [mine, all] = [own.defaults ?? {}, merged.defaults ?? {}];
  return {
    isVendorHeld: mine.vendorLock === true && all.vendorLock === true,
    isPriceHeld: typeof mine.maxPriceRatio === 'number' && typeof all.maxPriceRatio === 'number',
  };
}

/** What the files say together, and what of it a project would have loosened. */
export type Tightened = Readonly<{ merged: ConfigFile; kept: readonly Loosening[] }>;

/**
 * The configuration with the user's limits where a project's are looser and nobody has said yes to that. A project may
 * tighten whatever it likes, and may limit what the user has not.
 *
 * @param own what the user's own files say together. @param merged what all files say together.
 */
export function tightened(own: OwnConfig, merged: ConfigFile, trusted: ReadonlySet<string>): Tightened {
  const kept: Loosening[] = [];
  let config = merged;
  const keep = (path: KeyPath, theirs: unknown, value: unknown, standard?: number): void => {
    const isDefault = value === undefined && standard !== undefined;
    const loosening: Loosening = {
      path,
      theirs: JSON.stringify(theirs ?? null),
      own: JSON.stringify((isDefault ? standard : value) ?? null),
      ...(isDefault ? { isDefault } : {}),
    };
    if (trusted.has(loosensAs(loosening))) return;
    kept.push(loosening);
    config = withValue(config, path, value);
  };
  for (const { path, isLooser, standard } of LIMITS) {
    const [theirs, value] = [valueAt(merged, path), valueAt(own.config, path)];
    if (isLooser(theirs, value === undefined ? standard : value)) keep(path, theirs, value, standard);
  }
  // A failure by another name is another row: where the user wants to be asked, a project names none.
  const { patterns } = own.config;
  if (own.asks && JSON.stringify(merged.patterns) !== JSON.stringify(patterns))
    keep(['patterns'], merged.patterns, patterns);
  return { merged: config, kept };
}

const movesUnasked = (steps: Policy[FailureKind]): boolean => {
  const at = steps.findIndex(({ step }) => step === 'switch' || step === 'switchLarger');
  const asked = steps.findIndex(({ step, when }) => step === 'ask' && when === undefined);
  return at >= 0 && (asked < 0 || at < asked);
};

export const asksIn = (rows: Policy): boolean =>
  FAILURE_KINDS.some((kind) => rows[kind].some(({ step }) => step === 'ask'));

/**
 * The rows of an agent's policy with the user's own where the user wants to be asked and these would move the turn unasked, by
 * whatever detour: an entry, the entry `*`, a default, a policy of the same name.
 *
 * @param keep notes what would be loosened, and says whether the user's own stands: nobody has said yes to it.
 */
export function askingRows(
  own: OwnConfig,
  agent: string,
  { rows, at }: NamedPolicy,
  keep: (loosening: Loosening) => boolean,
): Policy {
  const mine = own.policyOf(agent).rows;
  if (!asksIn(mine)) return rows;
  const looser = FAILURE_KINDS.filter((kind) => !movesUnasked(mine[kind]) && movesUnasked(rows[kind]));
  if (looser.length === 0) return rows;
  const only = (policy: Policy) => JSON.stringify(Object.fromEntries(looser.map((kind) => [kind, policy[kind]])));
  const isKept = keep({ path: at, theirs: only(rows), own: only(mine) });
  return isKept ? { ...rows, ...Object.fromEntries(looser.map((kind) => [kind, mine[kind]])) } : rows;
}

/** A copy with one value in it, or without it where it is undefined. */
function withValue(config: ConfigFile, [first = '', ...rest]: KeyPath, value: unknown): ConfigFile {
  const { [first as keyof ConfigFile]: inner, ...others } = config;
  const next = rest.length === 0 ? value : withValue((inner ?? {}) as ConfigFile, rest, value);
  return (next === undefined ? others : { ...others, [first]: next }) as ConfigFile;
}
