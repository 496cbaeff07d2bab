import { type HealthKey, nameOf, providerOf } from '../base/ids';
import type { FailureKind } from '../base/kinds';
import { changedKeys, entries, get } from '../base/table';
import { BELIEVED_ELSEWHERE_MS as BELIEVED_MS } from '../headroom/window';
import { type BreakerState, initialBreaker } from '../health/breaker';
import { type Block, type Health, initialHealth, type Limit, SILENCE } from '../health/health';
import { modelsOf, unbooked } from '../state/books';
import type { SyncedHealth } from '../state/events';
import type { EngineState } from '../state/state';
import { AHEAD_MAX_MS, type SaidWindow, windowEnd } from './fleet-windows';
import {
  asSynced,
  BLANK,
  type Cleared,
  clearedBetween,
  entryOf,
  mergedEntry,
  type SharedEntry,
  type SharedHealth,
} from './shared';

/** Ends are remembered as long as any limit lasts. Source: `HINT_MAX_MS`. */
const ENDED_KEPT_MS = 31 * 86_400_000;
/** An ended limit is reported this long: the first request after it shows all machines whether it is over. */
const LAPSED_KEPT_MS = 600_000;
/** More changes than any breaker goes through. */
const GENERATION_MAX = 1_000_000_000;

/** Health by model name; the empty name is the account. Times are whole ms of the fleet's clock. */
export type AccountWords = readonly (readonly [name: string, entry: SharedEntry])[];

export type AccountSaid = Readonly<{ words: AccountWords; windows: readonly SaidWindow[] }>;

export type Said = AccountSaid & Readonly<{ machine: string; at: number }>;

export const keyOfWord = (account: HealthKey, name: string): HealthKey =>
  name === '' ? account : `${account}/${name}`;

/** Null for a key of another account. */
export function wordOfKey(account: HealthKey, key: HealthKey): string | null {
  if (key === account) return '';
  return providerOf(key) === account ? nameOf(key) : null;
}

/** Silence may come from each machine's own network path. */
const isOfAccount = ({ kind }: Readonly<{ kind: FailureKind }>): boolean => !SILENCE.includes(kind);
const isFoundHere = ({ machine }: Readonly<{ machine?: string | undefined }>): boolean => machine === undefined;
export const isCircuitOfAnother = (breaker: BreakerState): boolean =>
  (breaker.kind === 'open' && !isFoundHere(breaker)) ||
  (breaker.kind === 'halfOpen' && breaker.probe !== null && !isFoundHere(breaker.probe));

const healthIn = ({ models, providers }: EngineState, key: HealthKey): Health | undefined =>
  key.includes('/') ? get(models, key) : get(providers, key);

/** True if the model was or may be called; always for an account. */
export function isUsedIn({ models, scopes }: EngineState, key: HealthKey): boolean {
  const account = providerOf(key);
  if (account === key || (get(models, key)?.calls ?? 0) > 0) return true;
  const model = `${unbooked(account)}/${nameOf(key)}`;
  return entries(scopes).some(([, scope]) => modelsOf(scope).includes(model));
}

export const changedHealth = (before: EngineState, after: EngineState): readonly HealthKey[] => [
  ...changedKeys(before.models, after.models, null),
  ...changedKeys(before.providers, after.providers, null),
];

/**
 * Cleared lanes; deleted health does not count.
 * @param at engine ms.
 * @param offsetMs the fleet's time minus engine time.
 */
export function endedIn(before: EngineState, after: EngineState, at: number, offsetMs: number): AccountWords {
  const { models, providers } = clearedBetween(before, after, at, offsetMs);
  return [...models, ...providers].filter(([key]) => healthIn(after, key) !== undefined);
}

/** Machines whose limits a response disproved. @param now engine ms. */
export const contradictedIn = (
  before: EngineState,
  after: EngineState,
  keys: readonly HealthKey[],
  now: number,
): readonly string[] =>
  keys.flatMap((key) => {
    const [old, health] = [healthIn(before, key), healthIn(after, key)];
    const { machine, until = 0 } = old?.limit ?? {};
    const isAnswered = (health?.calls ?? 0) > (old?.calls ?? 0) && health?.failed === old?.failed;
    return machine !== undefined && until > now && health?.limit === null && isAnswered ? [machine] : [];
  });

/**
 * Health detected here.
 * @param stored the previous result plus later clears; includes limits hidden by another machine's longer one.
 * @param offsetMs the fleet's time minus engine time.
 */
