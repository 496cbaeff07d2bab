import type { ScopeConfig } from '../base/config';
import { type HealthKey, type ModelId, providerOf, unaccounted } from '../base/ids';
import type { FailureKind } from '../base/kinds';
import { each, get } from '../base/table';
import type { HeadroomRules, Shortage, Window } from '../base/window';
import { type Asked, shortageOf } from '../headroom/short';
import { isMonth, isPast } from '../headroom/window';
import { keyBy, unbooked } from '../state/books';
import { planIn } from '../state/chain';
import type { EngineState, Speaker, Turn } from '../state/state';
import { type Buying, moneyShort } from './money';

/** Longest wait for a refill, in ms. Source: docs/headroom.md. */
const REFILL_WAIT_MS = 5_000;
/** Waits per model before a switch. */
const REFILL_WAITS = 2;

type Asking = Pick<Turn, 'directory' | 'agent' | 'model' | 'spend' | 'isUnderWay'> & Buying;

/**
 * Limit or budget that the next request would exceed; null if it fits or is unknown: unknown limits never move a turn.
 */
export function shortOf(state: EngineState, turn: Asking, model: ModelId, now: number): Shortage | null {
  return moneyShort(state, turn, model, now) ?? limitOf(state, turn, model, now);
}

export function limitOf(state: EngineState, turn: Asking, model: ModelId, now: number): Shortage | null {
  const scope = get(state.scopes, turn.directory);
  const rules = scope?.headroom;
  if (rules?.act !== 'move') return null;
  const account = providerOf(keyBy(scope, model));
  const windows = actedOn(state, account, rules, now);
  if (!windows || asksFirst(scope, turn.agent)) return null;
  const reserved = keptFrom(rules, account, turn.agent);
  const isUnderWay = turn.isUnderWay === true && turn.model === model;
  return shortageOf(windows, {
    now,
    rules,
    next: { model, spend: turn.spend },
    others: underWay(state, account, now),
    most: isUnderWay ? null : Math.min(rules.moveAt, 1 - reserved),
    isReserved: reserved > 0,
  });
}

/** Reported windows, and with trusted estimates counted ones of unreported limits. */
function actedOn(
  { windows, counted }: EngineState,
  account: HealthKey,
  { trustsEstimates }: HeadroomRules,
  now: number,
): readonly Window[] | undefined {
  const reported = get(windows, account);
  const own = trustsEstimates ? get(counted, account) : undefined;
  if (!own || !reported) return own ?? reported;
  const isTold = ({ lengthMs, unit }: Window): boolean =>
    reported.some(
      (each) =>
        isAsLong(each.lengthMs, lengthMs) &&
        (each.unit === unit || each.unit === 'share') &&
        (each.model ?? each.family) === null &&
        !isPast(each, now),
    );
  return [...reported, ...own.filter((window) => !isTold(window))];
}

/** Treats months as equal. */
const isAsLong = (one: number | null, other: number | null): boolean =>
  one === other || (one !== null && other !== null && isMonth(one) && isMonth(other));

/** For the next message, of unknown size. */
export const shortFor = (state: EngineState, speaker: Buying, model: ModelId, now: number): Shortage | null =>
  shortOf(state, { ...speaker, model, spend: undefined, isUnderWay: false }, model, now);

/** A limit that only one request exceeded lasts until its `until`. */
export function shortNow(
  state: EngineState,
  { why, ...speaker }: Pick<Speaker, 'why'> & Buying,
  lead: ModelId,
  now: number,
): Shortage | null {
  const own = why?.short;
  const isRequests = own?.code === 'headroom.requests' || own?.code === 'headroom.tokens';
  const lasts = own && isRequests && own.until !== null && own.until > now;
  return shortFor(state, speaker, lead, now) ?? (lasts ? own : null);
}

/** Wait in ms; null if another model is better. */
export function refillMs(
  short: Shortage,
  { directory, used }: Pick<Turn, 'directory' | 'used'>,
  { state, model, now }: Readonly<{ state: EngineState; model: ModelId; now: number }>,
): number | null {
  const { abilities = [] } = get(state.scopes, directory) ?? {};
  if (
    short.unit === 'dollars' ||
    short.until === null ||
    !abilities.includes('hold.start') ||
    (used?.[`refill|${model}`] ?? 0) >= REFILL_WAITS
  )
    return null;
  const leftMs = Math.max(0, short.until - now);
  // One ms more, so that the refill is complete when computed again.
  return leftMs <= REFILL_WAIT_MS ? Math.floor(leftMs) + 1 : null;
}

/** A policy that asks before a switch also prevents moves before a refusal. */
export const asksFirst = (scope: ScopeConfig | undefined, agent: string): boolean =>
  (scope?.abilities?.includes('ask') ?? false) &&
  Object.values(planIn(scope, agent)?.policy ?? {}).some((row) => row.some(({ step }) => step === 'ask'));

function keptFrom({ reserve = {} }: HeadroomRules, account: string, agent: string): number {
  const provider = unbooked(account);
  const shares = (Object.hasOwn(reserve, provider) ? reserve[provider] : reserve[unaccounted(provider)]) ?? {};
  let sum = 0;
  for (const [name, part] of Object.entries(shares)) if (name !== agent) sum += part;
  return Math.min(1, sum);
}

function underWay({ attempts, elsewhere }: EngineState, account: string, now: number): readonly Asked[] {
  const spends: Asked[] = [];
  each(attempts, ({ model, key = model, spend, isSeen = false }) => {
    if (providerOf(key) === account) spends.push({ model, spend, isSeen });
  });
  for (const { account: own, model, spend, isSeen = false, at } of elsewhere)
    if (own === account && now - at < ELSEWHERE_MS) spends.push({ model, spend, isSeen });
  return spends;
}

/** Another host's request counts this long without news, in ms. */
const ELSEWHERE_MS = 600_000;

export const kindOfShort = ({ code, unit, limit }: Shortage): FailureKind =>
  code === 'headroom.requests' ||
  code === 'headroom.tokens' ||
  (limit !== null && unit !== 'credits' && unit !== 'dollars')
    ? 'rate_limit'
    : 'quota';
