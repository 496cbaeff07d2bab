import type { EngineState, HealthKey, SeenWindow, Window } from '../../engine';
import { entries, get, levelAt } from '../../engine/tools';
import type { HeadroomCounted } from '../../protocol';
import type { BeganLine } from '../budget/spent';
import type { CountedLimit } from './tally';

export type CountedAccounts = readonly (readonly [account: HealthKey, windows: readonly SeenWindow[]])[];

export const countedEvent = (accounts: CountedAccounts): HeadroomCounted => ({
  type: 'headroom.counted',
  accounts: accounts.map(([account, windows]) => [account, [...windows]]),
});

const ACCOUNTS_MAX = 100;
const PART_MAX = 10;

export function countedAccounts(counted: readonly CountedLimit[], now: number): CountedAccounts {
  const accounts = new Map<HealthKey, SeenWindow[]>();
  for (const limit of counted)
    accounts.set(limit.account, [...(accounts.get(limit.account) ?? []), seenOf(limit, now)]);
  return [...accounts].slice(0, ACCOUNTS_MAX);
}

const seenOf = ({ id, unit, amount, used, lengthMs, endsAt }: CountedLimit, now: number): SeenWindow => ({
  id,
  unit,
  lengthMs,
  of: 'account',
  limit: amount,
  used: Math.min(PART_MAX, used / amount),
  remaining: Math.max(0, amount - used),
  resetInMs: endsAt === null ? null : Math.max(0, endsAt - now),
  refills: 'at_reset',
  charges: 'used',
});

/** Processes without earlier usage then start from the same beginning. @param now Unix ms. */
export function begunLines(counted: readonly CountedLimit[], now: number): readonly BeganLine[] {
  const lines = new Map<string, BeganLine>();
  for (const { account, over, beganAt: began, isNoted } of counted) {
    if (isNoted || began === null || began > now || !('hours' in over)) continue;
    lines.set(`${account} ${over.hours}`, { at: now, account, hours: over.hours, began });
  }
  return [...lines.values()];
}

/** Tolerated error, as a fraction of the limit. */
const ROUGH = 0.001;
/** Maximum difference of two clock readings, in ms. */
const SAME_END_MS = 5_000;

/** @param now engine ms. */
export const isKnown = ({ counted }: Pick<EngineState, 'counted'>, accounts: CountedAccounts, now: number): boolean =>
  entries(counted).length === accounts.length &&
  accounts.every(([account, windows]) => {
    const existing = get(counted, account) ?? [];
    return (
      existing.length === windows.length && windows.every((seen) => existing.some((old) => isAlike(old, seen, now)))
    );
  });

function isAlike(old: Window, seen: SeenWindow, now: number): boolean {
  const used = levelAt(old, now)?.used ?? 0;
  const endsInMs = old.resetAt === null || old.resetAt <= now ? null : old.resetAt - now;
  const isSameEnd =
    endsInMs === null || seen.resetInMs === null
      ? endsInMs === seen.resetInMs
      : Math.abs(endsInMs - seen.resetInMs) < SAME_END_MS;
  return old.id === seen.id && isSameEnd && used >= 1 === seen.used >= 1 && Math.abs(used - seen.used) < ROUGH;
}
