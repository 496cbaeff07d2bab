import type { EngineEvent, EngineState, HealthKey } from '../../engine';
import {
  type AccountWords,
  accountWordsOf,
  asSynced,
  clearedBetween,
  endedBy,
  endOf,
  get,
  heardOf,
  keyed,
  mergeShared,
  NOTHING_SHARED,
  ownOf,
  type Said,
  sharedOf,
  takenIn,
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

/** What the machines of a fleet tell each other of accounts, as one of them sees it; which server carries it is nobody's matter here. */
export type Exchange = Readonly<{
  /** The engine has made steps: takes in what was found out and what has ended by it. */
  look(): void;
  /** What this machine has to say of an account now; null where that is nothing. */
  mine(account: HealthKey): OwnWords | null;
  /** What this machine said in an earlier life, that it may go on from there. */
  resume(account: HealthKey, words: AccountWords): void;
  /** Everything that the other machines say of an account by now: what none of them says any more is taken back. */
  heard(account: HealthKey, said: readonly Said[]): void;
  /** The fleet's clock was found to differ from engine time by so much. @param offsetMs the fleet's time minus engine time. */
  retime(offsetMs: number): void;
}>;

/** @param offsetMs the fleet's time minus engine time. */
export function createExchange(host: ExchangeHost, offsetMs: number): Exchange {
  let offset = offsetMs;
  let seen = host.state();
  let own: AccountWords = ownOf(seen, NOTHING_SHARED, offset);
  const saidOf = new Map<HealthKey, readonly Said[]>();

  const now = (): number => Math.round(host.now() + offset);

  const look = (): void => {
    const before = seen;
    seen = host.state();
    if (before.models === seen.models && before.providers === seen.providers) return;
    const { models, providers } = clearedBetween(before, seen, host.now(), offset);
    // What was forgotten has not ended.
    const ended = {
      models: models.filter(([key]) => get(seen.models, key)),
      providers: providers.filter(([key]) => get(seen.providers, key)),
    };
    own = ownOf(seen, mergeShared(own, ended), offset);
  };

  const take = (account: HealthKey): void => {
    look();
    const heard = keyed(heardOf(saidOf.get(account) ?? [], now()), account);
    own = mergeShared(own, endedBy(heard));
    const changed = takenIn(sharedOf(seen, NOTHING_SHARED, offset), { account, own, heard });
    if (changed.models.length === 0 && changed.providers.length === 0) return;
    const { models, providers } = asSynced(changed, host.now(), offset);
    host.tell({ type: 'fleet.heard', health: { models, providers } });
    // What others take back has not ended here.
    seen = host.state();
  };

  return {
    look,
    mine(account) {
      look();
      const words = accountWordsOf(own, account, now());
      const until = endOf(words, now());
      return until === null ? null : { words, until };
    },
    resume(account, words) {
      own = mergeShared(own, keyed(words, account));
    },
    heard(account, said) {
      saidOf.set(account, said);
      take(account);
    },
    retime(next) {
      look();
      offset = next;
      for (const account of saidOf.keys()) take(account);
    },
  };
}
