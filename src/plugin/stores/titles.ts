import * as z from 'zod';
import { listen } from '../../core/base/listen';
import { remember } from '../../engine/tools';
import { type SessionTitles, TITLE_MAX_CHARS, TITLES_MAX } from '../../protocol';

/** Session titles, if the user allows them, in memory alone. */
export type Titles = Readonly<{
  /**
   * Deletes forbidden titles.
   * @returns true for a change.
   */
  allow(directory: string, isAllowed: boolean): boolean;
  /** Ignores forbidden titles and OpenCode's dated defaults. */
  note(directory: string, titles: Iterable<Titled>): void;
  all(): readonly SessionTitles[];
  /** Calls back for unchanged titles too: an app may have deleted them. */
  onNote(listener: (titles: SessionTitles) => void): () => void;
}>;

export type Titled = SessionTitles['titles'][number];

const UNTITLED = /^(?:New|Child) session - \d{4}-\d\d-\d\dT/;

export function createTitles(): Titles {
  const books = new Map<string, Map<string, string>>();
  const listeners = new Set<(titles: SessionTitles) => void>();
  return {
    allow(directory, isAllowed) {
      if (isAllowed === books.has(directory)) return false;
      if (isAllowed) books.set(directory, new Map());
      else books.delete(directory);
      return true;
    },
    note(directory, titles) {
      const book = books.get(directory);
      if (!book) return;
      const news: Titled[] = [];
      for (const { session, title } of titles) {
        const shown = cut(title.replace(/\s+/g, ' ').trim());
        if (shown === '' || UNTITLED.test(shown)) continue;
        remember(book, session, shown, TITLES_MAX);
        news.push({ session, title: shown });
      }
      if (news.length === 0) return;
      for (const listener of listeners) listener(toldOf(directory, news.slice(-TITLES_MAX)));
    },
    all: () =>
      [...books]
        .filter(([, book]) => book.size > 0)
        .map(([directory, book]) =>
          toldOf(
            directory,
            [...book].map(([session, title]) => ({ session, title })),
          ),
        ),
    onNote: (listener) => listen(listeners, listener),
  };
}

const toldOf = (directory: string, titles: Titled[]): SessionTitles => ({ type: 'session.titles', directory, titles });

const Listed = z.lazy(() =>
  z.object({
    id: z.string(),
    title: z.string(),
    parentID: z.string().nullish(),
    directory: z.string().optional(),
  }),
);

/** Lists the oldest first; hosts list the newest first. Excludes sub-agents, and other folders, which may forbid titles. */
export function titledIn(listed: unknown, directory: string): readonly Titled[] {
  const sessions = Array.isArray(listed) ? listed.flatMap((one) => Listed.safeParse(one).data ?? []) : [];
  return sessions
    .filter((one) => !one.parentID && (one.directory ?? directory) === directory)
    .map(({ id, title }) => ({ session: id, title }))
    .reverse();
}

function cut(title: string): string {
  if (title.length <= TITLE_MAX_CHARS) return title;
  return `${title.slice(0, TITLE_MAX_CHARS - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
