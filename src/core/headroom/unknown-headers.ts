import type { UnknownHeadersRow } from '../../contract/headroom';
import { UNKNOWN_HEADERS_MAX } from '../../protocol';

/** Names of headers that sound like a limit and that nobody reads: names alone, once each, in memory alone. */
export type UnknownHeaderBook = Readonly<{
  /** A response of a provider had them. @returns those that are new. */
  add(provider: string, names: readonly string[]): readonly string[];
  /** By provider, in the order of their names. */
  rows(): UnknownHeadersRow[];
  forget(): void;
}>;

/** Providers whose names are remembered; of more nothing is. */
const PROVIDERS_MAX = 50;

/** A book without names. */
export function createUnknownHeaderBook(): UnknownHeaderBook {
  const books = new Map<string, Set<string>>();
  return {
    add(provider, names) {
      const book = books.get(provider) ?? new Set();
      if (book.size === 0 && books.size >= PROVIDERS_MAX) return [];
      const news = names.filter((name) => !book.has(name) && book.size < UNKNOWN_HEADERS_MAX && book.add(name));
      if (news.length > 0) books.set(provider, book);
      return news;
    },
    rows: () =>
      [...books]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([provider, book]) => ({ provider, names: [...book].sort() })),
    forget: () => books.clear(),
  };
}
