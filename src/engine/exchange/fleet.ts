import { type HealthKey, nameOf, providerOf } from '../base/ids';
import type { FailureKind } from '../base/kinds';
import { type BreakerState, initialBreaker } from '../health/breaker';
import type { Block, Limit } from '../health/health';
import type { EngineState } from '../state/state';
import {
  type Cleared,
  mergedEntry,
  mergeShared,
  NOTHING_SHARED,
  type SharedEntry,
  type SharedHealth,
  sharedOf,
} from './shared';

/**
 * How long what another machine has found out is believed, in ms from when that was: a limit that lasts longer is then looked at
 * once, and whoever does so tells the others anew.
 */
export const BELIEVED_MS = 86_400_000;
/** How long it is remembered that something has ended: as long as any limit lasts. Source: `HINT_MAX_MS`. */
const ENDED_KEPT_MS = 31 * 86_400_000;
/** How far the clock of a word may be ahead: its machine has reckoned the fleet's time. */
const AHEAD_MAX_MS = 5_000;
/** More changes than any circuit goes through. */
const GENERATION_MAX = 1_000_000_000;

/**
 * What one machine says of one account: health by the names of models behind their provider, and under the empty name what
 * concerns all of them. Every time is in whole ms of the fleet's clock.
 */
export type AccountWords = Pick<SharedHealth, 'models' | 'providers'>;

/** The words of one machine. @property at when it said them. */
export type Said = Readonly<{ machine: string; at: number; words: AccountWords }>;

type Entries = AccountWords['models'];

/** What failures of these kinds say of the way there, and the way is each machine's own. */
const OF_THE_WAY: readonly FailureKind[] = [
  'timeout',
  'network_transient',
  'network_permanent',
  'local_network',
  'unknown',
];
const isOfAccount = ({ kind }: Readonly<{ kind: FailureKind }>): boolean => !OF_THE_WAY.includes(kind);

/**
 * What this machine has found out by itself. @param kept the same of before: a limit that something longer of another machine stands
 * before, and what has ended. @param offsetMs the fleet's time minus engine time.
 */
export function ownOf(state: EngineState, kept: AccountWords, offsetMs: number): AccountWords {
  const { models, providers } = sharedOf(state, NOTHING_SHARED, offsetMs);
  const own = (list: Entries, before: Entries): Entries => {
    const known = new Map(before);
    return list.map(([key, entry]) => {
      const { limits = [], cleared = {} } = known.get(key) ?? {};
      return [key, mergedEntry(withoutOthers(entry), { ...BLANK, limits, cleared })];
    });
  };
  return { models: own(models, kept.models), providers: own(providers, kept.providers) };
}

function withoutOthers(entry: SharedEntry): SharedEntry {
  const limits = entry.limits.filter(isFoundHere);
  const { rest, breaker } = entry;
  return {
    ...entry,
    ...{ limits, limit: limits.at(0) ?? null, rest: rest && isFoundHere(rest) ? rest : null },
    breaker: breaker.kind === 'open' && breaker.machine !== undefined ? initialBreaker : breaker,
  };
}

const isFoundHere = ({ machine }: Readonly<{ machine?: string | undefined }>): boolean => machine === undefined;

/**
 * What this machine has to say of an account: what was found out here and still counts at `now`. The way to a provider, what was
 * counted, and every message stay here.
 */
export function accountWordsOf(own: AccountWords, account: HealthKey, now: number): AccountWords {
  const said = (list: Entries, nameIn: (key: HealthKey) => string | null): Entries =>
    list.flatMap(([key, entry]) => {
      const name = nameIn(key);
      const words = name === null ? null : saidOf(entry, now, name === '');
      return name === null || words === null ? [] : [[name, words] as const];
    });
  return {
    models: said(own.models, (key) => (providerOf(key) === account ? nameOf(key) : null)),
    providers: said(own.providers, (key) => (key === account ? '' : null)),
  };
}

function saidOf(entry: SharedEntry, now: number, isProviders: boolean): SharedEntry | null {
  const limits = entry.limits.filter(
    (limit) => isFoundHere(limit) && isOfAccount(limit) && Math.max(limit.until, limit.preferAt) > now,
  );
  const { rest, block, last, breaker } = entry;
  const { failures: _, ...lanes } = entry.cleared;
  const cleared = Object.fromEntries(Object.entries(lanes).filter(([, at]) => at > now - ENDED_KEPT_MS));
  const words: SharedEntry = {
    ...BLANK,
    ...{ limits, limit: limits.at(0) ?? null, cleared },
    rest: rest && !isProviders && isFoundHere(rest) && isOfAccount(rest) && rest.until > now ? rest : null,
    block: block && isOfAccount(block) ? block : null,
    breaker: isProviders || (last && !isOfAccount(last)) ? initialBreaker : circuitOf(breaker),
  };
  const isSilent = limits.length === 0 && !words.rest && !words.block && words.breaker.generation === 0;
  return isSilent && Object.keys(cleared).length === 0 ? null : words;
}

const BLANK: SharedEntry = {
  breaker: initialBreaker,
  ...{ limit: null, rest: null, block: null, last: null },
  ...{ calls: 0, failed: 0, directory: null, limits: [], cleared: {} },
};

/** Whether a circuit is closed, and since how many changes; what it has counted stays here. */
function circuitOf(breaker: BreakerState): BreakerState {
  if (breaker.kind === 'open' && breaker.machine !== undefined) return initialBreaker;
  if (breaker.kind !== 'closed') return breaker;
  const { kind, generation, trips } = breaker;
  return generation === 0 ? initialBreaker : { kind, generation, serial: 0, failures: [], trips, calmSince: undefined };
}