export function ownOf(
  state: EngineState,
  key: HealthKey,
  stored: SharedEntry | undefined,
  offsetMs: number,
): SharedEntry | null {
  const health = healthIn(state, key);
  if (!health) return null;
  const { limits = [], cleared = {} } = stored ?? {};
  return mergedEntry(withoutOthers(entryOf(health, offsetMs)), { ...BLANK, limits, cleared });
}

function withoutOthers(entry: SharedEntry): SharedEntry {
  const limits = entry.limits.filter(isFoundHere);
  const { rest, breaker } = entry;
  return {
    ...entry,
    limits,
    limit: limits.at(0) ?? null,
    rest: rest && isFoundHere(rest) ? rest : null,
    breaker: isCircuitOfAnother(breaker) ? initialBreaker : breaker,
  };
}

export const mergedWords = (one: SharedEntry | undefined, other: SharedEntry | undefined): SharedEntry | undefined =>
  one && other ? mergedEntry(one, other) : (one ?? other);

/** The shareable part of local health. Network lanes, counts and messages are never shared. */
export function wordOf(own: SharedEntry, name: string, now: number): SharedEntry | null {
  const isAll = name === '';
  const limits = own.limits.filter((limit) => isFoundHere(limit) && isOfAccount(limit) && limitEnd(limit) > now);
  const { rest, block, last, breaker } = own;
  const { failures: _, ...lanes } = own.cleared;
  const cleared = Object.fromEntries(Object.entries(lanes).filter(([, at]) => at > now - ENDED_KEPT_MS));
  const words: SharedEntry = {
    ...BLANK,
    limits,
    limit: limits.at(0) ?? null,
    cleared,
    rest: rest && !isAll && isFoundHere(rest) && isOfAccount(rest) && rest.until > now ? rest : null,
    block: block && isOfAccount(block) ? block : null,
    breaker: isAll || (last && !isOfAccount(last)) ? initialBreaker : circuitOf(breaker),
  };
  const isSilent = limits.length === 0 && !words.rest && !words.block && words.breaker.generation === 0;
  return isSilent && Object.keys(cleared).length === 0 ? null : words;
}

const limitEnd = ({ until, preferAt }: Limit): number => Math.max(until, preferAt) + LAPSED_KEPT_MS;

/** Counted failures stay local. */
function circuitOf(breaker: BreakerState): BreakerState {
  if (isCircuitOfAnother(breaker)) return initialBreaker;
  if (breaker.kind !== 'closed') return breaker;
  const { kind, generation, trips } = breaker;
  return generation === 0 ? initialBreaker : { kind, generation, serial: 0, failures: [], trips, calmSince: undefined };
}

/** In ms of the fleet's clock. */
export function endOf({ words, windows }: AccountSaid, now: number): number | null {
  const lanes = words.flatMap(([, { limits, rest, block, breaker, cleared }]) => [
    ...limits.map(limitEnd),
    ...(rest ? [rest.until] : []),
    ...(block ? [block.since + BELIEVED_MS] : []),
    ...(breaker.generation > 0 ? [(breaker.kind === 'open' ? breaker.until : now) + BELIEVED_MS] : []),
    ...Object.values(cleared).map((at) => at + ENDED_KEPT_MS),
  ]);
  const ends = [...lanes, ...windows.map(windowEnd)];
  return ends.length === 0 ? null : Math.min(Math.max(...ends), now + ENDED_KEPT_MS);
}

/**
 * Bounds another machine's report to plausible values; null if it is from the future. @param now ms of the fleet's
 * clock.
 */
export function believed(
  entry: SharedEntry,
  { machine, at }: Pick<Said, 'machine' | 'at'>,
  now: number,
): SharedEntry | null {
  if (isFromTheFuture(entry, now)) return null;
  const { rest, block, breaker, cleared } = entry;
  const limits = [...entry.limits, ...(block ? [asLimit(block)] : [])].map((limit): Limit => {
    const end = limit.since + BELIEVED_MS;
    return { ...limit, machine, until: Math.min(limit.until, end), preferAt: Math.min(limit.preferAt, end) };
  });
  return {
    ...BLANK,
    cleared: withBlock(cleared),
    limits,
    limit: limits.at(0) ?? null,
    rest: rest && { ...rest, machine, until: Math.min(rest.until, rest.since + BELIEVED_MS) },
    breaker: believedCircuit(soundCircuit(breaker), machine, Math.min(at, now) + BELIEVED_MS),
  };
}

