import { EventSource as StreamOverFetch } from 'eventsource';
import {
  keyText,
  ProofAnswer,
  proofText,
  SESSION_PATH,
  SessionAnswer,
  type SessionQuestion,
  ticketText,
} from '../../contract/panel-session';
import { parseJson } from '../../contract/parse-json';
import type { HttpParts } from './api';

/** Session storage: other ports, tabs and later sessions cannot read it. */
const KEPT = 'understudy-session';
const UNAUTHORIZED = 401;
const SERVER_ERROR = 500;
const HTTP_PORT = 80;
const NONCE_BYTES = 32;
/** In ms; a local panel responds in milliseconds. */
const PROOF_LIMIT_MS = 5_000;

export type Doorway = Readonly<{
  location: Pick<Location, 'href'>;
  history: Pick<History, 'state' | 'replaceState'>;
  fetch: typeof fetch;
  crypto: Pick<Crypto, 'subtle' | 'getRandomValues'>;
  /** Throws if the browser forbids storage. */
  storage(): Storage;
  shut(why: 'restarted' | 'foreign'): void;
}>;

export type Entry =
  | Readonly<{ isIn: true; parts: HttpParts; prove: () => Promise<unknown> }>
  | Readonly<{ isIn: false; why: 'no-key' | 'refused' | 'full' | 'unreachable' }>;
export type Shutting = Extract<Entry, { isIn: false }>['why'] | Parameters<Doorway['shut']>[0];

/**
 * Exchanges the address's token for a secret of this tab. The secret is never sent again: the panel proves that it has
 * it, and gets a code for its process only. No cookie: cookies ignore ports, so that every server on 127.0.0.1 would
 * get it. The token leaves the address bar at once.
 */
export async function enter(page: Doorway): Promise<Entry> {
  const token = takeToken(page);
  const earlier = storedIn(page);
  if (token !== null) {
    const offered = await exchange(page, token);
    if (offered.isIn) {
      store(page, offered.tab);
      return { isIn: true, ...partsFor(page, offered.tab) };
    }
    // A used token may still be in the history of a tab that it let in.
    if (earlier === null) return offered;
  }
  return earlier === null ? { isIn: false, why: 'no-key' } : { isIn: true, ...partsFor(page, earlier) };
}

function takeToken({ location, history }: Doorway): string | null {
  const url = new URL(location.href);
  const token = url.searchParams.get('t');
  if (token === null) return null;
  url.searchParams.delete('t');
  history.replaceState(history.state, '', url);
  return token;
}

const post = ({ fetch: send }: Doorway, question: SessionQuestion): Promise<Response> =>
  send(SESSION_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
    signal: AbortSignal.timeout(PROOF_LIMIT_MS),
  });

type Exchanged = Readonly<
  { isIn: true; tab: SessionAnswer } | { isIn: false; why: 'refused' | 'full' | 'unreachable' }
>;

async function exchange(page: Doorway, token: string): Promise<Exchanged> {
  // silent: the page shows that Understudy cannot be reached
  const response = await post(page, { token }).catch(() => null);
  if (response === null) return { isIn: false, why: 'unreachable' };
  if (!response.ok) return { isIn: false, why: response.status === UNAUTHORIZED ? 'refused' : 'full' };
  // silent: an answer that is no JSON counts as none
  const answer = SessionAnswer.safeParse(await response.json().catch(() => null));
  return answer.success ? { isIn: true, tab: answer.data } : { isIn: false, why: 'unreachable' };
}

/** The panel proves itself before the first request, and after a restart. */
function partsFor(page: Doorway, tab: SessionAnswer): Omit<Extract<Entry, { isIn: true }>, 'isIn'> {
  let ticket: string | null = null;
  let proving: Promise<string> | null = null;
  const prove = (): Promise<string> => {
    proving ??= ticketFor(page, tab).finally(() => {
      proving = null;
    });
    return proving;
  };
  const send: typeof fetch = async (input, init) => {
    const ask = async (bearer: string): Promise<Response> => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${bearer}`);
      try {
        return await page.fetch(input, { ...init, headers });
      } catch (error) {
        ticket = null;
        throw error;
      }
    };
    const used = ticket ?? (await prove());
    ticket = used;
    const response = await ask(used);
    if (response.status !== UNAUTHORIZED) return response;
    // The panel restarted, or another program has the port.
    ticket = null;
    ticket = await prove();
    return ask(ticket);
  };
  class Stream extends StreamOverFetch {
    constructor(path: string | URL) {
      // The library cannot resolve relative addresses.
      super(new URL(path, page.location.href), {
        fetch: async (url, init) => {
          const response = await send(url, init as RequestInit);
          // Another status would end the stream for good; after an error it reconnects.
          if (!response.ok) throw new TypeError(`status ${response.status}`);
          return response;
        },
      });
      // Another program may have the port now: send nothing without a new proof.
      this.addEventListener('error', () => {
        ticket = null;
      });
    }
  }
  return { parts: { fetch: send, EventSource: Stream as unknown as typeof EventSource }, prove };
}

/** @throws if there is no response. */
async function ticketFor(page: Doorway, { id, secret }: SessionAnswer): Promise<string> {
  const nonce = base64url(page.crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));
  const response = await post(page, { id, nonce });
  if (response.status >= SERVER_ERROR) throw new TypeError(`status ${response.status}`);
  const answer = ProofAnswer.safeParse(parseJson(await response.text())).data;
  const port = Number(new URL(page.location.href).port) || HTTP_PORT;
  const sign = await signer(page.crypto.subtle, secret);
  if (answer?.isKnown && answer.proof === (await sign(proofText(port, nonce, answer.nonce))))
    return sign(ticketText(port, answer.nonce));
  // Scripts of another program in this tab could read the storage.
  store(page, null);
  page.shut(answer?.isKnown === false ? 'restarted' : 'foreign');
  // A closed tab sends no more queries: pending ones never settle.
  return new Promise(() => undefined);
}

async function signer(subtle: SubtleCrypto, secret: string): Promise<(text: string) => Promise<string>> {
  const bytes = new TextEncoder();
  const digest = await subtle.digest('SHA-256', bytes.encode(keyText(secret)));
  const key = await subtle.importKey('raw', digest, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return async (text) => base64url(new Uint8Array(await subtle.sign('HMAC', key, bytes.encode(text))));
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (each) => ({ '+': '-', '/': '_' })[each] ?? '');

function storedIn({ storage }: Doorway): SessionAnswer | null {
  try {
    return SessionAnswer.safeParse(parseJson(storage().getItem(KEPT) ?? '')).data ?? null;
  } catch {
    // silent: a browser may forbid storage
    return null;
  }
}

/** Without storage, a reloaded page needs its original address. */
function store({ storage }: Doorway, tab: SessionAnswer | null): void {
  try {
    if (tab === null) storage().removeItem(KEPT);
    else storage().setItem(KEPT, JSON.stringify(tab));
  } catch {
    // silent: a browser may forbid storage, and nothing depends on it
  }
}