/** When a machine's words count no more, in ms of the fleet's clock; null where they say nothing. */
export function endOf({ models, providers }: AccountWords, now: number): number | null {
  const ends = [...models, ...providers].flatMap(([, { limits, rest, block, breaker, cleared }]) => [
    ...limits.map(({ until, preferAt }) => Math.max(until, preferAt)),
    ...(rest ? [rest.until] : []),
    ...(block ? [block.since + BELIEVED_MS] : []),
    ...(breaker.generation > 0 ? [(breaker.kind === 'open' ? breaker.until : now) + BELIEVED_MS] : []),
    ...Object.values(cleared).map((at) => at + ENDED_KEPT_MS),
  ]);
  return ends.length === 0 ? null : Math.min(Math.max(...ends), now + ENDED_KEPT_MS);
}

/**
 * What other machines say of an account together, within what is believed of any machine. The order of machines changes nothing.
 *
 * @param now ms of the fleet's clock.
 */
export function heardOf(said: readonly Said[], now: number): AccountWords {
  const believed = ({ machine, at, words }: Said): AccountWords => {
    const inTime = (list: Entries): Entries =>
      list.flatMap(([name, entry]) =>
        isFromTheFuture(entry, now) ? [] : [[name, believable(entry, machine, Math.min(at, now))] as const],
      );
    return { models: inTime(words.models), providers: inTime(words.providers) };
  };
  return said.map(believed).reduce<AccountWords>(mergeShared, NOTHING_SHARED);
}

/** Words of what is yet to come are none: they could not be made void any more. */
function isFromTheFuture({ limits, rest, block, breaker, cleared }: SharedEntry, now: number): boolean {
  const sinces = [...limits, ...(rest ? [rest] : []), ...(block ? [block] : [])].map(({ since }) => since);
  const probe = breaker.kind === 'halfOpen' && breaker.probe ? [breaker.probe.since] : [];
  const isAhead = [...sinces, ...probe, ...Object.values(cleared)].some((at) => at > now + AHEAD_MAX_MS);
  return isAhead || breaker.generation > GENERATION_MAX;
}

function believable(entry: SharedEntry, machine: string, at: number): SharedEntry {
  const { rest, block, breaker, cleared } = entry;
  const limits = [...entry.limits, ...(block ? [asLimit(block)] : [])].map((limit): Limit => {
    const end = limit.since + BELIEVED_MS;
    return { ...limit, machine, until: Math.min(limit.until, end), preferAt: Math.min(limit.preferAt, end) };
  });
  return {
    ...BLANK,
    ...{ cleared: withBlock(cleared), limits, limit: limits.at(0) ?? null },
    rest: rest && { ...rest, machine, until: Math.min(rest.until, rest.since + BELIEVED_MS) },
    breaker:
      breaker.kind === 'open'
        ? { ...breaker, machine, until: Math.min(breaker.until, at + BELIEVED_MS) }
        : circuitOf(breaker),
  };
}

/** There it was a limit that ended, here it may wait for a person: an answer has ended both. */
const withBlock = (cleared: Cleared): Cleared =>
  cleared.limit === undefined
    ? cleared
    : { ...cleared, block: Math.max(cleared.limit, cleared.block ?? cleared.limit) };

/** What waits for a person there may be mended here, or never have been so: it is asked once the time of all words is over. */
function asLimit({ kind, since }: Block): Limit {
  const until = since + BELIEVED_MS;
  return { kind, since, until, preferAt: until, source: 'estimate' };
}

/** The same words under the keys that the account's health is kept by here. */
export const keyed = ({ models, providers }: AccountWords, account: HealthKey): AccountWords => ({
  models: models.map(([name, entry]) => [`${account}/${name}`, entry]),
  providers: providers.map(([, entry]) => [account, entry]),
});

/** What others have seen end: what was found out here before that counts no more. */
export const endedBy = ({ models, providers }: AccountWords): AccountWords => {
  const ends = (list: Entries): Entries => list.map(([key, { cleared }]) => [key, { ...BLANK, cleared }]);
  return { models: ends(models), providers: ends(providers) };
};

/**
 * The health of models and providers that becomes another one by what others say: what was found out here, together with that. Only
 * what others have said is ever taken back.
 *
 * @param own as {@link ownOf} tells it. @param heard by {@link keyed}, of the account. @param present what is known here by now.
 */
export function takenIn(
  present: AccountWords,
  { account, own, heard }: Readonly<{ account: HealthKey; own: AccountWords; heard: AccountWords }>,
): AccountWords {
  const changed = (list: 'models' | 'providers', isIts: (key: HealthKey) => boolean): Entries => {
    const [before, mine, theirs] = [present, own, heard].map((words) => new Map(words[list]));
    const keys = new Set([...(before?.keys() ?? [])].filter(isIts).concat([...(theirs?.keys() ?? [])]));
    return [...keys].flatMap((key) => {
      const after = mergedEntry(mine?.get(key) ?? BLANK, theirs?.get(key) ?? BLANK);
      return lookOf(after) === lookOf(before?.get(key) ?? BLANK) ? [] : [[key, after] as const];
    });
  };
  return {
    models: changed('models', (key) => providerOf(key) === account),
    providers: changed('providers', (key) => key === account),
  };
}

/** Everything of an entry that the engine goes by. */
const lookOf = ({ breaker, limit, rest, block }: SharedEntry): string => {
  const { kind, generation, serial, trips } = breaker;
  const when =
    breaker.kind === 'open' ? [breaker.until, breaker.machine] : breaker.kind === 'closed' ? [] : [breaker.probe];
  return JSON.stringify([
    [kind, generation, serial, trips, when],
    limit && [limit.kind, limit.since, limit.until, limit.preferAt, limit.source, limit.machine],
    rest && [rest.kind, rest.since, rest.until, rest.machine],
    block && [block.kind, block.since],
  ]);
};
