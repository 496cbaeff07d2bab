import type { AccountWords, Said } from '../../engine/tools';
import { fleetText, readFleetText } from '../../protocol';
import { type SealedAt, sealed, unsealed } from './seal';
import { type HeldWords, NOTHING_HEARD, type Position } from './server';

/** Words that say nothing any more are still there for as long, so that everybody hears it, in ms. */
const EMPTY_KEPT_MS = 3_600_000;
const NO_WORDS: AccountWords = { models: [], providers: [] };

/** Whose words they are, and by which secret they are sealed. */
export type Speaker = Readonly<{ id: string; name: string; secret: string }>;

/** Words to be put. */
export type ToPut = Readonly<{ held: HeldWords; text: string }>;

/** All that is known of what machines say of one account. */
export type AccountBook = Readonly<{
  position(): Position;
  /** Words as the server holds them, or has just told. @returns whether they are newer than what was known. */
  take(held: readonly HeldWords[], position: Position): boolean;
  /** The server has begun another life: what this machine said is to be said again. */
  lost(): void;
  /** What the other machines say by now. @param ignored machines that are not heeded, by id. */
  said(now: number, ignored: readonly string[]): readonly Said[];
  /** What this machine itself is held to have said, when another process of it, or of an earlier life, put it. */
  mine(): AccountWords | null;
  /** What has to be put, for this machine to have said this; null where it has. */
  next(own: Readonly<{ words: AccountWords; until: number }> | null, now: number): ToPut | null;
  /** It has been put. */
  put(one: ToPut): void;
  /** Words of others that still count, as they were heard: for a server that has lost them. */
  others(now: number): readonly HeldWords[];
  /** Other machines that were heard, the latest words of each. */
  heard(): readonly Readonly<{ id: string; name: string; saidAt: number }>[];
}>;

type Read = Readonly<{ held: HeldWords; machine: string; text: string; words: AccountWords }>;

/** @param account its mark. */
export function createAccountBook(account: string, { id, name, secret }: Speaker): AccountBook {
  const known = new Map<string, Read>();
  let position = NOTHING_HEARD;
  let put: Readonly<{ text: string; saidAt: number }> | null = null;

  const placeOf = ({ machine, saidAt, until }: HeldWords): SealedAt => ({ account, machine, saidAt, until });
  const read = (held: HeldWords): Read | null => {
    const text = unsealed(secret, placeOf(held), held.words);
    const found = text === null ? null : readFleetText(text);
    return found && text !== null ? { held, text, ...found } : null;
  };

  return {
    position: () => position,
    take(all, next) {
      position = next;
      const news = all
        .filter(({ machine, saidAt }) => (known.get(machine)?.held.saidAt ?? -1) < saidAt)
        .flatMap((held) => read(held) ?? []);
      for (const one of news) known.set(one.held.machine, one);
      return news.length > 0;
    },
    lost() {
      put = null;
      position = NOTHING_HEARD;
    },
    said(now, ignored) {
      return [...known.values()].flatMap(({ held: { machine: by, saidAt, until }, machine, words }) =>
        by === id || until <= now || ignored.includes(by) ? [] : [{ machine, at: saidAt, words }],
      );
    },
    mine() {
      const own = known.get(id);
      return own && own.text !== put?.text ? own.words : null;
    },
    next(own, now) {
      // Who never had anything to say need not say that there is nothing.
      if (own === null && put === null && !known.has(id)) return null;
      const text = fleetText({ machine: name, words: own?.words ?? NO_WORDS });
      if (text === put?.text) return null;
      const saidAt = Math.max(now, (put?.saidAt ?? 0) + 1, (known.get(id)?.held.saidAt ?? 0) + 1);
      const place = { account, machine: id, saidAt, until: Math.max(own?.until ?? 0, now + EMPTY_KEPT_MS) };
      return { held: { machine: id, saidAt, until: place.until, words: sealed(secret, place, text) }, text };
    },
    put({ text, held }) {
      put = { text, saidAt: held.saidAt };
    },
    others: (now) =>
      [...known.values()].map(({ held }) => held).filter(({ machine, until }) => machine !== id && until > now),
    heard: () =>
      [...known.values()].flatMap(({ held, machine }) =>
        held.machine === id ? [] : [{ id: held.machine, name: machine, saidAt: held.saidAt }],
      ),
  };
}
