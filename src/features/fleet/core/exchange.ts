import type { EngineEvent, EngineState, HealthKey, HeardWindow } from '../../../engine';
import {
  type AccountSaid,
  type AccountWords,
  asHeard,
  BLANK,
  believed,
  type Cleared,
  changedHealth,
  changedKeys,
  contradictedIn,
  endedBy,
  endedIn,
  endOf,
  heardWindows,
  isPressing,
  isUsedIn,
  keyOfWord,
  mergedWords,
  ownOf,
  ownWindows,
  resumed,
  retimedEnds,
  type Said,
  type SaidWindow,
  type SharedEntry,
  takenIn,
  windowKey,
  wordOf,
  wordOfKey,
} from '../../../engine/tools';
import { isModelRef } from '../../../protocol';

export type ExchangeHost = Readonly<{
  state(): EngineState;
  /** Engine ms. */
  now(): number;
  /** {@link ExchangeHost.state} must include the reports on return. */
  tell(event: Extract<EngineEvent, { type: 'fleet.heard' }>): void;
  /** Receives ends that other machines observed, before their dispatch. */
  ended?(all: readonly SeenEnd[]): void;
}>;

/** Engine ms. */
export type SeenEnd = readonly [key: HealthKey, ended: Cleared];

/** @property until expiry, in ms of the fleet's clock. */
export type OwnWords = AccountSaid & Readonly<{ until: number }>;

export type Shares = Readonly<{ health: boolean; headroom: boolean }>;

export type Urgency = 'now' | 'soon' | null;

export type Hearing = readonly (readonly [id: string, said: Said | null])[];

export type Exchange = Readonly<{
  /**
   * Call it after each step: an end followed by a new beginning is otherwise lost. Use of a limit is urgent only near
   * its maximum.
   */
  look(): Urgency;
  mine(account: HealthKey): OwnWords | null;
  /** Continues from a report of another process of this machine. */
  resume(account: HealthKey, report: AccountSaid): void;
  heard(account: HealthKey, hearing: Hearing): void;
  note(account: HealthKey, hearing: Hearing): void;
  /**
   * Applies queued reports for at most so many ms.
   * @returns true if some remain.
   */
  takeIn(account: HealthKey, forMs?: number): boolean;
  leave(account: HealthKey): void;
  contradicted(): ReadonlyMap<string, number>;
  /** Fleet's time minus engine time, in ms. */
  retime(offsetMs: number, forMs?: number): void;
}>;

type Limits = Readonly<{ machine: string; at: Map<string, number> }>;

/** A thousand machines may have 250 entries each. */
type Word = Pick<SharedEntry, 'limits' | 'rest' | 'breaker' | 'cleared'>;
type Heard = ReadonlyMap<string, Word>;
const NOTHING: Heard = new Map();
const NOTHING_CLEARED: Cleared = {};
const wordIn = ({ limits, rest, breaker, cleared }: SharedEntry): Word => ({
  limits,
  rest,
  breaker,
  cleared: Object.keys(cleared).length > 0 ? cleared : NOTHING_CLEARED,
});
const entryIn = (word: Word): SharedEntry => ({ ...BLANK, ...word, limit: word.limits[0] ?? null });

function newestOf(all: readonly HeardWindow[]): readonly HeardWindow[] {
  const newest = new Map<string, HeardWindow>();
  for (const window of all) {
    const key = windowKey({ id: window.id, name: window.model });
    const existing = newest.get(key);
    if (existing === undefined || window.agoMs < existing.agoMs) newest.set(key, window);
  }
  return [...newest.values()];
}

/** Most reported models not used here; bounds made-up names, and a team has a few hundred. */
const STRANGERS_MAX = 1_000;
const AT_ONCE = 500;
const MERGES_AT_ONCE = 1_000;
const LIMITS_AT_ONCE = 50;

/** An invalid name must not discard other entries. */
const isNamed = (account: HealthKey, name: string): boolean => name === '' || isModelRef(keyOfWord(account, name));

const ALL: Shares = { health: true, headroom: true };
const NO_HEALTH = { models: [], providers: [] } as const;

