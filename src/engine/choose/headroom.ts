import type { ScopeConfig } from '../base/config';
import { type ModelId, providerOf, unaccounted } from '../base/ids';
import type { FailureKind } from '../base/kinds';
import { each, get } from '../base/table';
import type { HeadroomRules, Shortage } from '../base/window';
import { type Asked, shortageOf } from '../headroom/short';
import { keyBy, unbooked } from '../state/books';
import { type EngineState, planIn, type Turn } from '../state/state';

/** How soon a window has to be refilled for a request to wait for it, in ms. Source: docs/headroom.md. */
export const REFILL_WAIT_MS = 5_000;

type Asking = Pick<Turn, 'directory' | 'agent' | 'model' | 'spend' | 'isUnderWay'>;

/**
 * The limit that the next request of a turn would run into, were it sent to a model; null where it fits as far as anybody
 * knows, and where nothing is done about it: what is not known keeps nobody from working.
 */
export function shortOf(state: EngineState, turn: Asking, model: ModelId, now: number): Shortage | null {
  const scope = get(state.scopes, turn.directory);
  const rules = scope?.headroom;
  if (rules?.act !== 'move') return null;
  const account = providerOf(keyBy(scope, model));
  const windows = get(state.windows, account);
  if (!windows || asksFirst(scope, turn.agent)) return null;
  const kept = keptFrom(rules, account, turn.agent);
  const isUnderWay = turn.isUnderWay === true && turn.model === model;
  return shortageOf(windows, {
    ...{ now, rules, next: { model, spend: turn.spend }, others: underWay(state, account) },
    most: isUnderWay ? null : Math.min(rules.moveAt, 1 - kept),
    isReserved: kept > 0,
  });
}

/** Whether a person is asked before another model speaks for an agent: then nothing is moved before its provider has refused. */
const asksFirst = (scope: ScopeConfig | undefined, agent: string): boolean =>
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

/** Requests of an account that have not come to their end. */
function underWay({ attempts }: EngineState, account: string): readonly Asked[] {
  const asked: Asked[] = [];
  each(attempts, ({ model, key = model, spend, isSeen = false }) => {
    if (providerOf(key) === account) asked.push({ model, spend, isSeen });
  });
  return asked;
}

/** What a refusal for a window would be called. */
export const kindOfShort = ({ code, unit, limit }: Shortage): FailureKind =>
  code === 'headroom.requests' || code === 'headroom.tokens' || (limit !== null && unit !== 'credits')
    ? 'rate_limit'
    : 'quota';
