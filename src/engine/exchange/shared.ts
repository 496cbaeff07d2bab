import { providerOf } from '../base/ids';
import { changedKeys, entries, get, type Table } from '../base/table';
import type { BreakerState } from '../health/breaker';
import type { Block, Health, LastFailure, Limit, Rest } from '../health/health';
import { initialHealth } from '../health/health';
import type { SyncedHealth } from '../state/events';
import { retimed, shifted } from '../state/shift';
import type { EngineState } from '../state/state';
import { compare, type Rank } from './rank';
import {
  forgottenIn,
  mergedWindows,
  type SharedAccounts,
  shiftedWindows,
  windowsInForce,
  windowsOf,
} from './shared-windows';

/** Time of the last clear per lane; only newer facts count. */
export type Cleared = Readonly<Partial<Record<Lane | 'failures', number>>>;
type Lane = 'limit' | 'rest' | 'block';
const LANES: readonly Lane[] = ['limit', 'rest', 'block'];

/** Health shared by hosts without the app. */
export type SharedEntry = Health &
  Readonly<{
    /** None is both newer and longer; the longest applies. */
    limits: readonly Limit[];
    cleared: Cleared;
  }>;

type Entries = readonly (readonly [key: string, entry: SharedEntry])[];

/** Times are whole ms of the wall clock. */
export type SharedHealth = Readonly<{ models: Entries; providers: Entries; windows?: SharedAccounts }>;

const FAILURES_MAX = 1000;

export const NOTHING_SHARED: SharedHealth = { models: [], providers: [] };

/** @param offsetMs wall minus engine time. */
export function sharedOf(state: EngineState, stored: SharedHealth, offsetMs: number): SharedHealth {
  return {
    models: entriesOf(state.models, stored.models, offsetMs),
    providers: entriesOf(state.providers, stored.providers, offsetMs),
    ...withWindows(mergedWindows(windowsOf(state, offsetMs), stored.windows)),
  };
}

const withWindows = (windows: SharedAccounts): Pick<SharedHealth, 'windows'> => (windows.length > 0 ? { windows } : {});

function entriesOf(table: Table<Health>, stored: Entries, offsetMs: number): Entries {
  const before = new Map(stored);
  return inOrder(
    entries(table).map(([key, health]) => {
      const { limits = [], cleared = {} } = before.get(key) ?? {};
      return [key, mergedEntry(entryOf(health, offsetMs), { ...BLANK, limits, cleared })];
    }),
  );
}

export const BLANK: SharedEntry = { ...initialHealth, limits: [], cleared: {} };

/** @param offsetMs the shared clock minus engine time. */
export function entryOf(health: Health, offsetMs: number): SharedEntry {
  const now = retimed(health, (at) => Math.round(at + offsetMs));
  return { ...now, limits: now.limit ? [now.limit] : [], cleared: {} };
}

/** User overrides; times are whole ms of the wall clock. */
export type SharedWords = Readonly<Required<Pick<SyncedHealth, 'manual' | 'pins' | 'pause'>>>;

/** @param offsetMs wall minus engine time. */
export const wordsOf = ({ manual, pins, pause }: EngineState, offsetMs: number): SharedWords =>
  retimed({ manual: entries(manual), pins: entries(pins), pause }, (at) => Math.round(at + offsetMs));

/**
 * Makes times relative to `now`.
 * @param offsetMs wall minus engine time.
 * @param words user overrides; null changes none.
 */
export function asSynced(
  { models, providers, windows }: SharedHealth,
  now: number,
  offsetMs: number,
  words: SharedWords | null = null,
): SyncedHealth {
  const relative = (at: number): number => at - offsetMs - now;
  const taken = (list: Entries): SyncedHealth['models'] =>
    list.map(([key, { limits: _, cleared: __, ...health }]) => [key, retimed(health, relative)]);
  const limits =
    windows &&
    windowsInForce(windows, now + offsetMs).map(([account, list]) => [account, retimed(list, relative)] as const);
  return {
    models: taken(models),
    providers: taken(providers),
    ...(limits ? { windows: limits } : {}),
    ...retimed(words ?? {}, relative),
  };
}

export const shiftWords = (words: SharedWords, deltaMs: number): SharedWords => shifted(words, deltaMs);

export function shiftShared({ models, providers, windows }: SharedHealth, deltaMs: number): SharedHealth {
  const later = (list: Entries): Entries =>
    list.map(([key, { cleared, ...entry }]) => [
      key,
      { ...retimed(entry, (at) => at + deltaMs), cleared: retimedEnds(cleared, (at) => at + deltaMs) },
    ]);
  return { models: later(models), providers: later(providers), ...withWindows(shiftedWindows(windows, deltaMs)) };
}

export const retimedEnds = (cleared: Cleared, change: (at: number) => number): Cleared =>
  Object.fromEntries(Object.entries(cleared).map(([lane, at]) => [lane, change(at)]));

