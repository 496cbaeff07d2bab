import { useSyncExternalStore } from 'react';
import { GLANCE_ADDRESS, INBOX_WORD, PAGES, type Page } from '../../contract/shell';

export { hrefOf } from '../../contract/shell';

export type Route = Readonly<{ name: Page; detail: string | null }>;

/** `#/events/12?code=switch`, `#/models/openai%2Fgpt-5`; unknown addresses become `now`. */
export function parseRoute(hash: string): Route {
  const [path = ''] = hash.split('?', 1);
  const [name, detail] = path.replace(/^#\/?/, '').split('/');
  const page = PAGES.find((each) => each === name);
  return page ? { name: page, detail: decoded(detail) } : { name: 'now', detail: null };
}

function decoded(part: string | undefined): string | null {
  try {
    return part ? decodeURIComponent(part) : null;
  } catch {
    // silent: a malformed address names nothing
    return null;
  }
}

/** `code=switch` of `#/events/12?code=switch&notices`. */
export const queryOf = (hash: string): string =>
  wordsOf(hash)
    .filter((word) => word !== INBOX_WORD)
    .join('&');

export const hasInbox = (hash: string): boolean => wordsOf(hash).includes(INBOX_WORD);

export function withInbox(hash: string, isOpen: boolean): string {
  const [path = ''] = hash.split('?', 1);
  const words = [queryOf(hash), isOpen ? INBOX_WORD : ''].filter(Boolean).join('&');
  return `${path || '#/now'}${words && `?${words}`}`;
}

function wordsOf(hash: string): readonly string[] {
  const at = hash.indexOf('?');
  return at < 0 ? [] : hash.slice(at + 1).split('&');
}

export const useInboxOpen = (): boolean => useSyncExternalStore(onHashChange, () => hasInbox(window.location.hash));

export const useRouteQuery = (): string => useSyncExternalStore(onHashChange, () => queryOf(window.location.hash));

export const isGlance = (): boolean => window.location.hash === GLANCE_ADDRESS;

export const useIsGlance = (): boolean => useSyncExternalStore(onHashChange, isGlance);

export function useRoute(): Route {
  const hash = useSyncExternalStore(onHashChange, () => window.location.hash);
  return parseRoute(hash);
}

function onHashChange(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}
