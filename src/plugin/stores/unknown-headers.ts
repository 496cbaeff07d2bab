import { listen } from '../../core/base/listen';
import { createUnknownHeaderBook } from '../../core/headroom/unknown-headers';
import { type HeadersUnknown, PROVIDER_MAX_CHARS } from '../../protocol';

/** Names of headers that sound like a limit and that nobody reads, for the app. */
export type UnknownHeaders = Readonly<{
  /** A response of a provider had them. */
  note(provider: string, names: readonly string[]): void;
  /** All that is known, as it is told. */
  all(): readonly HeadersUnknown[];
  /** Calls back with what is new of a provider. @returns what ends it. */
  onNote(listener: (told: HeadersUnknown) => void): () => void;
}>;

/** A book without names. */
export function createUnknownHeaders(): UnknownHeaders {
  const book = createUnknownHeaderBook();
  const listeners = new Set<(told: HeadersUnknown) => void>();
  return {
    note(provider, names) {
      if (names.length === 0 || provider.length > PROVIDER_MAX_CHARS) return;
      const news = book.add(provider, names);
      if (news.length === 0) return;
      for (const listener of listeners) listener({ type: 'headers.unknown', provider, names: [...news] });
    },
    all: () => book.rows().map((row) => ({ type: 'headers.unknown', ...row })),
    onNote: (listener) => listen(listeners, listener),
  };
}
