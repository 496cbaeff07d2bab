import { setImmediate as turn } from 'node:timers/promises';
import type { FleetPreferences } from '../../../contract/preferences';
import { countError } from '../../../core/base/internal-errors';
import { settled } from '../../../core/base/settled';
import { shifted, together } from '../../../core/budget/elsewhere';
import { type HealthKey, nameOf, providerOf } from '../../../engine';
import { returnDue } from '../../../engine/tools';
import { inTime, within } from '../../../node/base/within';
import { type Latest, type LatestOptions, latest } from '../../../node/socket/latest';
import type { FleetMachine } from '../contract/fleet';
import { createExchange, type Exchange, type ExchangeHost, type Urgency } from '../core/exchange';
import { type AccountBook, createAccountBook, type OwnSaid, type Speaker } from './account-words';
import { type FleetMoney, NO_MONEY } from './money';
import {
  connectToServer,
  type HeldWords,
  keyOfAccount,
  type News,
  type ServerAddress,
  type ServerConnection,
  type ServerOutcome,
  type Trouble,
  troubleOf,
} from './server';

export type FleetIdentity = Speaker &
  Readonly<{
    team: string;
    address: ServerAddress;
    ignored: readonly string[];
    share: FleetPreferences['share'];
  }>;

/** `connected` with a trouble: the server rejects writes. */
export type FleetStanding =
  | Readonly<{ state: 'connecting' }>
  | Readonly<{ state: 'connected'; trouble: Trouble | null }>
  | Readonly<{ state: 'away'; trouble: Trouble }>;

export type FleetLink = Readonly<{
  look(): void;
  /** Marks by health key. Resolves when reports are applied or the server is unavailable. */
  use(accounts: ReadonlyMap<HealthKey, string>): Promise<void>;
  /** Also permits it without an answer within 50 ms. */
  lease(key: HealthKey): Promise<boolean>;
  /** Resolves after the write, or after 500 ms. */
  flush(): Promise<void>;
  standing(): FleetStanding;
  machines(): readonly FleetMachine[];
  speakers(account: HealthKey): readonly string[];
  close(): void;
}>;

/** Combines changes, in ms. */
const TELL_AFTER_MS = 15;
/** Delay for a limit far from its maximum, in ms. */
const FILLS_AFTER_MS = 2_000;
/** Reads time and missed reports, in ms. */
const LOOK_MS = 5_000;
/** Least time between reads of missed reports, in ms. */
const CATCH_UP_MS = 50;
const HEAR_MS = 100;
/** Time per piece of work, in ms. */
const PIECE_MS = 8;
/** Doubles each time; jitter separates machines. */
const AGAIN_MS = 200;
const AGAIN_MAX_MS = 1_200;
/** Delay after a rejected password, in ms; jitter adds up to half. */
const REFUSED_AGAIN_MS = 40_000;
const SAME_CLOCK_MS = 250;
const SPENT_KEPT_MS = 8 * 86_400_000;
const FLOODED: Trouble = {
  trouble: 'flooded',
  reason:
    'The server holds more reports about an account than a team writes. None is read, and this machine works alone for that account.',
};
const HOUR_MS = 3_600_000;
const LEASE_WAIT_MS = 50;
const FLUSH_WAIT_MS = 500;
/** Time after which another machine may probe too, in ms. */
const LEASE_MS = 120_000;
/** Lease of the first request. A limit that still applies is reported sooner. */
const FIRST_MS = 10_000;
const SAY_FOR_OTHERS_MS = 1_000;

export type FleetHost = ExchangeHost &
  Readonly<{
    /** Uniform in [0, 1). */
    random(): number;
    money?: FleetMoney;
    spared?(): number;
    connect?(address: ServerAddress): Promise<ServerOutcome<ServerConnection>>;
  }>;

