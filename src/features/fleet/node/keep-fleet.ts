import { countAs } from '../../../core/base/internal-errors';
import { NOTHING_ELSEWHERE } from '../../../core/budget/elsewhere';
import type { HealthKey } from '../../../engine';
import { inTime } from '../../../node/base/within';
import { type FleetAccounts, NO_ACCOUNTS } from '../../../node/data/account-books';
import type { FleetStatus } from '../contract/fleet';
import { NO_FLEET } from '../contract/no-fleet';
import { type FleetHost, type FleetLink, type FleetStanding, joinFleet } from './link';
import { type FleetFound, isUnread } from './settings';

/** `elsewhere`: another process of this machine handles it. */
type Found = FleetFound | Readonly<{ kind: 'elsewhere' }>;

export type KeptFleet = Readonly<{
  look(): void;
  reread(): Promise<void>;
  /** At most every 30 s. */
  refresh(): void;
  /** Waits up to 50 ms for reports about a new account. */
  meet(): Promise<void>;
  /** Permits the only probe of a model, or the first request after a limit. */
  lease(key: HealthKey): Promise<boolean>;
  flush(): Promise<void>;
  status(): FleetStatus;
  close(): void;
}>;

export type KeepOptions = Readonly<{
  find(): Promise<Found>;
  /** Rereads the configuration every 30 s, even without a fleet. */
  looksOn: boolean;
  /** Null if unchanged. */
  accounts(found: Extract<FleetFound, { kind: 'ready' }>): Promise<FleetAccounts | null>;
}>;

const REREAD_MS = 30_000;
const MEET_WAIT_MS = 50;
const TAKE_AFTER_MS = 15;
/** In ms; an account's use may be recorded after its turn. */
const TAKE_EVERY_MS = 5_000;

const isSame = (one: FleetAccounts, other: FleetAccounts): boolean => textOf(one) === textOf(other);
const textOf = ({ marks, apart }: FleetAccounts): string => JSON.stringify([[...marks], [...apart]]);

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
    const [current, configuration] = [link, found];
    if (current === null || configuration.kind !== 'ready') return;
    const next = await readAccounts(configuration);
    if (next === null || current !== link || isSame(next, accounts)) return;
    if (accounts.marks.size > 0 && next.marks.size === 0) host.money?.heard(NOTHING_ELSEWHERE);
    accounts = next;
    using = current.use(next.marks);
  };
  const tryToTake = (): void => void take().catch(countAs('fleet.take'));
  const leave = (next: Found['kind']): void => {
    // Another process receives the reports now.
    if (next !== 'elsewhere') void link?.use(new Map());
    // All processes share this total; a missing password in one must not reset it.
    if (next === 'off') host.money?.heard(NOTHING_ELSEWHERE);
    link?.close();
    link = null;
    clearInterval(takingOn);
    accounts = NO_ACCOUNTS;
  };
  const readAnew = async (): Promise<void> => {
    const next = await find();
    if (isClosed || JSON.stringify(next) === JSON.stringify(found)) return;
    // Unreadable preferences are probably a typing error.
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
  /** An idle machine must leave too. */
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
      // Not with each engine step, because it reads a file.
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