/** @param offsetMs the fleet's time minus engine time. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function createExchange(host: ExchangeHost, offsetMs: number, share: Shares = ALL): Exchange {
  let offset = offsetMs;
  let seen = host.state();
  const there = changedHealth({ ...seen, models: [], providers: [] }, seen);
  const own = new Map<HealthKey, SharedEntry>();
  const heardOf = new Map<HealthKey, Map<string, Heard>>();
  const contradictions = new Map<string, number>();
  /** Includes withdrawn entries and those before a restart, which the engine also remembers. */
  const heeded = new Set(there);
  const saidOf = new Map<HealthKey, readonly SaidWindow[]>();
  const limitsOf = new Map<HealthKey, Map<string, Limits>>();
  const notedNames = new Map<HealthKey, Set<string>>();
  const notedLimits = new Map<HealthKey, Hearing[number][]>();

  const now = (): number => Math.round(host.now() + offset);
  const renew = (keys: Iterable<HealthKey>): void => {
    for (const key of keys) {
      const entry = ownOf(seen, key, own.get(key), offset);
      if (entry) own.set(key, entry);
      else own.delete(key);
    }
  };
  const add = (words: AccountWords): void => {
    for (const [key, entry] of words) own.set(key, mergedWords(own.get(key), entry) ?? entry);
  };
  const look = (): Urgency => {
    const before = seen;
    seen = host.state();
    const isFuller = before.windows !== seen.windows && share.headroom;
    if (before.models === seen.models && before.providers === seen.providers)
      return isFuller ? urgencyIn(before) : null;
    const changed = changedHealth(before, seen);
    for (const machine of contradictedIn(before, seen, changed, host.now()))
      contradictions.set(machine, (contradictions.get(machine) ?? 0) + 1);
    add(endedIn(before, seen, host.now(), offset));
    renew(changed);
    return 'now';
  };
  const urgencyIn = (before: EngineState): Urgency =>
    changedKeys(before.windows, seen.windows, null).some((account) => isPressing(seen, account)) ? 'now' : 'soon';

  const heardNow = (account: HealthKey, name: string): SharedEntry | undefined => {
    let all: SharedEntry | undefined;
    for (const words of heardOf.get(account)?.values() ?? []) {
      const word = words.get(name);
      if (word) all = mergedWords(all, entryIn(word));
    }
    return all;
  };
  const isRoomFor = (key: HealthKey): boolean => heeded.has(key) || heeded.size < STRANGERS_MAX || isUsedIn(seen, key);
  const heedNow = (account: HealthKey, name: string): SharedEntry | undefined => {
    const key = keyOfWord(account, name);
    if (!isRoomFor(key)) return;
    const entry = heardNow(account, name);
    if (entry) heeded.add(key);
    return entry;
  };
  const take = (account: HealthKey, names: Iterable<string>): void => {
    look();
    const ends: SeenEnd[] = [];
    const changed = [...names].flatMap((name): AccountWords => {
      const [key, entry] = [keyOfWord(account, name), heedNow(account, name)];
      const hasEnds = entry !== undefined && Object.keys(entry.cleared).length > 0;
      if (hasEnds) add([[key, endedBy(entry)]]);
      const after = takenIn(seen, key, { own: own.get(key), heard: entry }, offset);
      if (after && hasEnds) ends.push([key, retimedEnds(entry.cleared, (at) => at - offset)]);
      return after ? [[key, after]] : [];
    });
    if (changed.length === 0) return;
    if (ends.length > 0) host.ended?.(ends);
    for (let at = 0; at < changed.length; at += AT_ONCE)
      host.tell({ type: 'fleet.heard', health: asHeard(changed.slice(at, at + AT_ONCE), host.now(), offset) });
    seen = host.state();
  };
  const takeWindows = (account: HealthKey, hearing: Hearing): void => {
    const limits = limitsOf.get(account) ?? new Map<string, Limits>();
    limitsOf.set(account, limits);
    const fresh: HeardWindow[] = [];
    const gone: string[] = [];
    for (const [id, report] of hearing) {
      const before = limits.get(id);
      if (report === null) {
        limits.delete(id);
        if (before) gone.push(before.machine);
        continue;
      }
      const news = report.windows.filter((window) => window.at !== before?.at.get(windowKey(window)));
      // Forgets old windows, which would grow without limit.
      const at = new Map(report.windows.map((window) => [windowKey(window), window.at]));
      limits.set(id, { machine: report.machine, at });
      const sound = news.filter(({ name }) => isNamed(account, name ?? ''));
      fresh.push(...heardWindows(account, report.machine, sound, now()));
    }
    // Another machine may have the same name.
    const speaking = new Set([...limits.values()].map(({ machine }) => machine));
    const forgotten = gone.filter((machine) => !speaking.has(machine));
    if (fresh.length === 0 && forgotten.length === 0) return;
    host.tell({
      type: 'fleet.heard',
      health: NO_HEALTH,
      ...(fresh.length > 0 ? { windows: [[account, newestOf(fresh)]] } : {}),
      ...(forgotten.length > 0 ? { forgotten: forgotten.map((machine) => [account, machine] as const) } : {}),
    });
    seen = host.state();
  };
  const believable = (account: HealthKey, report: Said | null): Heard =>
    report === null || !share.health
      ? NOTHING
      : new Map(
          report.words.flatMap(([name, entry]) => {
            const word = isNamed(account, name) ? believed(entry, report, now()) : null;
            return word ? [[name, wordIn(word)] as const] : [];
          }),
        );
  const namesOf = (account: HealthKey): ReadonlySet<string> =>
    new Set([...(heardOf.get(account)?.values() ?? [])].flatMap((words) => [...words.keys()]));

  const note: Exchange['note'] = (account, hearing) => {
    const reportsById = heardOf.get(account) ?? new Map<string, Heard>();
    heardOf.set(account, reportsById);
    const names = notedNames.get(account) ?? new Set<string>();
    notedNames.set(account, names);
    for (const [id, report] of hearing) {
      const [before, after] = [reportsById.get(id) ?? NOTHING, believable(account, report)];
      for (const name of [...before.keys(), ...after.keys()]) names.add(name);
      if (after.size === 0) reportsById.delete(id);
      else reportsById.set(id, after);
    }
    if (!share.headroom) return;
    const limits = [...(notedLimits.get(account) ?? []), ...hearing];
    notedLimits.set(account, limits);
    if (limits.length > LIMITS_AT_ONCE) takeWindows(account, limits.splice(0));
  };
  const takeIn: Exchange['takeIn'] = (account, forMs = Number.POSITIVE_INFINITY) => {
    const [names, limits] = [notedNames.get(account) ?? new Set<string>(), notedLimits.get(account) ?? []];
    const machines = heardOf.get(account)?.size ?? 0;
    const atOnce = forMs === Number.POSITIVE_INFINITY ? names.size : Math.ceil(MERGES_AT_ONCE / Math.max(1, machines));
    const end = host.now() + forMs;
    do {
      const some = [...names].slice(0, atOnce);
      for (const name of some) names.delete(name);
      take(account, some);
    } while (names.size > 0 && host.now() < end);
    if (names.size > 0) return true;
    takeWindows(account, limits.splice(0));
    return false;
  };

  renew(there);
  return {
    look,
    mine(account) {
      look();
      const at = now();
      const words = (share.health ? [...own] : []).flatMap(([key, entry]): AccountWords => {
        const name = wordOfKey(account, key);
        const word = name === null ? null : wordOf(entry, name, at);
        return name === null || word === null ? [] : [[name, word]];
      });
      const sorted = words.toSorted(([one], [other]) => (one < other ? -1 : 1));
      const clock = { now: host.now(), offsetMs: offset };
      const windows = share.headroom ? ownWindows(seen, account, saidOf.get(account) ?? [], clock) : [];
      saidOf.set(account, windows);
      const until = endOf({ words: sorted, windows }, at);
      return until === null ? null : { words: sorted, windows, until };
    },
    resume(account, { words }) {
      look();
      const sound = words.flatMap(([name, entry]) => {
        const key = keyOfWord(account, name);
        const own = isNamed(account, name) && isRoomFor(key) ? resumed(entry, now()) : null;
        if (own) heeded.add(key);
        return own ? [[name, own] as const] : [];
      });
      add(sound.map(([name, entry]) => [keyOfWord(account, name), entry] as const));
      take(
        account,
        sound.map(([name]) => name),
      );
    },
    note,
    takeIn,
    heard(account, hearing) {
      note(account, hearing);
      takeIn(account);
    },
    leave(account) {
      const names = namesOf(account);
      for (const noted of [heardOf, notedNames, notedLimits]) noted.delete(account);
      take(account, names);
      takeWindows(
        account,
        [...(limitsOf.get(account)?.keys() ?? [])].map((id) => [id, null] as const),
      );
      limitsOf.delete(account);
      saidOf.delete(account);
    },
    contradicted: () => contradictions,
    retime(next, forMs) {
      look();
      offset = next;
      renew([...own.keys()]);
      for (const account of heardOf.keys()) {
        for (const name of namesOf(account)) notedNames.get(account)?.add(name);
        takeIn(account, forMs);
      }
    },
  };
}