function paced(
  all: Map<string, Latest<null>>,
  mark: string,
  how: Pick<LatestOptions<null>, 'intervalMs' | 'send'>,
): void {
  const one = all.get(mark) ?? latest<null>({ ...how, isReady: () => true });
  all.set(mark, one);
  one.offer(null);
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function joinFleet(identity: FleetIdentity, host: FleetHost): FleetLink {
  const { team, id, address, ignored, share } = identity;
  const shares = { health: share.includes('health'), headroom: share.includes('headroom') };
  const { connect = connectToServer } = host;
  const money = share.includes('budget') ? (host.money ?? NO_MONEY) : NO_MONEY;
  const books = new Map<string, AccountBook>();
  const timers = new Set<NodeJS.Timeout>();
  const amiss = new Map<string, Trouble>();
  const heardOf = new Set<string>();
  const catching = new Map<string, Latest<null>>();
  const fresh = new Map<string, Map<string, HeldWords>>();
  const hearing = new Map<string, Latest<null>>();
  let accounts: ReadonlyMap<HealthKey, string> = new Map();
  let exchange: Exchange | null = null;
  let offset = 0;
  let connection: ServerConnection | null = null;
  let standing: FleetStanding = { state: 'connecting' };
  let waitMs = AGAIN_MS;
  let isClosed = false;
  let telling: Readonly<{ timer: NodeJS.Timeout; urgency: Urgency }> | null = null;
  /** Requests run in order, so that answers match. */
  let queue: Promise<unknown> = Promise.resolve();
  let receiving: Promise<void> = Promise.resolve();

  const keyOf = (mark: string): string => keyOfAccount(team, mark);
  const marks = (): readonly string[] => [...new Set(accounts.values())];
  const now = (): number => Math.round(host.now() + offset);
  const stand = (next: FleetStanding): void => {
    standing = next;
  };
  const later = (ms: number, action: () => void): NodeJS.Timeout => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      action();
    }, ms);
    timer.unref();
    timers.add(timer);
    return timer;
  };
  const namesOf = (mark: string): readonly HealthKey[] =>
    [...accounts].flatMap(([account, own]) => (own === mark ? [account] : []));
  const bookOf = (mark: string): AccountBook => {
    const book = books.get(mark) ?? createAccountBook(mark, identity);
    books.set(mark, book);
    return book;
  };
  const hear = (mark: string, machines: Iterable<string | HeldWords>): Promise<void> => {
    const done = receiving.then(() => hearInPieces(mark, machines));
    receiving = settled(done);
    return done;
  };
  const hearInPieces = async (mark: string, machines: Iterable<string | HeldWords>): Promise<void> => {
    const book = bookOf(mark);
    let end = performance.now() + PIECE_MS;
    const rest = async (): Promise<void> => {
      if (performance.now() < end) return;
      await turn();
      end = performance.now() + PIECE_MS;
    };
    for (const machine of machines) {
      const ids = typeof machine === 'string' ? [machine] : book.take([machine], book.position(), now());
      for (const account of namesOf(mark)) {
        const mine = ids.includes(id) ? book.mine() : null;
        if (mine) exchange?.resume(account, mine);
        exchange?.note(account, book.said(now(), ignored, ids));
      }
      await rest();
    }
    for (const account of namesOf(mark))
      while (exchange?.takeIn(account, PIECE_MS) && accounts.has(account)) await rest();
  };
  /** Local clocks record spending. */
  const aheadHours = (): number => Math.round((now() - Date.now()) / HOUR_MS);
  /** Adds up hours of all machines, so only after all were read; until then the stored total applies. */
  const tellMoney = async (): Promise<void> => {
    if (money === NO_MONEY || accounts.size === 0) return;
    if (marks().every((mark) => heardOf.has(mark)))
      money.heard(
        new Map(
          [...accounts].map(([account, own]) => [account, shifted(bookOf(own).spent(now(), ignored), -aheadHours())]),
        ),
      );
    await money.refresh();
  };
  /** An account may have several local names. */
  const mineOf = (mark: string): OwnSaid | null => {
    const names = namesOf(mark);
    const [account] = names;
    const report = account === undefined ? null : (exchange?.mine(account) ?? null);
    const spent = together(
      names.map((name) => shifted(money.own(name), aheadHours())),
      now(),
    );
    if (report === null && spent.length === 0) return null;
    const spentUntil = spent.length === 0 ? 0 : now() + SPENT_KEPT_MS;
    return { words: [], windows: [], ...report, spent, until: Math.max(report?.until ?? 0, spentUntil) };
  };

  /** A server that rejects an operation is still connected. */
  const ask = (action: (server: ServerConnection) => Promise<void>): Promise<void> => {
    const done = queue.then(async () => {
      const server = connection;
      if (server === null) return;
      try {
        await action(server);
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble.trouble === 'readonly' || trouble.trouble === 'full' || trouble.trouble === 'refused')
          stand({ state: 'connected', trouble });
        else away(server, trouble);
      }
    });
    queue = done;
    return done;
  };
  /** Invalid data of one account does not block others. */
  const each = async (action: (mark: string) => Promise<void>, of: readonly string[] = marks()): Promise<void> => {
    for (const mark of of) {
      try {
        await action(mark);
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble.trouble !== 'failed') throw error;
        amiss.set(mark, trouble);
      }
    }
  };
  const read = async (server: ServerConnection, mark: string): Promise<void> => {
    const book = bookOf(mark);
    const before = book.position();
    const { position, held, isFlooded } = await server.read(keyOf(mark), before);
    if (isFlooded) amiss.set(mark, FLOODED);
    else amiss.delete(mark);
    if (isFlooded) return;
    heardOf.add(mark);
    const isLost = before.life !== '' && position.life !== before.life;
    if (isLost) {
      book.lost();
      later(
        SAY_FOR_OTHERS_MS * (0.5 + host.random()),
        () => void ask((one) => each(() => sayForOthers(one, mark), [mark])),
      );
    }
    book.take([], position, now());
    await hear(mark, held);
    await hear(mark, book.expire(now()));
  };
  const put = async (server: ServerConnection, mark: string): Promise<void> => {
    const book = bookOf(mark);
    const next = book.next(mineOf(mark), now());
    if (next === null) return;
    await server.put(keyOf(mark), next.held);
    book.put(next);
    stand({ state: 'connected', trouble: null });
  };
  const putAll = async (server: ServerConnection): Promise<void> => {
    await each(async (mark) => (amiss.get(mark)?.trouble === 'failed' ? undefined : await put(server, mark)));
  };
  const sayForOthers = async (server: ServerConnection, mark: string): Promise<void> => {
    const book = bookOf(mark);
    const { held } = await server.read(keyOf(mark), { life: '', change: 0 });
    const there = new Set(held.map(({ machine }) => machine));
    for (const one of book.others(now())) if (!there.has(one.machine)) await server.put(keyOf(mark), one);
  };

  /** Limits reads: each message of a faulty sender can look like a gap. */
  const catchUp = (mark: string): void =>
    paced(catching, mark, {
      intervalMs: CATCH_UP_MS,
      send: () => void ask((server) => each(() => read(server, mark), [mark])),
    });
  const takeNews = (mark: string, words: HeldWords): void => {
    fresh.set(mark, (fresh.get(mark) ?? new Map<string, HeldWords>()).set(words.machine, words));
    paced(hearing, mark, {
      intervalMs: HEAR_MS,
      send() {
        const all = fresh.get(mark) ?? new Map<string, HeldWords>();
        fresh.delete(mark);
        hear(mark, all.values()).catch((error: unknown) => {
          countError('fleet.hear', error);
          bookOf(mark).rewind();
        });
      },
    });
  };
  const onNews = ({ channel, position, held }: News): void => {
    const mark = marks().find((each) => keyOf(each) === channel);
    if (mark === undefined) return;
    const book = bookOf(mark);
    const { life, change } = book.position();
    if (life !== position.life || position.change > change + 1) catchUp(mark);
    else if (position.change === change + 1) {
      book.take([], position, now());
      takeNews(mark, held);
    }
  };

  const readTime = async (server: ServerConnection): Promise<void> => {
    const { serverMs, tookMs } = await server.time();
    const found = serverMs + tookMs / 2 - host.now();
    if (exchange !== null && Math.abs(found - offset) < SAME_CLOCK_MS + tookMs) return;
    offset = found;
    if (exchange === null) exchange = createExchange(host, offset, shares);
    else exchange.retime(offset, PIECE_MS);
    for (const book of books.values()) book.rewind();
    for (const mark of marks()) await hear(mark, []);
  };
  const lookAgain = (server: ServerConnection): void => {
    later(LOOK_MS * (0.9 + 0.2 * host.random()), () => {
      if (server !== connection) return;
      void ask(async () => {
        await readTime(server);
        await each((mark) => read(server, mark));
        await tellMoney();
        await putAll(server);
      }).then(() => lookAgain(server));
    });
  };

  const away = (server: ServerConnection | null, trouble: Trouble): void => {
    if (server !== connection || isClosed) return;
    connection = null;
    server?.close();
    stand({ state: 'away', trouble });
    const wait = trouble.trouble === 'refused' ? REFUSED_AGAIN_MS : waitMs;
    waitMs = Math.min(AGAIN_MAX_MS, 2 * waitMs);
    later(wait * (0.5 + host.random()), () => void come());
  };
  const come = async (): Promise<void> => {
    const outcome = await connect(address);
    if (isClosed) {
      if (outcome.ok) outcome.value.close();
      return;
    }
    if (!outcome.ok) {
      away(null, { trouble: outcome.trouble, reason: outcome.reason });
      return;
    }
    const server = outcome.value;
    connection = server;
    server.onClose((why) => away(server, why));
    server.onNews(onNews);
    await ask(async () => {
      await readTime(server);
      await begin(server);
      waitMs = AGAIN_MS;
      stand({ state: 'connected', trouble: null });
      await tellMoney();
      await putAll(server);
    });
    lookAgain(server);
  };
  const begin = async (server: ServerConnection): Promise<void> => {
    await server.follow(marks().map(keyOf));
    await each((mark) => read(server, mark));
  };

  void come();
  return {
    look() {
      const urgency = exchange?.look() ?? null;
      if (urgency === null || telling?.urgency === 'now' || telling?.urgency === urgency) return;
      if (telling !== null) {
        clearTimeout(telling.timer);
        timers.delete(telling.timer);
      }
      const timer = later(urgency === 'now' ? TELL_AFTER_MS : FILLS_AFTER_MS, () => {
        telling = null;
        void ask(putAll);
      });
      telling = { timer, urgency };
    },
    async use(next) {
      const isSame = JSON.stringify([...next]) === JSON.stringify([...accounts]);
      for (const [account, mark] of accounts) if (next.get(account) !== mark) exchange?.leave(account);
      accounts = new Map(next);
      if (isSame) return;
      for (const mark of marks()) await hear(mark, bookOf(mark).machines());
      await ask(begin);
      void tellMoney();
      void ask(putAll);
    },
    async lease(key) {
      const mark = accounts.get(providerOf(key));
      const server = connection;
      if (mark === undefined || server === null || !shares.health) return true;
      const limited = returnDue(host.state(), key, host.now());
      const lease =
        limited === null
          ? server.lease(`${keyOf(mark)}:probe:${nameOf(key)}`, id, LEASE_MS)
          : server.lease(`${keyOf(mark)}:first:${limited === key ? nameOf(key) : ''}`, id, FIRST_MS);
      return inTime(
        // silent: without the server this machine decides alone
        lease.catch(() => true),
        LEASE_WAIT_MS,
        true,
        false,
      );
    },
    async flush() {
      if (connection === null) return;
      const flush = ask(async (server) => {
        await money.refresh();
        await putAll(server);
      });
      await within(flush, FLUSH_WAIT_MS);
    },
    standing() {
      if (standing.state !== 'connected' || standing.trouble !== null) return standing;
      const [found = null] = marks().flatMap((mark) => amiss.get(mark) ?? []);
      return { ...standing, trouble: found };
    },
    machines() {
      const latest = new Map<string, FleetMachine>();
      for (const mark of marks())
        for (const { id: by, name, version, saidAt } of bookOf(mark).heard()) {
          const agoMs = Math.max(0, now() - saidAt);
          if (agoMs < (latest.get(by)?.agoMs ?? Number.POSITIVE_INFINITY))
            latest.set(by, {
              id: by,
              name,
              version,
              agoMs,
              isIgnored: ignored.includes(by),
              contradicted: exchange?.contradicted().get(name) ?? 0,
            });
        }
      const named = new Map<string, number>();
      for (const { name } of latest.values()) named.set(name, (named.get(name) ?? 0) + 1);
      return (
        [...latest.values()]
          // With duplicate names the count cannot be assigned.
          .map((each) => (named.get(each.name) === 1 ? each : { ...each, contradicted: 0 }))
          .sort((one, other) => one.agoMs - other.agoMs)
      );
    },
    speakers(account) {
      const mark = accounts.get(account);
      const reports = mark === undefined ? [] : bookOf(mark).heard();
      return reports.toSorted((one, other) => other.saidAt - one.saidAt).map(({ id: by }) => by);
    },
    close() {
      isClosed = true;
      accounts = new Map();
      for (const timer of timers) clearTimeout(timer);
      for (const again of [...catching.values(), ...hearing.values()]) again.close();
      connection?.close();
      connection = null;
    },
  };
}
