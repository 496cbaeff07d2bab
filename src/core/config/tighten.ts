import { FAILURE_KINDS, type FailureKind, type Policy } from '../../engine';
import { DEFAULT_MAX_COST, DEFAULT_PARALLEL } from '../../features/council/contract/defaults';
import { valueAt } from './at-path';
import { hasChain, ownAgent } from './merge';
import { createPolicies, type NamedPolicy } from './policies';
import type { KeyPath } from './problem';
import { pathText } from './problem';
import { type ConfigFile, DEFAULTS } from './schema';

/** Another value needs a new approval. Source: ADR 0026. */
export type Loosening = Readonly<{
  path: KeyPath;
  theirs: string;
  own: string;
  /** `own` is the default, not set in a file of the user. */
  isDefault?: true;
}>;

export const loosensAs = ({ path, theirs }: Loosening): string => `${pathText(path)} = ${theirs}`;

const LEAD_KEYS: readonly unknown[] = ['fallbackModels', 'tiers', 'currentModel'];
/** `own` is then the primary without it. */
export const isOfLead = ({ path }: Pick<Loosening, 'path'>): boolean => LEAD_KEYS.includes(path[2]);

type Limit = Readonly<{
  path: KeyPath;
  isLooser: (theirs: unknown, own: unknown) => boolean;
  standard?: number;
}>;

const isMore = (theirs: unknown, own: unknown): boolean =>
  typeof own === 'number' && (theirs === null || (typeof theirs === 'number' && theirs > own));

/** A project may allow no more than the user's own file, or the default. */
const LIMITS: readonly Limit[] = [
  { path: ['defaults', 'vendorLock'], isLooser: (theirs, own) => own === true && theirs !== true },
  { path: ['defaults', 'maxPriceRatio'], isLooser: isMore },
  { path: ['defaults', 'maxFallbackDepth'], isLooser: isMore },
  { path: ['defaults', 'retryBudget', 'perSession'], isLooser: isMore },
  { path: ['defaults', 'retryBudget', 'failingTurns'], isLooser: isMore, standard: DEFAULTS.retryBudget.failingTurns },
  { path: ['council', 'parallel'], isLooser: isMore, standard: DEFAULT_PARALLEL },
  { path: ['council', 'maxCost'], isLooser: isMore, standard: DEFAULT_MAX_COST },
];

export type OwnConfig = Readonly<{
  config: ConfigFile;
  policyOf: (agent: string) => NamedPolicy;
  asks: boolean;
}>;

export function ownOf(config: ConfigFile): OwnConfig {
  const find = createPolicies(config, () => undefined);
  const policyOf = (agent: string): NamedPolicy => find(agent, hasChain(ownAgent(config, agent)));
  const asks = ['*', ...Object.keys(config.agents ?? {})].some((agent) => asksIn(policyOf(agent).rows));
  return { config, policyOf, asks };
}

/** Without limits that the user has let a project loosen. */
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

export type Tightened = Readonly<{ merged: ConfigFile; kept: readonly Loosening[] }>;

/**
 * A project may tighten limits and add new ones. @param own the user's own files merged. @param merged all files
 * merged.
 */
export function tightened(own: OwnConfig, merged: ConfigFile, trusted: ReadonlySet<string>): Tightened {
  const loosenings: Loosening[] = [];
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
    loosenings.push(loosening);
    config = withValue(config, path, value);
  };
  for (const { path, isLooser, standard } of LIMITS) {
    const [theirs, value] = [valueAt(merged, path), valueAt(own.config, path)];
    if (isLooser(theirs, value === undefined ? standard : value)) keep(path, theirs, value, standard);
  }
  // Under another name a failure has another row, so a project must not name failures if the user wants questions.
  const { patterns } = own.config;
  if (own.asks && JSON.stringify(merged.patterns) !== JSON.stringify(patterns))
    keep(['patterns'], merged.patterns, patterns);
  return { merged: config, kept: loosenings };
}

const movesUnasked = (steps: Policy[FailureKind]): boolean => {
  const at = steps.findIndex(({ step }) => step === 'switch' || step === 'switchLarger');
  const askAt = steps.findIndex(({ step, when }) => step === 'ask' && when === undefined);
  return at >= 0 && (askAt < 0 || at < askAt);
};

export const asksIn = (rows: Policy): boolean =>
  FAILURE_KINDS.some((kind) => rows[kind].some(({ step }) => step === 'ask'));

/**
 * If the user wants questions, a project must not skip them by any route: an entry, `*`, a default, a policy of the
 * same name. @param keep returns whether the loosening is not approved.
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

function withValue(config: ConfigFile, [first = '', ...rest]: KeyPath, value: unknown): ConfigFile {
  const { [first as keyof ConfigFile]: inner, ...others } = config;
  const next = rest.length === 0 ? value : withValue((inner ?? {}) as ConfigFile, rest, value);
  return (next === undefined ? others : { ...others, [first]: next }) as ConfigFile;
}
