import { remember } from '../../engine/tools';
import type { SessionTitles } from '../../protocol';

/** In memory only, and only for directories whose user allows titles. */
export type Titles = Readonly<{
  told(titles: Pick<SessionTitles, 'directory' | 'titles'>): boolean;
  /** The default is no; forbidden titles are deleted. @returns whether visible titles changed. */
  allow(directory: string, isAllowed: boolean): boolean;
  of(session: string): string | null;
  find(text: string): readonly string[];
  forget(): void;
}>;

const SESSIONS_KEPT = 2_000;

export function createTitles(): Titles {
  const entries = new Map<string, Readonly<{ directory: string; title: string }>>();
  const allowed = new Map<string, boolean>();
  const of = (session: string): string | null => {
    const entry = entries.get(session);
    return entry && allowed.get(entry.directory) === true ? entry.title : null;
  };
  return {
    of,
    told({ directory, titles }) {
      // The companion may report titles before its files are read.
      if (allowed.get(directory) === false) return false;
      const news = titles.filter(({ session, title }) => entries.get(session)?.title !== title);
      for (const { session, title } of titles) remember(entries, session, { directory, title }, SESSIONS_KEPT);
      return news.length > 0 && allowed.get(directory) === true;
    },
    allow(directory, isAllowed) {
      if (allowed.get(directory) === isAllowed) return false;
      allowed.set(directory, isAllowed);
      const theirs = [...entries].filter(([, entry]) => entry.directory === directory);
      if (!isAllowed) for (const [session] of theirs) entries.delete(session);
      return theirs.length > 0;
    },
    find(text) {
      const wanted = text.toLowerCase();
      return [...entries.keys()].filter((session) => of(session)?.toLowerCase().includes(wanted));
    },
    forget: () => entries.clear(),
  };
}
