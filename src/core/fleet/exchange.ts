import type { EngineEvent, EngineState, HealthKey } from '../../engine';
import {
  type AccountWords,
  asHeard,
  believed,
  changedHealth,
  endedBy,
  endedIn,
  endOf,
  keyOfWord,
  mergedWords,
  ownOf,
  type Said,
  type SharedEntry,
  takenIn,
  wordOf,
  wordOfKey,
} from '../../engine/tools';

/** The engine of this machine, as far as the exchange needs it. */
export type ExchangeHost = Readonly<{
  state(): EngineState;
  /** Engine ms. */
  now(): number;
  /** Takes in what others say; it must be in {@link ExchangeHost.state} when this returns. */
  tell(event: Extract<EngineEvent, { type: 'fleet.heard' }>): void;
}>;

/** What this machine says of an account. @property until when it counts no more, ms of the fleet's clock. */
export type OwnWords = Readonly<{ words: AccountWords; until: number }>;

/** What machines say by now, each by its id; null where it says nothing any more. */
export type Hearing = readonly (readonly [id: string, said: Said | null])[];

/** What the machines of a fleet tell each other of accounts, as one of them sees it; which server carries it is nobody's matter here. */
export type Exchange = Readonly<{
  /** The engine has made a step; to be told of each, since what ends and begins anew between two looks does not show. */
  look(): void;
  /** What this machine has to say of an account now; null where that is nothing. */
  mine(account: HealthKey): OwnWords | null;
  /** What this machine said in an earlier life, or another process of it, that it may go on from there. */
  resume(account: HealthKey, words: AccountWords): void;
  /** What some machines say of an account by now: what none says any more is taken back. Costs by what has changed. */
  heard(account: HealthKey, hearing: Hearing): void;
  /** An account is not used any more: what others said of it is taken back. */
  leave(account: HealthKey): void;
  /** The fleet's clock was found to differ from engine time by so much. @param offsetMs the fleet's time minus engine time. */
  retime(offsetMs: number): void;
}>;

/** Words of one machine by name, as far as they are believed. */
type Heard = ReadonlyMap<string, SharedEntry>;
const NOTHING: Heard = new Map();

/** @param offsetMs the fleet's time minus engine time. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function createExchange(host: ExchangeHost, offsetMs: number): Exchange {
  let offset = offsetMs;
  let seen = host.state();
  /** What was found out here, by key. */
  const own = new Map<HealthKey, SharedEntry>();
  const heardOf = new Map<HealthKey, Map<string, Heard>>();

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
  /** Takes in what the engine has found out since. */
  const look = (): void => {
    const before = seen;
    seen = host.state();
    if (before.models === seen.models && before.providers === seen.providers) return;
    add(endedIn(before, seen, host.now(), offset));
    renew(changedHealth(before, seen));
  };

  const heardNow = (account: HealthKey, name: string): SharedEntry | undefined => {
    let all: SharedEntry | undefined;
    for (const words of heardOf.get(account)?.values() ?? []) all = mergedWords(all, words.get(name));
    return all;
  };
  const take = (account: HealthKey, names: Iterable<string>): void => {
    look();
    const changed = [...names].flatMap((name): AccountWords => {
      const [key, heard] = [keyOfWord(account, name), heardNow(account, name)];
      if (heard) add([[key, endedBy(heard)]]);
      const after = takenIn(seen, key, { own: own.get(key), heard }, offset);
      return after ? [[key, after]] : [];
    });
    if (changed.length === 0) return;
    host.tell({ type: 'fleet.heard', health: asHeard(changed, host.now(), offset) });
    // What others take back has not ended here.
    seen = host.state();
  };
  const believable = (said: Said | null): Heard =>
    said === null
      ? NOTHING
      : new Map(
          said.words.flatMap(([name, entry]) => {
            const word = believed(entry, said, now());
            return word ? [[name, word] as const] : [];
          }),
        );
  const namesOf = (account: HealthKey): ReadonlySet<string> =>
    new Set([...(heardOf.get(account)?.values() ?? [])].flatMap((words) => [...words.keys()]));

  renew(changedHealth({ ...seen, models: [], providers: [] }, seen));
  return {
    look,
    mine(account) {
      look();
      const at = now();
      const words = [...own].flatMap(([key, entry]): AccountWords => {
        const name = wordOfKey(account, key);
        const word = name === null ? null : wordOf(entry, name, at);
        return name === null || word === null ? [] : [[name, word]];
      });
      const sorted = words.toSorted(([one], [other]) => (one < other ? -1 : 1));
      const until = endOf(sorted, at);
      return until === null ? null : { words: sorted, until };
    },
    resume(account, words) {
      look();
      add(words.map(([name, entry]) => [keyOfWord(account, name), entry] as const));
      take(
        account,
        words.map(([name]) => name),
      );
    },
    heard(account, hearing) {
      const known = heardOf.get(account) ?? new Map<string, Heard>();
      heardOf.set(account, known);
      const names = new Set<string>();
      for (const [id, said] of hearing) {
        const [before, after] = [known.get(id) ?? NOTHING, believable(said)];
        for (const name of [...before.keys(), ...after.keys()]) names.add(name);
        if (after.size === 0) known.delete(id);
        else known.set(id, after);
      }
      take(account, names);
    },
    leave(account) {
      const names = namesOf(account);
      heardOf.delete(account);
      take(account, names);
    },
    retime(next) {
      look();
      offset = next;
      renew([...own.keys()]);
      for (const account of heardOf.keys()) take(account, namesOf(account));
    },
  };
}
