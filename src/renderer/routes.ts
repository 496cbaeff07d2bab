import { useEffect, useSyncExternalStore } from 'react';
import { VIEWS, type View } from '../contract';
import { shellTexts } from '../texts';

/** The views, in the order of the navigation; the first six are those of Ctrl+1 to Ctrl+6. */
export const ROUTES = VIEWS;
export type RouteName = View;
export type Route = Readonly<{ name: RouteName; detail: string | null }>;

/** What Ctrl with a key opens, by view. */
export const ROUTE_KEYS: Readonly<Partial<Record<RouteName, string>>> = {
  now: '1',
  chains: '2',
  models: '3',
  sessions: '4',
  usage: '5',
  events: '6',
  settings: ',',
};

/** Reads `#/events/12` or `#/models/openai%2Fgpt-5`; anything unknown is `now`. */
export function parseRoute(hash: string): Route {
  const [name, detail] = hash.replace(/^#\/?/, '').split('/');
  const known = ROUTES.find((route) => route === name);
  return known ? { name: known, detail: decoded(detail) } : { name: 'now', detail: null };
}

/** A part of an address somebody may have typed; null when it names nothing. */
function decoded(part: string | undefined): string | null {
  try {
    return part ? decodeURIComponent(part) : null;
  } catch {
    return null;
  }
}

/** The address of a view, and of one thing in it. */
export function hrefOf(name: RouteName, detail?: string | number): string {
  return detail === undefined ? `#/${name}` : `#/${name}/${encodeURIComponent(detail)}`;
}

/** The view the address names, as it changes. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(onHashChange, () => window.location.hash);
  const route = parseRoute(hash);
  const title = shellTexts().views[route.name];
  useEffect(() => {
    document.title = `${title} · Understudy`;
  }, [title]);
  return route;
}

function onHashChange(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}
