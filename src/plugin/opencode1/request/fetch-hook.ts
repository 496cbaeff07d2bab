import { type Fetch, nextNumber, releaseFetch, wrapFetch } from '../memory/fetch-wrap';
import { type GuardedRequest, headersToSend, REQUEST_HEADER } from '../memory/guarded-request';
import { guardedFetch } from './guard';

/** Requests noted by `chat.headers` and not yet seen at fetch; more than this are leaks of a host that never sends them. */
const NOTED_MAX = 500;

const noted = new Map<string, GuardedRequest>();

/** Notes a request that is about to be made. @returns the number its header has to carry. */
export function noteRequest(request: Omit<GuardedRequest, 'number'>): string {
  const number = String(nextNumber());
  noted.set(number, { ...request, number });
  const oldest = noted.keys().next().value;
  if (noted.size > NOTED_MAX && oldest !== undefined) noted.delete(oldest);
  return number;
}

/** Words that must not leave this machine, and how often they would have. */
const kept = new Map<string, { hits: number }>();

/**
 * Keeps requests that hold certain words from leaving, when they come by without a number: the host does not tell whose they
 * are. They are answered by 204.
 *
 * @returns how many came by so far, and what ends it.
 */
export function keepBack(words: string): Readonly<{ hits: () => number; end: () => void }> {
  const state = { hits: 0 };
  kept.set(words, state);
  return { hits: () => state.hits, end: () => void kept.delete(words) };
}

/** Puts our fetch in front of the host's, once per process; requests without our header pass untouched. */
export function installFetch(): void {
  const shared = wrapFetch();
  shared.guard = (input, init) => route(shared.original, input, init);
}

/** Keeps our fetch in front of the host's until something has ended, whoever else lets go of it. */
export function holdFetch(until: Promise<unknown>): void {
  installFetch();
  void until.then(releaseFetch, releaseFetch);
}

async function route(original: Fetch, input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const number = headerOf(input, init);
  const request = number === null ? undefined : noted.get(number);
  if (number === null) return isKeptBack(init) ? new Response(null, { status: 204 }) : original(input, init);
  if (!request || request.instance.isGone) return original(input, { ...init, headers: headersToSend(input, init) });
  // Kept until now: an SDK that repeats a request by itself sends the same number again.
  return guardedFetch(request, original, { input, init });
}

function isKeptBack(init?: RequestInit): boolean {
  const { body } = init ?? {};
  if (kept.size === 0 || typeof body !== 'string') return false;
  for (const [words, state] of kept) {
    if (!body.includes(words)) continue;
    state.hits++;
    return true;
  }
  return false;
}

function headerOf(input: string | URL | Request, init?: RequestInit): string | null {
  const headers = init?.headers;
  if (headers instanceof Headers) return headers.get(REQUEST_HEADER);
  if (Array.isArray(headers)) return headers.find(([name]) => name?.toLowerCase() === REQUEST_HEADER)?.[1] ?? null;
  if (headers) return (headers as Record<string, string>)[REQUEST_HEADER] ?? null;
  return input instanceof Request ? input.headers.get(REQUEST_HEADER) : null;
}
