import * as z from 'zod';
import { listen } from '../../core/base/listen';
import { remember } from '../../engine/tools';
import { type SessionTitles, TITLE_MAX_CHARS, TITLES_MAX } from '../../protocol';

/** What OpenCode calls its sessions, for the app: only where the user lets that be shown, and in memory alone. */
export type Titles = Readonly<{
  /** Allows or forbids the titles of a directory; forbidden ones are deleted. @returns true for a change. */
  allow(directory: string, isAllowed: boolean): boolean;
  /** OpenCode calls sessions so. Nothing is kept where it may not be shown, nor a name that says no more than a date. */
  note(directory: string, titles: Iterable<Titled>): void;
  /** All that is known, as it is told. */
  all(): readonly SessionTitles[];
  /** Calls back with what has been noted; the same again as well: an app may have been told to forget it. @returns what ends it. */
  onNote(listener: (told: SessionTitles) => void): () => void;
}>;

export type Titled = SessionTitles['titles'][number];

/** What OpenCode calls a session until it has a title for it. */
const UNTITLED = /^(?:New|Child) session - \d{4}-\d\d-\d\dT/;

/** A book without entries, that may show nothing. */
export function createTitles(): Titles {
  const books = new Map<string, Map<string, string>>();
  const listeners = new Set<(told: SessionTitles) => void>();
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

/**
 * The conversations of a directory in a list that a host gave, the newest first; told the oldest first. Those of its sub-agents
 * are none, and of another folder of the same repository nothing is taken: that one may not want it.
 */
export function titledIn(listed: unknown, directory: string): readonly Titled[] {
  const sessions = Array.isArray(listed) ? listed.flatMap((one) => Listed.safeParse(one).data ?? []) : [];
  return sessions
    .filter((one) => !one.parentID && (one.directory ?? directory) === directory)
    .map(({ id, title }) => ({ session: id, title }))
    .reverse();
}

/** A long title without its end, and without half a character. */
function cut(title: string): string {
  if (title.length <= TITLE_MAX_CHARS) return title;
  return `${title.slice(0, TITLE_MAX_CHARS - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
