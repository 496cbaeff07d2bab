import type { Considered } from '../base/decision';
import { type ModelId, providerOf, unaccounted } from '../base/ids';
import { type FailureKind, isOfAccount } from '../base/kinds';
import type { Shortage } from '../base/window';
import type { Standing } from '../health/standing';
import type { EngineState, Session, Turn } from '../state/state';
import type { Drain } from './drain';
import { refillMs, shortOf } from './headroom';
import { haltedBy } from './money';

export type Failed = Readonly<{ model: ModelId; kind?: FailureKind | null }>;

export type WalkContext = Readonly<{
  state: EngineState;
  now: number;
  turn: Turn | undefined;
  session: Session | undefined;
  tried: readonly Failed[];
  /** Failures shared by accounts of the same model. */
  failed: readonly Failed[];
  /** `isOfAll`: also for the provider's other accounts. */
  failedProvider: Readonly<{ id: string; isOfAll: boolean }> | null;
  /** Null if no limit moves a turn. */
  drainOf: ((model: ModelId) => Drain | null) | null;
  shorts: Map<ModelId, Shortage>;
  drains: Map<ModelId, Drain>;
}>;

export type Candidate = Readonly<{
  model: ModelId;
  standing: Standing;
  unfit: string | null | undefined;
  backInMs: number | null;
}>;

/** The lowest sum of ranks wins. */
export type Finding = Pick<Considered, 'code' | 'backInMs'> &
  Readonly<{ verdict: 'failed' | 'skipped'; rank?: undefined } | { verdict?: undefined; rank: number }>;

type Check = (candidate: Candidate, context: WalkContext) => Finding | null;

/** Each exceeds the sum of those before it. */
export const RANK = { resting: 1, drain: 2, limit: 4, left: 8, budget: 16 } as const;

const excluded = (code: string, backInMs: number | null): Finding => ({ verdict: 'skipped', code, backInMs });

const failedInTurn: Check = ({ model, backInMs }, { tried }) =>
  tried.some((entry) => entry.model === model) ? { verdict: 'failed', code: 'chain.tried', backInMs } : null;

const failedElsewhere: Check = ({ model, backInMs }, { failed }) =>
  failed.some((entry) => entry.model !== model && unaccounted(entry.model) === unaccounted(model))
    ? excluded('account.same', backInMs)
    : null;

const isUnfit: Check = ({ unfit, backInMs }) => (unfit ? excluded(unfit, backInMs) : null);

const refusedDrain: Check = ({ model }, { drainOf, drains }) => {
  const drain = drainOf?.(model);
  if (drain) drains.set(model, drain);
  return drain?.mode === 'never' ? excluded('headroom.drain', null) : null;
};

const isUnavailable: Check = ({ standing: { use, code }, backInMs }) =>
  use === 'out' ? excluded(code ?? 'model.out', backInMs) : null;

const failedProvider: Check = ({ model, backInMs }, { failedProvider: failed }) => {
  if (failed === null) return null;
  const provider = providerOf(model);
  const isSame = provider === failed.id || (failed.isOfAll && unaccounted(provider) === unaccounted(failed.id));
  return isSame ? excluded('provider.failed', backInMs) : null;
};

const ranked = (rank: number, code: string, backInMs: number | null = null): Finding => ({ rank, code, backInMs });

const isResting: Check = ({ standing: { use, code } }) =>
  use === 'first' && code === null ? null : ranked(use === 'first' ? 0 : RANK.resting, code ?? 'chain.later');

const drainsPlan: Check = ({ model }, { drains }) => (drains.has(model) ? ranked(RANK.drain, 'headroom.drain') : null);

const wasLeft: Check = ({ model }, { turn, session }) => {
  if (session?.refused?.includes(refusalOf(session, model))) return ranked(RANK.left, 'chain.refused');
  return turn?.left?.includes(model) ? ranked(RANK.left, 'chain.left') : null;
};

const reachesLimit: Check = ({ model }, { state, turn, now, drainOf, shorts }) => {
  if (!turn || drainOf === null) return null;
  const short = shortOf(state, turn, model, now);
  if (!short || refillMs(short, turn, { state, model, now }) !== null) return null;
  shorts.set(model, short);
  const isHalted = short.unit === 'dollars' && haltedBy(state, turn, model, now) !== null;
  const backInMs = short.until === null ? null : Math.max(0, short.until - now);
  return ranked(RANK.limit + (isHalted ? RANK.budget : 0), short.code, backInMs);
};

/**
 * The first exclusion ends the checks; the last finding is the reason. Needs and drains precede health: a turn never
 * waits for a model that may not handle it.
 */
export const CHECKS: readonly Check[] = [
  failedInTurn,
  failedElsewhere,
  isUnfit,
  refusedDrain,
  isUnavailable,
  failedProvider,
  isResting,
  drainsPlan,
  wasLeft,
  reachesLimit,
];

export function sharedFailures(
  chain: readonly ModelId[],
  standings: readonly Standing[],
  tried: readonly Failed[],
): readonly Failed[] {
  const failed = [...tried];
  for (const [at, { use, kind }] of standings.entries())
    if (use === 'out') failed.push({ model: chain[at] ?? '', kind });
  return failed.filter(({ kind }) => kind && !isOfAccount(kind));
}

/** Entry in `session.refused`: the model refused messages of the last answering model. */
export const refusalOf = ({ answered = '' }: Session, model: ModelId): string => `${answered}|${model}`;
