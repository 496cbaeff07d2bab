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

/** How soon a window has to be refilled for a request to wait for it, in ms. Source: docs/headroom.md. */
const REFILL_WAIT_MS = 5_000;
/** How often a request waits for that, before another model is asked. */
const REFILL_WAITS = 2;

type Asking = Pick<Turn, 'directory' | 'agent' | 'model' | 'spend' | 'isUnderWay'> & Buying;

/**
 * The limit that the next request of a turn would run into, were it sent to a model, or the budget that is spent; null where it
 * fits as far as anybody knows, and where nothing is done about it: what is not known keeps nobody from working.
 */
export function shortOf(state: EngineState, turn: Asking, model: ModelId, now: number): Shortage | null {
  return moneyShort(state, turn, model, now) ?? limitOf(state, turn, model, now);
}

/** The same of limits alone, whatever is spent of budgets. */
export function limitOf(state: EngineState, turn: Asking, model: ModelId, now: number): Shortage | null {
  const scope = get(state.scopes, turn.directory);
  const rules = scope?.headroom;
  if (rules?.act !== 'move') return null;
  const account = providerOf(keyBy(scope, model));
  const windows = actedOn(state, account, rules, now);
  if (!windows || asksFirst(scope, turn.agent)) return null;
  const kept = keptFrom(rules, account, turn.agent);
  const isUnderWay = turn.isUnderWay === true && turn.model === model;
  return shortageOf(windows, {
    now,
    rules,
    next: { model, spend: turn.spend },
    others: underWay(state, account, now),
    most: isUnderWay ? null : Math.min(rules.moveAt, 1 - kept),
    isReserved: kept > 0,
  });
}

/**
 * The windows of an account that something is done by: what its provider tells, and where estimates are trusted, what was counted
 * of limits that it does not tell of itself. Undefined where nothing is known.
 */
function actedOn(
  { windows, counted }: EngineState,
  account: HealthKey,
  { trustsEstimates }: HeadroomRules,
  now: number,
): readonly Window[] | undefined {
  const told = get(windows, account);
  const own = trustsEstimates ? get(counted, account) : undefined;
  if (!own || !told) return own ?? told;
  const isTold = ({ lengthMs, unit }: Window): boolean =>
    told.some(
      (each) =>
        isAsLong(each.lengthMs, lengthMs) &&
        (each.unit === unit || each.unit === 'share') &&
        (each.model ?? each.family) === null &&
        !isPast(each, now),
    );
  return [...told, ...own.filter((window) => !isTold(window))];
}

/** Whether two windows are of the same length; months are, whichever they are. */
const isAsLong = (one: number | null, other: number | null): boolean =>
  one === other || (one !== null && other !== null && isMonth(one) && isMonth(other));

/** The limit that the next message of an agent would run into with a model, as far as can be told before it is written; null where none. */
export const shortFor = (state: EngineState, speaker: Buying, model: ModelId, now: number): Shortage | null =>
  shortOf(state, { ...speaker, model, spend: undefined, isUnderWay: false }, model, now);

/**
 * The limit that keeps an agent from its lead now; null where there is room again. Of a limit that only its own request did not
 * fit, as long as that was said to last.
 */
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

/** How long a request waits for a window to be refilled, in ms, where that is better than another model; null where it is not. */
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
  // A whole millisecond more than its fraction: what is there in time must be there by the sum of it as well.
  return leftMs <= REFILL_WAIT_MS ? Math.floor(leftMs) + 1 : null;
}

/** True if a person is asked before another model answers for an agent: then nothing moves before a refusal. */
export const asksFirst = (scope: ScopeConfig | undefined, agent: string): boolean =>
  (scope?.abilities?.includes('ask') ?? false) &&
  Object.values(planIn(scope, agent)?.policy ?? {}).some((row) => row.some(({ step }) => step === 'ask'));

/** The part of an account's plans that is kept for other agents than this one. */
function keptFrom({ reserve = {} }: HeadroomRules, account: string, agent: string): number {
  const provider = unbooked(account);
  const kept = (Object.hasOwn(reserve, provider) ? reserve[provider] : reserve[unaccounted(provider)]) ?? {};
  let sum = 0;
  for (const [name, part] of Object.entries(kept)) if (name !== agent) sum += part;
  return Math.min(1, sum);
}

/** Requests of an account that have not come to their end, here and at other hosts. */
function underWay({ attempts, elsewhere }: EngineState, account: string, now: number): readonly Asked[] {
  const asked: Asked[] = [];
  each(attempts, ({ model, key = model, spend, isSeen = false }) => {
    if (providerOf(key) === account) asked.push({ model, spend, isSeen });
  });
  for (const { account: own, model, spend, isSeen = false, at } of elsewhere)
    if (own === account && now - at < ELSEWHERE_MS) asked.push({ model, spend, isSeen });
  return asked;
}

/** How long a request of another host is believed to be under way, in ms, where nothing more is heard of it. */
const ELSEWHERE_MS = 600_000;

/** What a refusal for a window would be called. */
export const kindOfShort = ({ code, unit, limit }: Shortage): FailureKind =>
  code === 'headroom.requests' ||
  code === 'headroom.tokens' ||
  (limit !== null && unit !== 'credits' && unit !== 'dollars')
    ? 'rate_limit'
    : 'quota';
