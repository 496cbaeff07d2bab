import { listen } from '../../core/base/listen';
import { createUnknownHeaderBook } from '../../core/headroom/unknown-headers';
import { type HeadersUnknown, PROVIDER_MAX_CHARS } from '../../protocol';

/** Headers that look like limits and are not read. */
export type UnknownHeaders = Readonly<{
  note(provider: string, names: readonly string[]): void;
  all(): readonly HeadersUnknown[];
  onNote(listener: (report: HeadersUnknown) => void): () => void;
}>;

export function createUnknownHeaders(): UnknownHeaders {
  const book = createUnknownHeaderBook();
  const listeners = new Set<(report: HeadersUnknown) => void>();
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
