import { remember } from '../../engine/tools';
import type { SessionTitles } from '../../protocol';

/** What OpenCode calls its sessions: in memory alone, and only of directories whose user lets it be shown. */
export type Titles = Readonly<{
  /** @returns whether anything that may be shown is new. */
  told(titles: Pick<SessionTitles, 'directory' | 'titles'>): boolean;
  /**
   * Whether the files of a directory let titles be shown; what is known of one that does not is forgotten. A directory nobody
   * has spoken of shows none.
   *
   * @returns whether that is news.
   */
  allow(directory: string, isAllowed: boolean): boolean;
  /** Null where there is none, or none that may be shown. */
  of(session: string): string | null;
  /** Sessions whose title holds a text, in whatever case. */
  find(text: string): readonly string[];
  forget(): void;
}>;

/** Sessions whose titles are remembered; the one told of longest ago leaves first. */
const SESSIONS_KEPT = 2_000;

/** A memory without titles. */
export function createTitles(): Titles {
  const known = new Map<string, Readonly<{ directory: string; title: string }>>();
  const allowed = new Map<string, boolean>();
  const of = (session: string): string | null => {
    const entry = known.get(session);
    return entry && allowed.get(entry.directory) === true ? entry.title : null;
  };
  return {
    of,
    told({ directory, titles }) {
      // Its companion may have been quicker than whoever reads its files.
      if (allowed.get(directory) === false) return false;
      const news = titles.filter(({ session, title }) => known.get(session)?.title !== title);
      for (const { session, title } of titles) remember(known, session, { directory, title }, SESSIONS_KEPT);
      return news.length > 0 && allowed.get(directory) === true;
    },
    allow(directory, isAllowed) {
      if (allowed.get(directory) === isAllowed) return false;
      allowed.set(directory, isAllowed);
      const theirs = [...known].filter(([, entry]) => entry.directory === directory);
      if (!isAllowed) for (const [session] of theirs) known.delete(session);
      return theirs.length > 0;
    },
    find(text) {
      const wanted = text.toLowerCase();
      return [...known.keys()].filter((session) => of(session)?.toLowerCase().includes(wanted));
    },
    forget: () => known.clear(),
  };
}
