import { get, type Table } from '../base/table';

/** Engine ms of the last network failure, without a response since. */
export type Unreached = Table<number>;

/** Failures this close together are the machine's. Source: docs/failures.md, kinds of failure, `local_network`. */
export const TOGETHER_MS = 2_000;
/** Source: docs/failures.md, budgets. */
export const NETWORK_HOLD_MAX_MS = 240_000;

/** One provider alone proves nothing. */
export function isLocal(table: Unreached, providers: readonly string[], now: number): boolean {
  const names = new Set(providers);
  if (names.size < 2) return false;
  return [...names].every((name) => {
    const at = get(table, name);
    return at !== undefined && now - at <= TOGETHER_MS;
  });
}

/** Oldest first: `1` answered, `0` failed. */
export type Outcomes = string;
const OUTCOMES_KEPT = 20;
const OUTAGE_EVENTS_MIN = 3;
const OUTAGE_RATE = 0.5;

export type Connection = Readonly<{ events: number; failures: number; failureRate: number | null; isOutage: boolean }>;

export const withOutcome = (outcomes: Outcomes, isAnswered: boolean): Outcomes =>
  (outcomes + (isAnswered ? '1' : '0')).slice(-OUTCOMES_KEPT);

/** At least half of three or more failed. */
export function connectionOf(outcomes: Outcomes): Connection {
  const events = outcomes.length;
  let failures = 0;
  for (const outcome of outcomes) if (outcome === '0') failures++;
  const failureRate = events === 0 ? null : failures / events;
  return {
    events,
    failures,
    failureRate,
    isOutage: failureRate !== null && events >= OUTAGE_EVENTS_MIN && failureRate >= OUTAGE_RATE,
  };
}
