import { HOURS_MAX, type MachineWords } from '../../protocol';
import type { SpentLine } from './spent';

const HOUR_MS = 3_600_000;
/** Maximum lead of another machine's clock, in hours. */
const AHEAD_MAX = 1;

/** Billionths of a US dollar by UTC hour since 1970, ascending. */
export type Hours = MachineWords['spent'];

/** By this machine's accounts. */
export type Elsewhere = ReadonlyMap<string, Hours>;
export const NOTHING_ELSEWHERE: Elsewhere = new Map();

const hourOf = (at: number): number => Math.floor(at / HOUR_MS);
const isTold = (hour: number, now: number): boolean =>
  hour > hourOf(now) + AHEAD_MAX - HOURS_MAX && hour <= hourOf(now) + AHEAD_MAX;

export function hoursOf(lines: readonly SpentLine[], account: string, now: number): Hours {
  const sums = new Map<number, number>();
  for (const { at, cost, provider, account: own = provider } of lines) {
    const hour = hourOf(at);
    if (own !== account || cost === null || cost === 0 || !isTold(hour, now)) continue;
    sums.set(hour, (sums.get(hour) ?? 0) + nanosOf(cost));
  }
  return inOrder(sums);
}

const NANOS = 1e9;
/** Integer billionths make the sum independent of the order. */
export const nanosOf = (dollars: number): number => Math.round(dollars * NANOS);
export const dollarsOf = (nanos: number): number => nanos / NANOS;

const inOrder = (sums: ReadonlyMap<number, number>): Hours => [...sums].sort(([a], [b]) => a - b);

export const shifted = (hours: Hours, by: number): Hours =>
  by === 0 ? hours : hours.map(([hour, nanos]) => [hour + by, nanos]);

export function together(all: readonly Hours[], now: number): Hours {
  const sums = new Map<number, number>();
  for (const [hour, nanos] of all.flat()) if (isTold(hour, now)) sums.set(hour, (sums.get(hour) ?? 0) + nanos);
  return inOrder(sums).map(([hour, nanos]) => [hour, Math.min(nanos, Number.MAX_SAFE_INTEGER)]);
}

/** In billionths, on all accounts of the provider. Times are Unix ms. */
export function spentElsewhere(elsewhere: Elsewhere, provider: string, from: number, until: number): number {
  let sum = 0;
  for (const [account, hours] of elsewhere) {
    if (account !== provider && !account.startsWith(`${provider}@`)) continue;
    for (const [hour, nanos] of hours) if (hour * HOUR_MS >= from && hour * HOUR_MS < until) sum += nanos;
  }
  return sum;
}
