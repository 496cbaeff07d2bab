import { countAs } from '../../../core/base/internal-errors';
import { NOTHING_ELSEWHERE } from '../../../core/budget/elsewhere';
import type { HealthKey } from '../../../engine';
import { inTime } from '../../../node/base/within';
import { type FleetAccounts, NO_ACCOUNTS } from '../../../node/data/account-books';
import type { FleetStatus } from '../contract/fleet';
import { NO_FLEET } from '../contract/no-fleet';
import { type FleetHost, type FleetLink, type FleetStanding, joinFleet } from './link';
import { type FleetFound, isUnread } from './settings';

/** What was found; `elsewhere` where another process of this machine speaks for it. */
type Found = FleetFound | Readonly<{ kind: 'elsewhere' }>;

/** The fleet of this machine, whichever its user has chosen, also where that is none. */
export type KeptFleet = Readonly<{
  /** The engine has made steps, or other accounts may be in use. */
  look(): void;
  /** What the user has chosen may be another. Resolves when that is in force. */
  reread(): Promise<void>;
  /** The same beside whatever is going on, unless it was looked at within the last 30 s. */
  refresh(): void;
  /**
   * A request is about to leave to an account: where it is one that this machine has not asked before, what others say of it is
   * waited for, 50 ms at most.
   */
  meet(): Promise<void>;
  /** Whether this machine may make the one probe of a model, or be the first to ask it since its limit has ended. */
  lease(key: HealthKey): Promise<boolean>;
  /** This process ends: what it has not said yet is said, within 500 ms. */
  flush(): Promise<void>;
  /** How it is, to be shown. */
  status(): FleetStatus;
  close(): void;
}>;

export type KeepOptions = Readonly<{
  find(): Promise<Found>;
  /** Whether it is looked at every 30 s what the user has chosen, also while that is no fleet. */
  looksOn: boolean;
  /** Accounts that this machine uses, as a team knows them; null where they are as they were. */
  accounts(found: Extract<FleetFound, { kind: 'ready' }>): Promise<FleetAccounts | null>;
}>;

const REREAD_MS = 30_000;
const MEET_WAIT_MS = 50;
/** How long accounts wait to be looked at, in ms. */
const TAKE_AFTER_MS = 15;
/** How often they are looked at where nothing happens, in ms: that one is used may be written down after all else of its turn. */
const TAKE_EVERY_MS = 5_000;

const isSame = (one: FleetAccounts, other: FleetAccounts): boolean => textOf(one) === textOf(other);
const textOf = ({ marks, apart }: FleetAccounts): string => JSON.stringify([[...marks], [...apart]]);

/** Keeps this machine in the fleet that its user has chosen. Without one nothing is opened, and nothing is ever waited for. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function keepFleet(host: FleetHost, { find, looksOn, accounts: readAccounts }: KeepOptions): KeptFleet {
  let found: Found = { kind: 'off' };
  let link: FleetLink | null = null;
  let accounts = NO_ACCOUNTS;
  let isClosed = false;
  let taking: NodeJS.Timeout | undefined;
  let takingOn: NodeJS.Timeout | undefined;
  let rereading: Promise<void> = Promise.resolve();
  let rereadAt = Number.NEGATIVE_INFINITY;
  let rereadingOn: NodeJS.Timeout | undefined;
  let using: Promise<void> = Promise.resolve();

  const take = async (): Promise<void> => {
    const [kept, asked] = [link, found];
    if (kept === null || asked.kind !== 'ready') return;
    const next = await readAccounts(asked);
    if (next === null || kept !== link || isSame(next, accounts)) return;
    if (accounts.marks.size > 0 && next.marks.size === 0) host.money?.heard(NOTHING_ELSEWHERE);
    accounts = next;
    using = kept.use(next.marks);
  };
  /** Whatever hinders it, it is tried again. */
  const tryToTake = (): void => void take().catch(countAs('fleet.take'));
  const leave = (next: Found['kind']): void => {
    // What others have said holds no more, unless it is heard by another process.
    if (next !== 'elsewhere') void link?.use(new Map());
    // What every process of this machine counts by: that a password is not known in this one changes nothing of it.
    if (next === 'off') host.money?.heard(NOTHING_ELSEWHERE);
    link?.close();
    link = null;
    clearInterval(takingOn);
    accounts = NO_ACCOUNTS;
  };
  const readAnew = async (): Promise<void> => {
    const next = await find();
    if (isClosed || JSON.stringify(next) === JSON.stringify(found)) return;
    // A slip of the hand is no leaving: what was chosen holds until it can be read what is.
    if (found.kind === 'ready' && isUnread(next)) return;
    leave(next.kind);
    found = next;
    if (found.kind === 'ready') {
      if (!found.identity.share.includes('budget')) host.money?.heard(NOTHING_ELSEWHERE);
      link = joinFleet(found.identity, host);
      takingOn = setInterval(tryToTake, TAKE_EVERY_MS).unref();
      await take();
    }
  };
  /** Whoever leaves is to be gone, also where nobody works; and a file may be written by hand. */
  const lookOn = (): void => {
    clearInterval(rereadingOn);
    if (isClosed || !(looksOn || found.kind === 'ready' || found.kind === 'unready')) return;
    rereadingOn = setInterval(() => void reread(), REREAD_MS).unref();
  };
  const reread = (): Promise<void> => {
    rereadAt = performance.now();
    rereading = rereading.then(readAnew).catch(countAs('fleet.read')).then(lookOn);
    return rereading;
  };
  return {
    reread,
    refresh() {
      if (performance.now() - rereadAt > REREAD_MS) void reread();
    },
    look() {
      if (link === null) return;
      link.look();
      // Not with each step of the engine: it costs a look at a file.
      taking ??= setTimeout(() => {
        taking = undefined;
        tryToTake();
      }, TAKE_AFTER_MS).unref();
    },
    async meet() {
      if (link?.standing().state !== 'connected') return;
      const met = take()
        .then(() => using)
        .catch(countAs('fleet.meet'));
      await inTime(met, MEET_WAIT_MS, undefined, false);
    },
    lease: (key) => (link === null ? Promise.resolve(true) : link.lease(key)),
    async flush() {
      await link?.flush();
    },
    status: () => statusOf(found, link, { accounts, saved: host.spared?.() ?? 0 }),
    close() {
      isClosed = true;
      clearTimeout(taking);
      clearInterval(rereadingOn);
      leave('elsewhere');
    },
  };
}

function statusOf(
  found: Found,
  link: FleetLink | null,
  { accounts: { marks, apart }, saved }: Readonly<{ accounts: FleetAccounts; saved: number }>,
): FleetStatus {
  if (found.kind === 'unready') return { ...NO_FLEET, state: 'unready', missing: found.missing };
  if (found.kind !== 'ready') return NO_FLEET;
  const { team, name } = found.identity;
  const standing: FleetStanding = link?.standing() ?? { state: 'connecting' };
  return {
    state: standing.state,
    trouble: 'trouble' in standing ? standing.trouble : null,
    missing: null,
    team,
    name,
    accounts: [
      ...[...marks.keys()].map((account) => ({ account, apart: null, machines: [...(link?.speakers(account) ?? [])] })),
      ...[...apart].map(([account, why]) => ({ account, apart: why, machines: [] })),
    ],
    machines: [...(link?.machines() ?? [])],
    saved,
  };
}
