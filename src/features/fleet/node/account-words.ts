import { type Hours, together } from '../../../core/budget/elsewhere';
import { type AccountSaid, AHEAD_MAX_MS } from '../../../engine/tools';
import { fleetText, type MachineWords, readFleetText } from '../../../protocol';
import type { Hearing } from '../core/exchange';
import { type SealedAt, sealed, unsealed } from './seal';
import { type HeldWords, NOTHING_HEARD, type Position } from './server';

/** Words that say nothing any more are still there for as long, so that everybody hears it, in ms. */
const EMPTY_KEPT_MS = 3_600_000;
/** How soon it is said once more what stands otherwise under this machine's own name, in ms: two processes of it may differ for a while. */
const SAY_AGAIN_MS = 20_000;
const NOTHING_SAID = { words: [], windows: [], spent: [] } as const;

/** Whose words they are, and by which secret they are sealed. */
export type Speaker = Readonly<{ id: string; name: string; secret: string; version: string | null }>;

export type OwnSaid = AccountSaid & Readonly<{ spent: Hours; until: number }>;

export type ToPut = Readonly<{ held: HeldWords; text: string }>;

/** All that is known of what machines say of one account. */
export type AccountBook = Readonly<{
  position(): Position;
  /**
   * Words as the server holds them, or has just told; those of what is yet to come are none, or nothing could be said after them.
   *
   * @returns the machines that say something else by now.
   */
  take(held: readonly HeldWords[], position: Position, now: number): readonly string[];
  /** Machines whose words do not count any more are forgotten. @returns which. */
  expire(now: number): readonly string[];
  /** Everything is to be read anew: by another clock, what was of the time to come is of now. */
  rewind(): void;
  /** The server has begun another life: what this machine said is to be said again. */
  lost(): void;
  machines(): readonly string[];
  /** What other machines say by now. @param ids all of them where it is left out. @param ignored machines that are not heeded. */
  said(now: number, ignored: readonly string[], ids?: readonly string[]): Hearing;
  /** What this machine itself is held to have said, when another process of it, or of an earlier life, put it. */
  mine(): AccountSaid | null;
  /** What has to be put, for this machine to have said this; null where it has. */
  next(own: OwnSaid | null, now: number): ToPut | null;
  spent(now: number, ignored: readonly string[]): Hours;
  put(one: ToPut): void;
  /** Words of others that still count, as they were heard: for a server that has lost them. */
  others(now: number): readonly HeldWords[];
  /** Other machines that were heard, the latest words of each. */
  heard(): readonly Readonly<{ id: string; name: string; version: string | null; saidAt: number }>[];
}>;

type Read = MachineWords & Readonly<{ held: HeldWords; text: string }>;
/** What stays in memory of the words of a machine. Those of a thousand machines, as objects, take ten times their text. */
type Stored = Pick<Read, 'held' | 'machine' | 'version' | 'spent'>;

/** @param account its mark. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function createAccountBook(account: string, { id, name, secret, version }: Speaker): AccountBook {
  const known = new Map<string, Stored>();
  /** The words that were taken last: they are asked for next. */
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
    const held = known.get(machine)?.held;
    return held ? (latest.find((one) => one.held === held) ?? read(held)) : null;
  };

  return {
    position: () => position,
    machines: () => [...known.keys()],
    take(all, next, now) {
      position = next;
      latest = all
        .filter(({ saidAt }) => saidAt <= now + AHEAD_MAX_MS)
        .filter(({ machine, saidAt }) => (known.get(machine)?.held.saidAt ?? -1) < saidAt)
        .flatMap((held) => read(held) ?? []);
      for (const { held, machine, version: its, spent } of latest)
        known.set(held.machine, { held, machine, version: its, spent });
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
      const over = [...known].filter(([, { held }]) => held.until <= now).map(([machine]) => machine);
      for (const machine of over) known.delete(machine);
      return over;
    },
    said(now, ignored, ids = [...known.keys()]) {
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
      // Who never had anything to say need not say that there is nothing.
      if (own === null && put === null && !known.has(id)) return null;
      const text = fleetText({ machine: name, version, ...NOTHING_SAID, ...own });
      // Whoever has the secret may have said something else in this machine's name.
      const isThere = (readOf(id)?.text ?? text) === text || now < (put?.saidAt ?? 0) + SAY_AGAIN_MS;
      if (text === put?.text && isThere) return null;
      const saidAt = Math.max(now, (put?.saidAt ?? 0) + 1, (known.get(id)?.held.saidAt ?? 0) + 1);
      const place = { account, machine: id, saidAt, until: Math.max(own?.until ?? 0, now + EMPTY_KEPT_MS) };
      return { held: { machine: id, saidAt, until: place.until, words: sealed(secret, place, text) }, text };
    },
    spent: (now, ignored) =>
      together(
        [...known].flatMap(([machine, one]) =>
          machine === id || ignored.includes(machine) || one.held.until <= now ? [] : [one.spent],
        ),
        now,
      ),
    put({ text, held }) {
      put = { text, saidAt: held.saidAt };
    },
    others: (now) =>
      [...known.values()].map(({ held }) => held).filter(({ machine, until }) => machine !== id && until > now),
    heard: () =>
      [...known.values()].flatMap(({ held, machine, version: its }) =>
        held.machine === id ? [] : [{ id: held.machine, name: machine, version: its, saidAt: held.saidAt }],
      ),
  };
}
