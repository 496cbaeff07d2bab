import { useEffect, useSyncExternalStore } from 'react';

/** The views, in the order of the navigation and of Ctrl+1 to Ctrl+4. */
export const ROUTES = ['now', 'chains', 'models', 'events'] as const;
export type RouteName = (typeof ROUTES)[number];
export type Route = Readonly<{ name: RouteName; detail: string | null }>;

export const ROUTE_TITLES: Readonly<Record<RouteName, string>> = {
  now: 'Now',
  chains: 'Chains',
  models: 'Models',
  events: 'Events',
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
  useEffect(() => {
    document.title = `${ROUTE_TITLES[route.name]} · Understudy`;
  }, [route.name]);
  return route;
}

function onHashChange(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}
