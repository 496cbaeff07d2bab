import type { UnknownHeadersRow } from '../../contract/headroom';
import { UNKNOWN_HEADERS_MAX } from '../../protocol';

/** Names only, without values, in memory. */
export type UnknownHeaderBook = Readonly<{
  /** @returns the new names. */
  add(provider: string, names: readonly string[]): readonly string[];
  rows(): UnknownHeadersRow[];
  forget(): void;
}>;

const PROVIDERS_MAX = 50;

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
