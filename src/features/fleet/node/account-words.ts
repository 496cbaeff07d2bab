import { type Hours, together } from '../../../core/budget/elsewhere';
import { type AccountSaid, AHEAD_MAX_MS } from '../../../engine/tools';
import { fleetText, type MachineWords, readFleetText } from '../../../protocol';
import type { Hearing } from '../core/exchange';
import { type SealedAt, sealed, unsealed } from './seal';
import { type HeldWords, NOTHING_HEARD, type Position } from './server';

/** Lifetime of an empty report, in ms, so that all machines read it. */
const EMPTY_KEPT_MS = 3_600_000;
/** Wait before overwriting another report under this ID, in ms: two processes may differ briefly. */
const SAY_AGAIN_MS = 20_000;
const NOTHING_SAID = { words: [], windows: [], spent: [] } as const;

export type Speaker = Readonly<{ id: string; name: string; secret: string; version: string | null }>;

export type OwnSaid = AccountSaid & Readonly<{ spent: Hours; until: number }>;

export type ToPut = Readonly<{ held: HeldWords; text: string }>;

export type AccountBook = Readonly<{
  position(): Position;
  /**
   * Rejects future times, which would block later reports.
   * @returns the machines with changed reports.
   */
  take(held: readonly HeldWords[], position: Position, now: number): readonly string[];
  expire(now: number): readonly string[];
  /** Reads all again: after a change of the clock, future reports may be valid. */
  rewind(): void;
  lost(): void;
  machines(): readonly string[];
  /** @param ids all machines if absent. */
  said(now: number, ignored: readonly string[], ids?: readonly string[]): Hearing;
  /** The report of another process of this machine. */
  mine(): AccountSaid | null;
  /** Null if already written. */
  next(own: OwnSaid | null, now: number): ToPut | null;
  spent(now: number, ignored: readonly string[]): Hours;
  put(one: ToPut): void;
  /** Valid reports as received, for a server that lost them. */
  others(now: number): readonly HeldWords[];
  heard(): readonly Readonly<{ id: string; name: string; version: string | null; saidAt: number }>[];
}>;

type Read = MachineWords & Readonly<{ held: HeldWords; text: string }>;
/** Parsed reports of a thousand machines would need ten times the memory. */
type Stored = Pick<Read, 'held' | 'machine' | 'version' | 'spent'>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function createAccountBook(account: string, { id, name, secret, version }: Speaker): AccountBook {
  const reports = new Map<string, Stored>();
  let latest: readonly Read[] = [];
  let position = NOTHING_HEARD;
  let put: Readonly<{ text: string; saidAt: number }> | null = null;

  const placeOf = ({ machine, saidAt, until }: HeldWords): SealedAt => ({ account, machine, saidAt, until });
  const read = (held: HeldWords): Read | null => {
    const text = unsealed(secret, placeOf(held), held.words);
    const found = text === null ? null : readFleetText(text);
    return found && text !== null ? { held, text, ...found } : null;
  };
  const readOf = (machine: string): Read | null => {
    const held = reports.get(machine)?.held;
    return held ? (latest.find((one) => one.held === held) ?? read(held)) : null;
  };

  return {
    position: () => position,
    machines: () => [...reports.keys()],
    take(all, next, now) {
      position = next;
      latest = all
        .filter(({ saidAt }) => saidAt <= now + AHEAD_MAX_MS)
        .filter(({ machine, saidAt }) => (reports.get(machine)?.held.saidAt ?? -1) < saidAt)
        .flatMap((held) => read(held) ?? []);
      for (const { held, machine, version: its, spent } of latest)
        reports.set(held.machine, { held, machine, version: its, spent });
      return latest.map(({ held }) => held.machine);
    },
    rewind() {
      position = { ...position, change: 0 };
    },
    lost() {
      put = null;
      position = NOTHING_HEARD;
    },
    expire(now) {
      const over = [...reports].filter(([, { held }]) => held.until <= now).map(([machine]) => machine);
      for (const machine of over) reports.delete(machine);
      return over;
    },
    said(now, ignored, ids = [...reports.keys()]) {
      return ids
        .filter((machine) => machine !== id)
        .map((machine) => {
          const one = ignored.includes(machine) ? null : readOf(machine);
          return [machine, one && one.held.until > now ? { ...one, at: one.held.saidAt } : null] as const;
        });
    },
    mine() {
      const own = readOf(id);
      return own && own.text !== put?.text ? own : null;
    },
    next(own, now) {
      if (own === null && put === null && !reports.has(id)) return null;
      const text = fleetText({ machine: name, version, ...NOTHING_SAID, ...own });
      // Another process with the secret may have written under this ID.
      const isThere = (readOf(id)?.text ?? text) === text || now < (put?.saidAt ?? 0) + SAY_AGAIN_MS;
      if (text === put?.text && isThere) return null;
      const saidAt = Math.max(now, (put?.saidAt ?? 0) + 1, (reports.get(id)?.held.saidAt ?? 0) + 1);
      const place = { account, machine: id, saidAt, until: Math.max(own?.until ?? 0, now + EMPTY_KEPT_MS) };
      return { held: { machine: id, saidAt, until: place.until, words: sealed(secret, place, text) }, text };
    },
    spent: (now, ignored) =>
      together(
        [...reports].flatMap(([machine, one]) =>
          machine === id || ignored.includes(machine) || one.held.until <= now ? [] : [one.spent],
        ),
        now,
      ),
    put({ text, held }) {
      put = { text, saidAt: held.saidAt };
    },
    others: (now) =>
      [...reports.values()].map(({ held }) => held).filter(({ machine, until }) => machine !== id && until > now),
    heard: () =>
      [...reports.values()].flatMap(({ held, machine, version: its }) =>
        held.machine === id ? [] : [{ id: held.machine, name: machine, version: its, saidAt: held.saidAt }],
      ),
  };
}
