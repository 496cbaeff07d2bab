import type { UnknownHeadersRow } from '../../contract';
import { type HeadersUnknown, UNKNOWN_HEADERS_MAX } from '../../protocol';

/** Names of headers that sound like a limit and that nobody reads, as companions tell of them: in memory alone. */
export type UnknownHeaderBook = Readonly<{
  /** @returns whether any of them is new. */
  told(headers: Pick<HeadersUnknown, 'provider' | 'names'>): boolean;
  /** By provider, in the order of their names. */
  rows(): UnknownHeadersRow[];
  forget(): void;
}>;

/** Providers that are remembered; of more nothing is. */
const PROVIDERS_MAX = 50;

/** A book without names. */
export function createUnknownHeaderBook(): UnknownHeaderBook {
  const books = new Map<string, Set<string>>();
  return {
    told({ provider, names }) {
      const book = books.get(provider) ?? new Set();
      if (book.size === 0 && books.size >= PROVIDERS_MAX) return false;
      const before = book.size;
      for (const name of names) if (book.size < UNKNOWN_HEADERS_MAX) book.add(name);
      books.set(provider, book);
      return book.size > before;
    },
    rows: () =>
      [...books]
        .map(([provider, book]) => ({ provider, names: [...book].sort(byName) }))
        .sort((one, other) => byName(one.provider, other.provider)),
    forget: () => books.clear(),
  };
}

const byName = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
