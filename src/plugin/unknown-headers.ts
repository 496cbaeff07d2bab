import { type HeadersUnknown, PROVIDER_MAX_CHARS, UNKNOWN_HEADERS_MAX } from '../protocol';

/** Names of headers that sound like a limit and that nobody reads, for the app: names alone, once each, in memory alone. */
export type UnknownHeaders = Readonly<{
  /** A response of a provider had them. */
  note(provider: string, names: readonly string[]): void;
  /** All that is known, as it is told. */
  all(): readonly HeadersUnknown[];
  /** Calls back with what is new of a provider. @returns what ends it. */
  onNote(listener: (told: HeadersUnknown) => void): () => void;
}>;

/** Providers whose names are remembered; of more nothing is. */
const PROVIDERS_MAX = 50;

/** A book without names. */
export function createUnknownHeaders(): UnknownHeaders {
  const books = new Map<string, Set<string>>();
  const listeners = new Set<(told: HeadersUnknown) => void>();
  return {
    note(provider, names) {
      if (names.length === 0 || provider.length > PROVIDER_MAX_CHARS) return;
      const book = books.get(provider) ?? new Set();
      const isFull = (): boolean => book.size >= UNKNOWN_HEADERS_MAX;
      if (isFull() || (book.size === 0 && books.size >= PROVIDERS_MAX)) return;
      const news = names.filter((name) => !(book.has(name) || isFull()) && book.add(name));
      if (news.length === 0) return;
      books.set(provider, book);
      for (const listener of listeners) listener({ type: 'headers.unknown', provider, names: news });
    },
    all: () => [...books].map(([provider, book]) => ({ type: 'headers.unknown', provider, names: [...book] })),
    onNote(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
