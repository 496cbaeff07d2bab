import type { EngineState, HealthKey, SeenWindow, Window } from '../../engine';
import { entries, get, levelAt } from '../../engine/tools';
import type { HeadroomCounted } from '../../protocol';
import type { BeganLine } from '../budget/spent';
import type { CountedLimit } from './tally';

/** What the engine hears of limits that were counted: those of each account. */
export type CountedAccounts = readonly (readonly [account: HealthKey, windows: readonly SeenWindow[]])[];

/** The event that tells of them: on the wire, in the log and in an engine alike. */
export const countedEvent = (accounts: CountedAccounts): HeadroomCounted => ({
  type: 'headroom.counted',
  accounts: accounts.map(([account, windows]) => [account, [...windows]]),
});

const ACCOUNTS_MAX = 100;
/** As many times its amount as a limit is said to be used at most. */
const PART_MAX = 10;

/** Limits that were counted, as the engine is told of them. @param now Unix ms. */
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

/**
 * What the ledger does not say yet of where limits of some hours began: written down, whoever counts later, and has forgotten or
 * not read what was before, begins there as well. @param now Unix ms.
 */
export function begunLines(counted: readonly CountedLimit[], now: number): readonly BeganLine[] {
  const lines = new Map<string, BeganLine>();
  for (const { account, over, beganAt: began, isNoted } of counted) {
    if (isNoted || began === null || began > now || !('hours' in over)) continue;
    lines.set(`${account} ${over.hours}`, { at: now, account, hours: over.hours, began });
  }
  return [...lines.values()];
}

/** The part of a limit by which the engine may be behind before it hears of it again. */
const ROUGH = 0.001;
/** By how much two readings of the clocks may differ, in ms. */
const SAME_END_MS = 5_000;

/**
 * Whether an engine need not hear of limits again, whoever told it: it knows the same ones, each with its reset and on its side of
 * its end, and none with a number that is wide of the mark.
 *
 * @param now engine ms.
 */
export const isKnown = ({ counted }: Pick<EngineState, 'counted'>, accounts: CountedAccounts, now: number): boolean =>
  entries(counted).length === accounts.length &&
  accounts.every(([account, windows]) => {
    const known = get(counted, account) ?? [];
    return known.length === windows.length && windows.every((seen) => known.some((old) => isAlike(old, seen, now)));
  });

function isAlike(old: Window, seen: SeenWindow, now: number): boolean {
  const used = levelAt(old, now)?.used ?? 0;
  // What is over begins with the next request, or has begun anew.
  const endsInMs = old.resetAt === null || old.resetAt <= now ? null : old.resetAt - now;
  const isSameEnd =
    endsInMs === null || seen.resetInMs === null
      ? endsInMs === seen.resetInMs
      : Math.abs(endsInMs - seen.resetInMs) < SAME_END_MS;
  return old.id === seen.id && isSameEnd && used >= 1 === seen.used >= 1 && Math.abs(used - seen.used) < ROUGH;
}