/**
 * The user clears everything known at `at`; a response only facts older than its request, because others may have
 * detected newer ones.
 * @param at engine ms.
 * @param offsetMs wall minus engine time.
 */
export function clearedBetween(before: EngineState, after: EngineState, at: number, offsetMs: number): SharedHealth {
  const toWall = (moment: number): number => Math.round(moment + offsetMs);
  const clearedAt = (key: string, since: number): number => {
    const proof = Math.min(...provedBy(before, after, key).filter((moment) => moment > since));
    return Number.isFinite(proof) ? Math.max(toWall(since), toWall(proof) - 1) : toWall(at);
  };
  const lanes = (key: string, old: Health, health: Health): Cleared =>
    Object.fromEntries(
      LANES.flatMap((lane) => {
        const cleared = old[lane];
        return cleared !== null && health[lane] === null ? [[lane, clearedAt(key, cleared.since)] as const] : [];
      }),
    );
  return {
    models: clearedIn(before.models, after.models, lanes),
    providers: clearedIn(before.providers, after.providers, (key, old, health) => ({
      ...lanes(key, old, health),
      // The provider is reachable, whenever the request was sent.
      ...(hasForgotten(old.breaker, health.breaker) ? { failures: toWall(at) } : {}),
    })),
    ...withWindows(forgottenIn(before, after, toWall(at))),
  };
}

/** Times before which ended requests are evidence. */
function provedBy(before: EngineState, after: EngineState, key: string): readonly number[] {
  return changedKeys(after.attempts, before.attempts, null).flatMap((id) => {
    const { model, key: own = model, before: moment } = get(before.attempts, id) ?? {};
    if (own === undefined || moment === undefined || get(after.attempts, id)) return [];
    return own === key || providerOf(own) === key ? [moment] : [];
  });
}

function clearedIn(
  before: Table<Health>,
  after: Table<Health>,
  clearedOf: (key: string, old: Health, health: Health) => Cleared,
): Entries {
  return changedKeys(before, after, null).flatMap((key) => {
    const cleared = clearedOf(key, get(before, key) ?? initialHealth, get(after, key) ?? initialHealth);
    return Object.keys(cleared).length > 0 ? [[key, { ...BLANK, cleared }] as const] : [];
  });
}

/** A breaker that counts consecutive failures restarted without a new generation. */
function hasForgotten(old: BreakerState, present: BreakerState): boolean {
  if (old.kind !== 'closed' || present.kind !== 'closed' || old.generation !== present.generation) return false;
  return old.failures.some((failure) => !present.failures.includes(failure));
}

export const isSharedAlike = (before: EngineState, after: EngineState): boolean =>
  before.models === after.models && before.providers === after.providers && before.windows === after.windows;

/** True if other hosts need the changes of the second state. */
export function isNews(before: EngineState, after: EngineState): boolean {
  if (before.windows !== after.windows) return true;
  return hasNews(before.models, after.models) || hasNews(before.providers, after.providers);
}

function hasNews(before: Table<Health>, after: Table<Health>): boolean {
  return changedKeys(before, after, null).some((key) => {
    const [old, health] = [get(before, key) ?? initialHealth, get(after, key) ?? initialHealth];
    return LANES.some((lane) => health[lane] !== old[lane]) || isMoved(old.breaker, health.breaker);
  });
}

/** An admitted call changes only the serial. */
function isMoved(old: BreakerState, present: BreakerState): boolean {
  if (old === present) return false;
  if (old.kind !== 'closed' || present.kind !== 'closed') return true;
  return old.generation !== present.generation || old.failures !== present.failures;
}

/** A failure that an app reports to several hosts counts once: their times differ by about 1 ms. */
export const joined = (own: SharedHealth, others: SharedHealth): SharedHealth =>
  mergeShared(
    { ...own, models: aligned(own.models, others.models), providers: aligned(own.providers, others.providers) },
    others,
  );

const SAME_MOMENT_MS = 3;

function aligned(own: Entries, others: Entries): Entries {
  const theirs = new Map(others);
  return own.map(([key, entry]) => {
    const { breaker } = entry;
    const other = theirs.get(key)?.breaker;
    if (breaker.kind !== 'closed' || other?.kind !== 'closed') return [key, entry];
    const named = (at: number): number => other.failures.find((each) => Math.abs(each - at) <= SAME_MOMENT_MS) ?? at;
    return [key, { ...entry, breaker: { ...breaker, failures: breaker.failures.map(named) } }];
  });
}

/** Later and longer facts win unless cleared since; of breakers the higher generation. Commutative and idempotent. */
export function mergeShared(one: SharedHealth, other: SharedHealth): SharedHealth {
  return {
    models: merged(one.models, other.models),
    providers: merged(one.providers, other.providers),
    ...withWindows(mergedWindows(one.windows, other.windows)),
  };
}

function merged(one: Entries, other: Entries): Entries {
  const all = new Map(one);
  for (const [key, entry] of other) {
    const existing = all.get(key);
    all.set(key, existing ? mergedEntry(existing, entry) : entry);
  }
  return inOrder([...all]);
}