function believedCircuit(breaker: BreakerState, machine: string, end: number): BreakerState {
  if (breaker.kind === 'open') return { ...breaker, machine, until: Math.min(breaker.until, end) };
  if (breaker.kind === 'halfOpen') return { ...breaker, probe: breaker.probe && { ...breaker.probe, machine } };
  return circuitOf(breaker);
}

/** Bounds this machine's earlier report: team members can write one too. @param now ms of the fleet's clock. */
export function resumed(entry: SharedEntry, now: number): SharedEntry | null {
  if (isFromTheFuture(entry, now)) return null;
  const end = now + ENDED_KEPT_MS;
  const { rest } = entry;
  const breaker = soundCircuit(entry.breaker);
  const limits = entry.limits.map(
    (limit): Limit => ({ ...limit, until: Math.min(limit.until, end), preferAt: Math.min(limit.preferAt, end) }),
  );
  return {
    ...entry,
    limits,
    limit: limits.at(0) ?? null,
    rest: rest && { ...rest, until: Math.min(rest.until, end) },
    breaker: breaker.kind === 'open' ? { ...breaker, until: Math.min(breaker.until, end) } : breaker,
  };
}

/** Such facts could never be withdrawn. */
function isFromTheFuture({ limits, rest, block, breaker, cleared }: SharedEntry, now: number): boolean {
  const sinces = [...limits, ...(rest ? [rest] : []), ...(block ? [block] : [])].map(({ since }) => since);
  const probe = breaker.kind === 'halfOpen' && breaker.probe ? [breaker.probe.since] : [];
  return [...sinces, ...probe, ...Object.values(cleared)].some((at) => at > now + AHEAD_MAX_MS);
}

const soundCircuit = (breaker: BreakerState): BreakerState =>
  breaker.generation > GENERATION_MAX ? initialBreaker : breaker;

/** A limit of another machine may be a block here; its end ends both. */
const withBlock = (cleared: Cleared): Cleared =>
  cleared.limit === undefined
    ? cleared
    : { ...cleared, block: Math.max(cleared.limit, cleared.block ?? cleared.limit) };

/** Treats another machine's block as a limit: the model is called again when the report expires. */
function asLimit({ kind, since }: Block): Limit {
  const until = since + BELIEVED_MS;
  return { kind, since, until, preferAt: until, source: 'estimate' };
}

export const endedBy = ({ cleared }: Pick<SharedEntry, 'cleared'>): SharedEntry => ({ ...BLANK, cleared });

/** Merges local and reported facts; null if unchanged. Only reported facts are ever withdrawn. */
export function takenIn(
  state: EngineState,
  key: HealthKey,
  { own = BLANK, heard: remote = BLANK }: Readonly<{ own: SharedEntry | undefined; heard: SharedEntry | undefined }>,
  offsetMs: number,
): SharedEntry | null {
  const after = mergedEntry(own, remote);
  return lookOf(after) === lookOf(entryOf(healthIn(state, key) ?? initialHealth, offsetMs)) ? null : after;
}

/** The fields that affect decisions. */
function lookOf({ breaker, limit, rest, block }: SharedEntry): string {
  const { kind, generation, serial, trips } = breaker;
  const when =
    breaker.kind === 'open' ? [breaker.until, breaker.machine] : breaker.kind === 'closed' ? [] : [breaker.probe];
  return JSON.stringify([
    [kind, generation, serial, trips, when],
    limit && [limit.kind, limit.since, limit.until, limit.preferAt, limit.source, limit.machine],
    rest && [rest.kind, rest.since, rest.until, rest.machine],
    block && [block.kind, block.since],
  ]);
}

/** @param now engine ms. @param offsetMs the fleet's time minus engine time. */
export function asHeard(
  changed: AccountWords,
  now: number,
  offsetMs: number,
): Pick<SyncedHealth, 'models' | 'providers'> {
  const { models, providers } = asSynced(byKind(changed), now, offsetMs);
  return { models, providers };
}

export function byKind(all: AccountWords): Pick<SharedHealth, 'models' | 'providers'> {
  const isModels = ([key]: AccountWords[number]): boolean => key.includes('/');
  return { models: all.filter(isModels), providers: all.filter((each) => !isModels(each)) };
}
