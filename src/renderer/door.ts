import { EventSource as StreamOverFetch } from 'eventsource';
import { SESSION_PATH, SessionAnswer, type SessionQuestion } from '../contract';
import type { HttpParts } from './api';

/** Where this tab keeps its secret: no other port's pages, no other tab and no later session can read it. */
const KEPT = 'understudy-session';
const UNAUTHORIZED = 401;

/** What a page needs to be let in; tests pass their own. */
export type Doorway = Readonly<{
  location: Pick<Location, 'href' | 'reload'>;
  history: Pick<History, 'state' | 'replaceState'>;
  fetch: typeof fetch;
  /** Throws where the browser keeps nothing for this page. */
  storage(): Storage;
}>;

/** Let in, with what carries questions; else why not. */
export type Entry =
  | Readonly<{ isIn: true; parts: HttpParts }>
  | Readonly<{ isIn: false; why: 'no-key' | 'refused' | 'full' | 'unreachable' }>;

/**
 * Exchanges the token of the address for a secret of this tab, which goes with every question as a header. No cookie:
 * those know no ports, and every server on 127.0.0.1 would be sent ours. The token leaves the address bar at once.
 */
export async function enter(page: Doorway): Promise<Entry> {
  const token = takeToken(page);
  const kept = keptIn(page);
  if (token !== null) {
    const offered = await exchange(page, token);
    if (offered.isIn) {
      keep(page, offered.secret);
      return { isIn: true, parts: withSecret(page, offered.secret) };
    }
    // An address that lets in once is still in the history of a tab that was let in by it.
    if (kept === null) return offered;
  }
  return kept === null ? { isIn: false, why: 'no-key' } : { isIn: true, parts: withSecret(page, kept) };
}

function takeToken({ location, history }: Doorway): string | null {
  const url = new URL(location.href);
  const token = url.searchParams.get('t');
  if (token === null) return null;
  url.searchParams.delete('t');
  history.replaceState(history.state, '', url);
  return token;
}

type Exchanged = Readonly<{ isIn: true; secret: string } | { isIn: false; why: 'refused' | 'full' | 'unreachable' }>;

async function exchange({ fetch: send }: Doorway, token: string): Promise<Exchanged> {
  const response = await send(SESSION_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token } satisfies SessionQuestion),
    // silent: the page shows that Understudy cannot be reached
  }).catch(() => null);
  if (response === null) return { isIn: false, why: 'unreachable' };
  if (!response.ok) return { isIn: false, why: response.status === UNAUTHORIZED ? 'refused' : 'full' };
  // silent: an answer that is no JSON counts as none
  const answer = SessionAnswer.safeParse(await response.json().catch(() => null));
  return answer.success ? { isIn: true, secret: answer.data.secret } : { isIn: false, why: 'unreachable' };
}

/** Questions and pushes that carry the secret. Whoever is no longer let in begins anew, and is told how. */
function withSecret(page: Doorway, secret: string): HttpParts {
  const send: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${secret}`);
    const response = await page.fetch(input, { ...init, headers });
    // Another tab, a page of before: what another has been given since stays.
    if (response.status === UNAUTHORIZED && keptIn(page) === secret) {
      keep(page, null);
      page.location.reload();
    }
    return response;
  };
  class Stream extends StreamOverFetch {
    constructor(path: string | URL) {
      // Its own parsing of addresses knows no page to start from.
      super(new URL(path, page.location.href), { fetch: (url, init) => send(url, init as RequestInit) });
    }
  }
  return { fetch: send, EventSource: Stream as unknown as typeof EventSource };
}

function keptIn({ storage }: Doorway): string | null {
  try {
    return storage().getItem(KEPT);
  } catch {
    // silent: a browser may forbid storage
    return null;
  }
}

/** Where nothing can be kept, a page that is loaded again needs its address again. */
function keep({ storage }: Doorway, secret: string | null): void {
  try {
    if (secret === null) storage().removeItem(KEPT);
    else storage().setItem(KEPT, secret);
  } catch {
    // silent: a browser may forbid storage, and nothing depends on it
  }
}