const inOrder = (list: (readonly [string, SharedEntry])[]): Entries => list.sort(([a], [b]) => (a < b ? -1 : 1));

export function mergedEntry(one: SharedEntry, other: SharedEntry): SharedEntry {
  const cleared = mergedCleared(one.cleared, other.cleared);
  const limits = foremost([...one.limits, ...other.limits].filter(isAfter(cleared.limit)));
  const failed = later(lastOf(one), lastOf(other), ([last, directory]) => [
    ...(last ? [last.at, last.kind, last.status ?? -1, last.message] : [Number.NEGATIVE_INFINITY]),
    directory ?? '',
  ]);
  return {
    breaker: mergedBreaker(one.breaker, other.breaker, isAfter(cleared.failures)),
    limit: limits.at(0) ?? null,
    rest: inForce(one.rest, other.rest, cleared.rest),
    block: inForce(one.block, other.block, cleared.block),
    last: failed[0],
    calls: Math.max(one.calls, other.calls),
    failed: Math.max(one.failed, other.failed),
    directory: failed[1],
    limits,
    cleared,
  };
}

type Failed = readonly [last: LastFailure | null, directory: string | null];
const lastOf = ({ last, directory }: SharedEntry): Failed => [last, directory];

function mergedCleared(one: Cleared, other: Cleared): Cleared {
  const next: Partial<Record<keyof Cleared, number>> = { ...one };
  for (const [lane, at] of Object.entries(other) as [keyof Cleared, number][])
    next[lane] = Math.max(at, next[lane] ?? at);
  return next;
}

const isAfter =
  (clearedAt = Number.NEGATIVE_INFINITY) =>
  (fact: number | Readonly<{ since: number }>): boolean =>
    (typeof fact === 'number' ? fact : fact.since) > clearedAt;

function inForce<Fact extends Rest | Block>(one: Fact | null, other: Fact | null, clearedAt?: number): Fact | null {
  const [fact, another] = [one, other].filter((each) => each !== null && isAfter(clearedAt)(each)) as Fact[];
  if (!fact || !another) return fact ?? null;
  return later(fact, another, (each) =>
    'until' in each ? [each.since, each.until, each.kind, each.machine ?? ''] : [each.since, 0, each.kind],
  );
}

function foremost(limits: readonly Limit[]): readonly Limit[] {
  const byLength = [...limits].sort((a, b) => compare(rankOf(b), rankOf(a)));
  const lasting: Limit[] = [];
  for (const limit of byLength) if (lasting.every(({ since }) => limit.since > since)) lasting.push(limit);
  return lasting;
}

const rankOf = ({ until, since, preferAt, kind, source, machine = '' }: Limit): Rank => [
  ...[until, since, preferAt],
  ...[kind, source, machine],
];

function mergedBreaker(one: BreakerState, other: BreakerState, isCounted: (failure: number) => boolean): BreakerState {
  const order = compare(breakerRank(one), breakerRank(other));
  const [winner, loser] = order < 0 ? [other, one] : [one, other];
  const isSame = order === 0;
  const serial = isSame ? Math.max(one.serial, other.serial) : winner.serial;
  const trips = isSame ? Math.max(one.trips, other.trips) : winner.trips;
  const { kind, generation } = winner;
  if (kind === 'open') {
    const open = isSame && loser.kind === 'open' ? later(winner, loser, openRank) : winner;
    const { until, machine } = open;
    return { kind, generation, serial, trips, until, ...(machine === undefined ? {} : { machine }) };
  }
  if (kind === 'halfOpen')
    return { kind, generation, serial, trips, probe: isSame ? mergedProbe(winner, loser) : winner.probe };
  const calm = isSame && loser.kind === 'closed' ? loser : winner;
  const failures = [...new Set([...winner.failures, ...calm.failures])].filter(isCounted).sort((a, b) => a - b);
  const calmSince = Math.max(winner.calmSince ?? -1, calm.calmSince ?? -1);
  return {
    kind,
    generation,
    serial,
    trips,
    failures: failures.slice(-FAILURES_MAX),
    ...(calmSince < 0 ? {} : { calmSince }),
  };
}

const KINDS: readonly BreakerState['kind'][] = ['closed', 'halfOpen', 'open'];
const breakerRank = ({ generation, kind }: BreakerState): Rank => [generation, KINDS.indexOf(kind)];

const openRank = ({ until, machine = '' }: Extract<BreakerState, { kind: 'open' }>): Rank => [until, machine];

/** If one host's probe is missing, it has returned it. */
function mergedProbe(one: BreakerState, other: BreakerState) {
  if (one.kind !== 'halfOpen' || other.kind !== 'halfOpen' || !one.probe || !other.probe) return null;
  return later(one.probe, other.probe, ({ since, serial, machine = '' }) => [since, serial, machine]);
}

const later = <T>(one: T, other: T, rank: (each: T) => Rank): T => (compare(rank(one), rank(other)) < 0 ? other : one);
